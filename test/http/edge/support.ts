import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';

import { type Arrival, type EdgeOptions, openEdge, serverOptions } from '../../../src/http/edge/edge.ts';
import { defaultLimits, type Limits } from '../../../src/http/edge/limits.ts';
import type { Answered } from '../../../src/observability/access-log.ts';
import { exchange } from '../../support/raw.ts';

type Serve = EdgeOptions['serve'];

interface Changes extends Partial<Omit<EdgeOptions, 'serve'>> {
  serve?: Serve;
  limits?: Partial<Limits>;
  nodeOptions?: Partial<typeof serverOptions>;
}

export const get = (path: string, ...headers: string[]) =>
  `GET ${path} HTTP/1.1\r\n${['Host: x', ...headers].join('\r\n')}\r\n\r\n`;
export const bearer = (token: string) => `Authorization: Bearer ${token}`;

/** Answers with the path, unless an answer is given already. */
export const echo: Serve = ({ request, response }) => {
  if (response.headersSent) return;
  response.setHeader('x-request-id', String(request.headers['x-request-id'] ?? ''));
  response.end(request.url);
};

/** An edge on a real server. */
export async function openServer({ serve = echo, limits, nodeOptions, ...changes }: Changes = {}) {
  const answered: Answered[] = [];
  const warnings: string[] = [];
  const server = createServer({ ...serverOptions, ...nodeOptions });
  const options: EdgeOptions = {
    serve,
    isKnownKey: () => false,
    corsHeaders: () => [],
    onAnswered: (one) => void answered.push(one),
    isProxy: () => false,
    log: { warn: (_fields: unknown, text?: string) => void warnings.push(text ?? '') },
    ...changes,
  };
  const edge = openEdge(server, options, { ...defaultLimits, ...limits });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as { port: number };
  return {
    server,
    edge,
    port,
    answered,
    warnings,
    ask: async (...bytes: string[]) => (await exchange(port, bytes.join('')))[0],
    [Symbol.asyncDispose]: () => edge.close(),
  };
}

/** A `serve` that answers a path of `/held` only when it is let go, and keeps what has arrived. */
export function gate() {
  const opened = Promise.withResolvers<void>();
  const arrived: Arrival[] = [];
  const serve: Serve = async (arrival) => {
    arrived.push(arrival);
    if (arrival.request.url === '/held') await opened.promise;
    await echo(arrival);
  };
  return { serve, arrived, open: opened.resolve };
}

/** A connection that collects what it receives. */
export async function openClient(port: number) {
  const socket = connect(port, '127.0.0.1').setNoDelay(true);
  const client = { socket, received: '', isClosed: false };
  socket.on('data', (chunk) => (client.received += String(chunk))).on('error', () => undefined);
  socket.on('close', () => (client.isClosed = true));
  await once(socket, 'connect');
  return client;
}

/** The server's side of the next connection. */
export async function nextSocket({ server }: Pick<Awaited<ReturnType<typeof openServer>>, 'server'>): Promise<Socket> {
  const [socket] = (await once(server, 'connection')) as [Socket];
  return socket;
}
