import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';

/** A server that listens on the loopback; ends with its connections. */
export async function listening(server: Server) {
  const sockets = new Set<Socket>();
  const connected = new Promise<Socket>((resolve) => {
    server.on('connection', (socket) => {
      sockets.add(socket.on('error', () => undefined));
      resolve(socket);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    address: `http://127.0.0.1:${port}`,
    connected,
    connections: () => sockets.size,
    openConnections: () => [...sockets].filter(({ destroyed }) => !destroyed).length,
    [Symbol.dispose]: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
