import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** What happens to a connection when the text in question is sent; a function is called, and the text goes on. */
type Fate = 'cut before it arrives' | 'cut before its answer' | 'silent from then on' | (() => void);

export interface Proxy extends AsyncDisposable {
  /** The URL of the server behind, by way of the proxy. */
  url: string;
  /** From now on, a connection that sends this text meets its fate. */
  on(text: string, fate: Fate): void;
  /** Cuts all connections. */
  cut(): void;
  /** Cuts all connections, and leads the next ones to another server. */
  leadTo(other: { port: number }): void;
}

/** Stands between a program and its PostgreSQL, and loses connections at a chosen moment. */
export async function startProxy(url: string): Promise<Proxy> {
  const { hostname, port: ownPort } = new URL(url);
  let port = Number(ownPort);
  const sockets = new Set<Socket>();
  let trap: { text: string; fate: Fate } | undefined;
  const cut = () => sockets.forEach((socket) => socket.destroy());
  const server = createServer((client) => {
    const behind = connect(port, hostname);
    let isCaught = false;
    for (const socket of [client, behind]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    }
    client
      .on('close', () => behind.end())
      .on('data', (data) => {
        isCaught = trap !== undefined && data.includes(trap.text);
        if (isCaught && trap?.fate === 'cut before it arrives') return cut();
        behind.write(data);
        if (!isCaught || typeof trap?.fate !== 'function') return;
        isCaught = false;
        trap.fate();
      });
    behind
      .on('close', () => client.destroy())
      .on('data', (data) => {
        if (!isCaught) client.write(data);
        else if (trap?.fate === 'cut before its answer') cut();
      });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const own = new URL(url);
  own.port = String((server.address() as AddressInfo).port);
  return {
    url: own.href,
    on: (text, fate) => (trap = { text, fate }),
    cut,
    leadTo: (other) => {
      ({ port } = other);
      cut();
    },
    [Symbol.asyncDispose]: async () => {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
