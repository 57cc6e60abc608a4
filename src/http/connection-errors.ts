import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import type { FastifyBaseLogger } from 'fastify';

import { logRefusal } from './access-log.ts';
import { type FailureCode, failureBody, statusOf } from './failures.ts';
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
  log: FastifyBaseLogger,
): void {
  // An answer that has begun cannot be taken back, and a caller that is gone needs none.
  const answering = (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage;
  if (error.code === 'ECONNRESET' || !socket.writable || answering?.headersSent === true) {
    socket.destroy();
    return;
  }
  endWith(socket, answer(codeOfParserError[error.code ?? ''] ?? 'malformed_request', newRequestId(), log));
}

/** Puts our answers in the place of those that Node's server gives by itself. */
export function answerForNode(server: Server, log: FastifyBaseLogger): void {
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const { status, head, body } = answer('expectation_failed', requestId(request), log);
    response.writeHead(status, head).end(body);
  });
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    endWith(socket, answer('method_not_allowed', newRequestId(), log, { allow: 'GET, HEAD' }));
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
  log: FastifyBaseLogger,
  headers: Record<string, string> = {},
): Answer {
  const status = statusOf(code);
  const body = JSON.stringify(failureBody(code, id));
  logRefusal(log, id, status);
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
