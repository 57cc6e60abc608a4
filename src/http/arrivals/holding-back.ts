import type { Socket } from 'node:net';

const releasedEveryMs = 10;
/** 2,500 a second: to turn all of those away again takes a tenth of a core. */
const releasedTogether = 25;
/** No longer than what `Retry-After` told them, and a bit. */
const heldMaxMs = 2_000;

/**
 * Leaves unread for a while what comes on a connection that was turned away. To turn a request away costs nearly as much
 * as to answer it, so callers who ask again at once would leave nothing for the others: a thousand of them took nine
 * tenths of the good answers. Some 100 connections are read again within 40 ms, a thousand within 400; who waits
 * as long as `Retry-After` says meets none of this.
 */
export function openHoldingBack(): { hold(socket: Socket): void; stop(): void } {
  const held = new Map<Socket, number>();
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
  };
  const release = () => {
    let released = 0;
    const dueBefore = performance.now() - heldMaxMs;
    for (const [socket, since] of held) {
      if (++released > releasedTogether && since > dueBefore) break;
      held.delete(socket);
      socket.resume();
    }
    if (held.size === 0) stop();
  };
  return {
    hold: (socket) => {
      if (held.has(socket)) return;
      held.set(socket, performance.now());
      // Node itself goes on reading once the request is complete.
      setImmediate(() => held.has(socket) && socket.pause());
      timer ??= setInterval(release, releasedEveryMs).unref();
    },
    stop: () => {
      for (const socket of held.keys()) socket.resume();
      held.clear();
      stop();
    },
  };
}
