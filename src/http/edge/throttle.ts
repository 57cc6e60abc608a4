import type { ClientConnection } from './connections.ts';

/** Reads one connection a millisecond: shedding each again takes a tenth of a core. */
const readAgainPerMs = 1;
const heldMinMs = 10;
/** Shorter than Retry-After: a client that honours it is never throttled. */
const heldMaxMs = 900;

/** Leaves connections unread for a moment: shedding a thousand that ask again at once takes most of the answers. */
export function createThrottle() {
  let held = 0;
  const release = (connection: ClientConnection) => {
    if (!connection.isHeld) return;
    connection.isHeld = false;
    held--;
    connection.socket.resume();
  };
  return {
    hold: (connection: ClientConnection): void => {
      if (connection.isHeld) return;
      connection.isHeld = true;
      const heldMs = Math.min(heldMinMs + held++ / readAgainPerMs, heldMaxMs);
      // Node itself resumes after a request. The time begins with the pause, or a long turn would use it up.
      setImmediate(() => {
        if (!connection.isHeld) return;
        connection.socket.pause();
        setTimeout(release, heldMs, connection).unref();
      });
    },
    release,
  };
}
