import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import type { Log } from '../../observability/access-log.ts';
import type { Limits } from './limits.ts';

const warnEveryMs = 60_000;

export interface ClientConnection {
  readonly socket: Socket;
  readonly answers: ServerResponse[];
  requests: number;
  body: { request: IncomingMessage; since: number; readBefore: number } | undefined;
  /** Since when its reader, or the end of the other side, is waited for. */
  waiting: { since: number; taken: number } | undefined;
  last: LastAnswer | undefined;
  isFlooding: boolean;
  isHeld: boolean;
}

export interface LastAnswer {
  /** The request with a broken body, in place of whose answer this is sent. */
  inPlaceOf?: IncomingMessage | undefined;
  send(): void;
}

export function openConnections(
  server: Server,
  limits: Limits,
  onSent: (connection: ClientConnection, response: ServerResponse) => void,
) {
  const open = new Map<Duplex, ClientConnection>();
  let unsent = 0;
  let pipelinedOfTurn = 0;
  // One listener for all connections, and one for all responses, save a closure for each.
  const onClose = function (this: Socket) {
    unsent -= open.get(this)?.answers.splice(0).length ?? 0;
    open.delete(this);
  };
  server.on('connection', (socket: Socket) => {
    open.set(socket, newConnection(socket));
    socket.on('close', onClose);
  });
  const onFinish = function (this: ServerResponse) {
    const connection = open.get(this.req.socket);
    const index = connection?.answers.indexOf(this) ?? -1;
    if (!connection || index === -1) return;
    connection.answers.splice(index, 1);
    unsent--;
    onSent(connection, this);
  };
  const pipelinedMax = () => {
    if (pipelinedOfTurn++ === 0) setImmediate(() => (pipelinedOfTurn = 0));
    return pipelinedOfTurn > limits.pipelinedOfTurnMax ? limits.pipelinedMaxThen : limits.pipelinedMax;
  };
  return {
    of: (socket: Duplex) => open.get(socket),
    all: () => open.values(),
    unsent: () => unsent,
    /** Returns the connection of a request; undefined where it has ended, or ends as too much is pipelined. */
    track: (request: IncomingMessage, response: ServerResponse): ClientConnection | undefined => {
      const { socket } = request;
      if (socket.destroyed) return undefined;
      const connection = open.get(socket);
      // A request that a test injects has no connection.
      if (!connection) return newConnection(socket);
      const { answers } = connection;
      if (answers.length > 0 && answers.length >= pipelinedMax()) {
        stopParsing(socket);
        socket.destroy();
        return undefined;
      }
      answers.push(response);
      unsent++;
      response.on('finish', onFinish);
      if (++connection.requests >= limits.requestsOfConnectionMax) endWith(response);
      if (hasBody(request)) {
        connection.body = { request, since: performance.now(), readBefore: socket.bytesRead };
      }
      return connection;
    },
  };
}

export type Connections = ReturnType<typeof openConnections>;

export function limitConnections(server: Server, { connectionsMax }: Limits, log: Pick<Log, 'warn'>): void {
  let warnedAt = -Infinity;
  Object.assign(server, { maxConnections: connectionsMax, dropMaxConnection: true });
  server.on('drop', () => {
    if (performance.now() - warnedAt < warnEveryMs) return;
    warnedAt = performance.now();
    log.warn({ connections: connectionsMax }, 'too many connections: more are closed as they come');
  });
}

export function endWith(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}

function newConnection(socket: Socket): ClientConnection {
  const none = { body: undefined, waiting: undefined, last: undefined };
  return { socket, answers: [], requests: 0, ...none, isFlooding: false, isHeld: false };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return (headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding'] !== undefined;
}

/** Private properties of Node, for which it has nothing public. If they go, both functions still do no harm. */
interface Internals {
  _handle?: { bytesWritten: number; writeQueueSize: number } | null;
  parser?: { onIncoming: unknown } | null;
}

/** Bytes that the system has taken; `writableLength` tells nothing of a large write before all of it is taken. */
export function bytesTaken(socket: Socket & Internals): number {
  const { _handle: handle } = socket;
  return handle ? handle.bytesWritten - handle.writeQueueSize : socket.bytesWritten - socket.writableLength;
}

const restIsNotHttp = 2;

/** Drops the rest of what was read. Node would parse all of it, though the connection is gone. */
function stopParsing({ parser }: Socket & Internals): void {
  if (parser) parser.onIncoming = () => restIsNotHttp;
}
