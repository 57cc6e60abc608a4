import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import type { OnAnswered } from './access-log.ts';
import { type FailureCode, failureBody, statusOf } from './failures.ts';
import { STATUS_CODES } from './node-http.ts';
import { newRequestId, requestId } from './request-id.ts';
import { standingHeaders } from './response-headers.ts';

const codeOfParserError: Record<string, FailureCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'payload_too_large',
};

/** Answers what Node's parser refuses before there is a request: in the envelope, and the connection ends. */
export function answerClientError(
  error: Error & { code?: string },
  socket: Socket,
  onAnswered: OnAnswered,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const code = codeOfParserError[error.code ?? ''] ?? 'malformed_request';
  afterAnswers(socket, () => endWith(socket, answer(code, newRequestId(), onAnswered)));
}

/**
 * Good requests may have come before what is broken: their answers come first. Where the body of the last of
 * them is what is broken, ours takes the place of its answer, or, where that has begun, the connection only ends.
 */
function afterAnswers(socket: Socket, then: () => void, last?: ServerResponse): void {
  if (!socket.writable) return;
  const { _httpMessage: answering } = socket as Socket & { _httpMessage?: ServerResponse | null };
  if (answering && (answering.req.complete || answering.headersSent)) {
    answering.once('close', () => setImmediate(() => afterAnswers(socket, then, answering)));
  } else if (last && !last.req.complete) {
    socket.end();
  } else {
    then();
  }
}

/** Puts our answers in the place of those that Node's server gives by itself. */
export function answerForNode(server: Server, onAnswered: OnAnswered): void {
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const { status, head, body } = answer('expectation_failed', requestId(request), onAnswered);
    response.writeHead(status, head).end(body);
  });
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    endWith(socket, answer('method_not_allowed', newRequestId(), onAnswered, { allow: 'GET, HEAD' }));
  });
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

function endWith(socket: Duplex, { status, head, body }: Answer): void {
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`);
}
