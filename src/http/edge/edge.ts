import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';

import type { Log, ShedReason } from '../../observability/access-log.ts';
import { type Arrival, createAdmission } from './admission.ts';
import { type AnswersOptions, createAnswers } from './answers.ts';
import { type ClientConnection, type Connections, endWith, limitConnections, openConnections } from './connections.ts';
import { type Limits, METHODS } from './limits.ts';
import { answerParserErrors, sendLast } from './parser-errors.ts';
import { watchSlow } from './slow.ts';
import { createThrottle } from './throttle.ts';

export { type Arrival, setWaiting } from './admission.ts';
export { createServer, defaultLimits, type Limits, serverOptions } from './limits.ts';

export interface EdgeOptions extends AnswersOptions {
  /** Answers one request. Settles when the answer is given or nobody waits for it; never rejects. */
  serve: (arrival: Arrival) => Promise<void> | void;
  isKnownKey: (tokenHash: string) => boolean;
  /** Trusted proxies, whose connections carry many callers and are never throttled. */
  isProxy: (address: string) => boolean;
  log: Pick<Log, 'warn'>;
}

const tooManyRequests = 429;
const knownMethods: ReadonlySet<string> = new Set(METHODS);

/** Call it before the server listens. */
export function openEdge(server: Server, options: EdgeOptions, limits: Limits) {
  const { serve, isKnownKey, isProxy, log } = options;
  const answers = createAnswers(options);
  const throttle = createThrottle();
  let isStopping = false;

  const hold = (connection: ClientConnection) => {
    const { socket } = connection;
    const isOpen = connections.of(socket) !== undefined;
    if (isOpen && !isStopping && !isProxy(socket.remoteAddress ?? '')) throttle.hold(connection);
  };
  const connections = openConnections(server, limits, (connection, { statusCode }) => {
    sendLast(connection);
    if (connection.isFlooding || statusCode === tooManyRequests) hold(connection);
    connection.isFlooding = false;
    if (isStopping) endIdle(server, connections);
  });
  const shed = (arrival: Arrival, reason: ShedReason) => {
    answers.shed(arrival, reason);
    hold(arrival.connection);
  };
  const begin = async (arrival: Arrival) => {
    arrival.stage = 'begun';
    if (isAwaited(arrival)) {
      if (!arrival.isProbe && performance.now() - arrival.at > limits.waitMaxMs) shed(arrival, 'event_loop');
      else await serve(arrival);
    }
    admission.leave(arrival);
  };
  const admission = createAdmission(limits, isKnownKey, begin);

  limitConnections(server, limits, log);
  answerParserErrors(server, connections, answers);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const connection = connections.track(request, response);
    if (!connection) return;
    // Node's parser drops what follows an upgrade in its packet, though nothing is upgraded.
    if (isStopping || isUpgrade(request)) endWith(response);
    if (!knownMethods.has(request.method ?? '')) return answers.reject(response, 'malformed_request');
    const arrival = admission.arrive(request, response, connection);
    const isFull = admission.isFullFor(arrival.client);
    if (isFull && !arrival.isProbe) return shed(arrival, 'in_flight');
    admission.enter(arrival);
    // The system accepts one connection a turn: callers that ask again at once would keep others outside.
    connection.isFlooding ||= isFull || admission.isFlood(arrival.client);
  });
  const timer = watchSlow(connections, admission, limits);

  const close = async () => {
    isStopping = true;
    for (const connection of connections.all()) throttle.release(connection);
    await stop(server, connections, limits.stopWithinMs);
    clearInterval(timer);
  };
  return { inFlight: admission.inFlight, close };
}

function isAwaited({ request, connection }: Arrival): boolean {
  const { destroyed, writableEnded } = request.socket;
  return !destroyed && !writableEnded && connection.last?.inPlaceOf !== request;
}

function isUpgrade({ headers }: IncomingMessage): boolean {
  return headers.upgrade !== undefined && /upgrade/i.test(headers.connection ?? '');
}

/** Ends idle connections. Node's close() would also cut off an answer that is given and not yet sent. */
function endIdle(server: Server, connections: Connections): void {
  if (connections.unsent() === 0) server.close();
}

async function stop(server: Server, connections: Connections, withinMs: number): Promise<void> {
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
