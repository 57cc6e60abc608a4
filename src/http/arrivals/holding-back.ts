import type { Socket } from 'node:net';

const lookedEveryMs = 10;
/** 2,500 a second: to turn all of those away again takes a tenth of a core. */
const releasedTogether = 25;
/** Less than what `Retry-After` told them, so that nobody who waits as long finds himself unread. */
const heldMaxMs = 900;

/**
 * Leaves unread for a while what comes on a connection that was turned away, or was told 429, or floods without a known
 * key. To turn a request away costs nearly as much as to answer it, so callers who ask again at once would leave nothing
 * for the others: a thousand of them took nine tenths of the good answers. Some 100 connections are read again within
 * 40 ms, a thousand within 400, and on a busy event loop, which looks seldom, spread over 900: who waits as long as
 * `Retry-After` says meets none of this.
 */
export function openHoldingBack(): { hold(socket: Socket): void; stop(): void } {
  const held = new Map<Socket, number>();
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
  };
  let lookedAt = 0;
  const release = () => {
    const now = performance.now();
    const share = Math.max(releasedTogether, (held.size * (now - lookedAt)) / heldMaxMs);
    lookedAt = now;
    let released = 0;
    for (const [socket, since] of held) {
      if (++released > share && now - since < heldMaxMs) break;
      held.delete(socket);
      socket.resume();
    }
    if (held.size === 0) stop();
  };
  return {
    hold: (socket) => {
      if (held.has(socket)) return;
      const now = performance.now();
      if (held.size === 0) lookedAt = now;
      held.set(socket, now);
      // Node itself goes on reading once the request is complete.
      setImmediate(() => held.has(socket) && socket.pause());
      timer ??= setInterval(release, lookedEveryMs).unref();
    },
    stop: () => {
      for (const socket of held.keys()) socket.resume();
      held.clear();
      stop();
    },
  };
}
