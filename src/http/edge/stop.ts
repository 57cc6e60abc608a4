import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';

import { type Connections, endWith } from './connections.ts';

/** Ends idle connections. Node's close() would also cut off an answer that is given and not yet sent. */
export function endIdle(server: Server, connections: Connections): void {
  if (connections.unsent() === 0) server.close();
}

/** Takes no more connections; resolves when all are closed, if need be by cutting them off. */
export async function stop(server: Server, connections: Connections, withinMs: number): Promise<void> {
  const cutOff = setTimeout(() => {
    for (const { socket } of connections.all()) socket.destroy();
  }, withinMs);
  const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
  // Two turns read all that was sent before.
  await turn();
  await turn();
  for (const { socket, answers } of connections.all()) {
    const last = answers.at(-1);
    if (last) endWith(last);
    else if (socket.bytesRead === 0) socket.destroy();
  }
  endIdle(server, connections);
  await closed;
  clearTimeout(cutOff);
}
