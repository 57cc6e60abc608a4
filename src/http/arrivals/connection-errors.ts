import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import type { OnAnswered } from '../../observability/access-log.ts';
import { type FailureCode, failureBody, statusOf } from '../failures.ts';
import { METHODS, STATUS_CODES } from '../node-http.ts';
import { newRequestId, requestId } from '../request-id.ts';
import { standingHeaders } from '../response-headers.ts';

const codeOfParserError: Record<string, FailureCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'payload_too_large',
};

const isEnding = new WeakSet<Socket>();

/** Answers what Node's parser refuses before there is a request: in the envelope, and the connection ends. */
export function answerClientError(
  error: Error & { code?: string },
  socket: Socket,
  onAnswered: OnAnswered,
): void {
  // The answer is on its way, and destroying the socket for what came after the request could overtake it.
  if (error.code !== 'ECONNRESET' && socket.writableEnded) return;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  // Node's parser says the same again of each packet that follows.
  if (isEnding.has(socket)) return;
  isEnding.add(socket);
  // What comes after the last request is none (RFC 9112 §9.6).
  if (error.code === 'HPE_CLOSED_CONNECTION') return afterAnswers(socket, () => socket.end());
  const code = codeOfParserError[error.code ?? ''] ?? 'malformed_request';
  const { incoming } = (socket as ServerSocket).parser ?? {};
  const unfinished = incoming?.complete === false ? incoming : undefined;
  afterAnswers(socket, () => endWith(socket, answer(code, newRequestId(), onAnswered)), unfinished);
}

/** What Node's server keeps at a socket. */
interface ServerSocket extends Socket {
  _httpMessage?: ServerResponse | null;
  parser?: { incoming?: IncomingMessage | null } | null;
}

/**
 * Good requests may have come before what is broken: their answers come first. Where the body of the last of
 * them is what is broken, ours takes the place of its answer, or, where that has begun, the connection only ends.
 */
function afterAnswers(socket: ServerSocket, then: () => void, unfinished?: IncomingMessage): void {
  if (!socket.writable) return;
  const { _httpMessage: answering } = socket;
  if (answering && (answering.req !== unfinished || answering.headersSent)) {
    answering.once('close', () => setImmediate(() => afterAnswers(socket, then, unfinished)));
  } else if (!answering && unfinished) {
    socket.end();
  } else {
    then();
  }
}

/** Puts our answers in the place of those that Node's server gives by itself, and of Fastify's to odd methods. */
export function answerForNode(server: Server, onAnswered: OnAnswered): void {
  const [handle] = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    // Node's parser drops what follows an upgrade in its packet, though nothing is upgraded.
    if (isUpgrade(request)) response.shouldKeepAlive = false;
    if (known.has(request.method ?? '')) handle?.call(server, request, response);
    else respond(response, answer('malformed_request', requestId(request), onAnswered));
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    respond(response, answer('expectation_failed', requestId(request), onAnswered));
  });
  server.on('connect', (request: IncomingMessage, stream: Duplex) => {
    const { socket } = request;
    // Node has let go of both, and an error that nobody hears would end the process.
    for (const one of new Set([stream, socket])) one.on('error', () => undefined);
    const id = requestId(request);
    afterAnswers(socket, () => {
      endWith(socket, answer('method_not_allowed', id, onAnswered, { allow: 'GET, HEAD' }));
    });
  });
}

/** Without those of RTSP, which Node's parser takes too. */
const known = new Set(METHODS);

function isUpgrade({ headers }: IncomingMessage): boolean {
  return headers.upgrade !== undefined && /upgrade/i.test(headers.connection ?? '');
}

function respond(response: ServerResponse, { status, head, body }: Answer): void {
  response.writeHead(status, head).end(body);
}

interface Answer {
  status: number;
  head: Record<string, string>;
  body: string;
}

function answer(
  code: FailureCode,
  id: string,
  onAnswered: OnAnswered,
  headers: Record<string, string> = {},
): Answer {
  const status = statusOf(code);
  const body = JSON.stringify(failureBody(code, id));
  onAnswered({ requestId: id, method: null, route: null, status });
  const head = {
    date: new Date().toUTCString(),
    connection: 'close',
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': id,
    ...standingHeaders,
    ...headers,
  };
  return { status, head, body };
}

const lingerMs = 1_000;

/** Ends the connection, also where the caller never ends his side of it, and not before he can have read why. */
function endWith(socket: Socket, { status, head, body }: Answer): void {
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`);
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once('close', () => clearTimeout(timer)).resume();
}
