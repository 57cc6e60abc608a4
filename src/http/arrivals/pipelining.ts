import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

declare module 'node:net' {
  interface Socket {
    /** What `bytesRead` was when the last request came that waits behind another, and how many of those came in these bytes. */
    readUpTo?: number;
    waitingOfRead?: number;
  }
}

/** Requests behind each other in what is read of a connection at once. */
const ofOneReadMax = 256;
/** So many together that came behind others in one turn, and then only a few on each connection. */
const ofOneTurnMax = 2_048;
const ofOneReadMaxThen = 8;

/**
 * Bounds what comes on connections before it can be answered. 64 KiB that are read at once may be 3,000 requests, of
 * which Node makes objects of 2 KB and keeps them until the turn of the event loop is over: 64 MB over a thousand
 * connections took four gigabytes, and the process with them.
 */
export function openPipelining() {
  let ofTurn = 0;
  const newTurn = () => void (ofTurn = 0);
  return {
    /** Whether the request is to be left alone: its connection is ended, if it was not already. */
    isTooMuch: ({ socket }: IncomingMessage, response: ServerResponse): boolean => {
      if (socket.destroyed) return true;
      // It has a socket once all that came before it are answered.
      if (response.socket !== null) return false;
      const { bytesRead } = socket;
      if (socket.readUpTo !== bytesRead) {
        socket.readUpTo = bytesRead;
        socket.waitingOfRead = 0;
      }
      if (ofTurn++ === 0) setImmediate(newTurn);
      const waiting = (socket.waitingOfRead ?? 0) + 1;
      socket.waitingOfRead = waiting;
      if (waiting < (ofTurn > ofOneTurnMax ? ofOneReadMaxThen : ofOneReadMax)) return false;
      leaveUnread(socket);
      socket.destroy();
      return true;
    },
  };
}

/** What Node's parser is told where the rest belongs to another protocol. */
const restIsNotHttp = 2;

/** Node would parse all that has been read of a connection that is gone. It has no word for this, and no harm comes of it where it is passed over. */
function leaveUnread(socket: Socket): void {
  const { parser } = socket as Socket & { parser?: { onIncoming?: unknown } | null };
  if (parser) parser.onIncoming = () => restIsNotHttp;
}
