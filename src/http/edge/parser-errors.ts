import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

import type { HttpErrorCode } from '../errors.ts';
import type { Answers } from './answers.ts';
import type { ClientConnection, Connections, LastAnswer } from './connections.ts';

const codeOfParserError: Readonly<Record<string, HttpErrorCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'payload_too_large',
};

export function answerParserErrors(server: Server, connections: Connections, answers: Answers): void {
  server.on('clientError', (error: NodeJS.ErrnoException, stream: Duplex) => {
    const connection = connections.of(stream);
    if (!connection || error.code === 'ECONNRESET') stream.destroy();
    else endAfterAnswers(connection, lastAnswer(connection, error.code, answers));
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    if (connections.track(request, response)) answers.reject(response, 'expectation_failed');
  });
  server.on('connect', (request: IncomingMessage, stream: Duplex) => {
    const { socket } = request;
    // Node has let go of both, and an error without a listener would end the process.
    for (const one of new Set([stream, socket])) one.on('error', () => undefined);
    const connection = connections.of(socket);
    const send = () => answers.rejectRaw(socket, 'method_not_allowed', request, ['allow', 'GET, HEAD']);
    if (connection) endAfterAnswers(connection, { send });
  });
}

export function sendLast({ socket, answers: [first], last }: ClientConnection): void {
  if (!last || !socket.writable) return;
  if (first && (first.req !== last.inPlaceOf || first.headersSent)) return;
  if (!first && last.inPlaceOf) socket.end();
  else last.send();
}

// Node's parser repeats its error for each packet that follows: only the first counts.
function endAfterAnswers(connection: ClientConnection, last: LastAnswer): void {
  if (connection.last || !connection.socket.writable) return;
  connection.last = last;
  sendLast(connection);
}

function lastAnswer({ socket, body }: ClientConnection, parserError = '', answers: Answers): LastAnswer {
  // RFC 9112 §9.6: what follows the last request is ignored.
  if (parserError === 'HPE_CLOSED_CONNECTION') return { send: () => socket.end() };
  const code = codeOfParserError[parserError] ?? 'malformed_request';
  const inPlaceOf = body?.request.complete === false ? body.request : undefined;
  return { inPlaceOf, send: () => answers.rejectRaw(socket, code) };
}
