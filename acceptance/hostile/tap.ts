import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

/** Stands between a proxy and what it asks, passes every byte on, and knows which connection carried what. */
export interface Tap extends AsyncDisposable {
  port: number;
  connections(): number;
  /** The number of the connection that carried a request of this id, last; undefined where none did. */
  carrierOf(id: string): number | undefined;
}

const idForm = /\r\nx-request-id: ?([\w.-]+)/gi;

export async function openTap(port: number): Promise<Tap> {
  const carriers = new Map<string, number>();
  let count = 0;
  const server = createServer((front) => {
    const number = ++count;
    const back = connect(port, '127.0.0.1');
    front.on('data', (bytes) => {
      for (const [, id = ''] of bytes.toString('latin1').matchAll(idForm)) carriers.set(id, number);
    });
    front.pipe(back).pipe(front);
    for (const [one, other] of [
      [front, back],
      [back, front],
    ] as const) {
      one.on('error', () => undefined).on('close', () => other.destroy());
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => count,
    carrierOf: (id) => carriers.get(id),
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}
