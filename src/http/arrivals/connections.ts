import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

import type { Log } from '../../observability/access-log.ts';

/** With room for ten thousand that idle, 16 KB each; what comes beyond is closed as it comes. */
export const connectionsMax = 16_384;
/** Then the connection ends with the answer, so that one day each caller meets another process of several. */
export const requestsOfConnectionMax = 100_000;
const lookedEveryMs = 500;
/** In this time a body arrives. */
const bodyWithinMs = 9_000;
/**
 * In this time a reader takes as much of its answers as below. Where memory for sockets is short, the system takes a few
 * megabytes for him later than it takes the first: twice this and some looks stay below 15 seconds.
 */
const takenWithinMs = 6_000;
const takenBytesMin = 16_384;
/** For how long an ended connection waits for the other side to end it too. */
const lingerMs = 2_000;
const bodyBytesMax = 1_048_576;
const warnedEveryMs = 60_000;

/** What a connection was waiting for when it was first seen waiting. */
interface Waiting {
  since: number;
  /** Bytes that had been taken from us. */
  taken: number;
}

/** Ends the connections that Node leaves open for ever or for long, and holds their number. */
export function watchConnections(server: Server, log: Pick<Log, 'warn'>) {
  const open = new Set<Socket>();
  const waiting = new Map<Socket, Waiting>();
  const bodies = new Map<IncomingMessage, { since: number; readBefore: number }>();
  let warnedAt = -Infinity;

  server.maxConnections = connectionsMax;
  // Workers that are all full would pass a connection round for ever.
  Object.assign(server, { dropMaxConnection: true });
  server.on('drop', () => {
    const now = performance.now();
    if (now - warnedAt < warnedEveryMs) return;
    warnedAt = now;
    log.warn({ connections: connectionsMax }, 'too many connections: more are closed as they come');
  });
  // One function for all: ten thousand connections would have as many.
  const onClose = function (this: Socket) {
    open.delete(this);
    waiting.delete(this);
  };
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.on('close', onClose);
  });

  const lookAt = (socket: Socket, now: number) => {
    const isEnded = socket.writableFinished;
    if (socket.writableLength === 0 && !isEnded) return waiting.delete(socket);
    const taken = takenOf(socket);
    const before = waiting.get(socket);
    if (!before || taken - before.taken >= takenBytesMin) return waiting.set(socket, { since: now, taken });
    // The system would go on offering megabytes that nobody takes, if it were not told to drop them.
    if (now - before.since >= (isEnded ? lingerMs : takenWithinMs)) socket.resetAndDestroy();
    return undefined;
  };
  const lookAtBodies = (now: number) => {
    for (const [request, { since, readBefore }] of bodies) {
      const { socket, complete } = request;
      if (complete || socket.destroyed) bodies.delete(request);
      else if (now - since >= bodyWithinMs || socket.bytesRead - readBefore > bodyBytesMax) socket.destroy();
    }
  };
  const look = () => {
    const now = performance.now();
    for (const socket of open) lookAt(socket, now);
    lookAtBodies(now);
  };
  const timer = setInterval(look, lookedEveryMs).unref();

  return {
    /** Follows the body of a request, which no operation waits for: its answer is sent long before. */
    followBody: (request: IncomingMessage) => {
      const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers;
      if (length === '0' && coding === undefined) return;
      bodies.set(request, { since: performance.now(), readBefore: request.socket.bytesRead });
    },
    /** Ends all of them at once, also those that Node's server has let go of (CONNECT). */
    cutOff: () => {
      for (const socket of open) socket.destroy();
    },
    stop: () => clearInterval(timer),
  };
}

/** Bytes that the other side's system has taken; of one large write `writableLength` tells nothing before all of it has gone. */
function takenOf(socket: Socket): number {
  const { _handle: handle } = socket as Socket & {
    _handle?: { bytesWritten: number; writeQueueSize: number };
  };
  return handle ? handle.bytesWritten - handle.writeQueueSize : socket.bytesWritten - socket.writableLength;
}
