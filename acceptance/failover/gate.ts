import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy that can be shut: it cuts its connections and answers no new ones, like a broken cable. */
export interface Gate extends AsyncDisposable {
  port: number;
  shut(): void;
  open(): void;
}

export async function openGate(port: number): Promise<Gate> {
  const sockets = new Set<Socket>();
  let isShut = false;
  const clear = () => sockets.forEach((socket) => socket.destroy());
  const server = createServer((client) => {
    const behind = isShut ? undefined : connect(port, '127.0.0.1');
    for (const socket of behind ? [client, behind] : [client]) {
      sockets.add(socket);
      socket.setNoDelay(true).on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
    }
    if (!behind) return;
    client.pipe(behind).on('close', () => client.destroy());
    behind.pipe(client).on('close', () => behind.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    shut: () => {
      isShut = true;
      clear();
    },
    open: () => {
      isShut = false;
      clear();
    },
    [Symbol.asyncDispose]: async () => {
      const closed = once(server.close(), 'close');
      clear();
      await closed;
    },
  };
}
