import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import type { OnAnswered, ShedReason } from '../../observability/access-log.ts';
import { errorBody, type HttpErrorCode, statusOf } from '../errors.ts';
import { type HeaderList, jsonType, keptByNobody, requestId, standingHeaders } from '../headers.ts';
import type { Arrival } from './admission.ts';
import { STATUS_CODES } from './limits.ts';

export interface AnswersOptions {
  corsHeaders: (origin: string | undefined) => HeaderList;
  onAnswered: OnAnswered;
}

export function createAnswers({ corsHeaders, onAnswered }: AnswersOptions) {
  const render = (code: HttpErrorCode, request: IncomingMessage | undefined, headers: HeaderList) => {
    const id = request ? requestId(request) : randomUUID();
    const body = JSON.stringify(errorBody(code, id));
    const allowance = corsHeaders(request?.headers.origin);
    const ofBody = [...jsonType, 'content-length', String(Buffer.byteLength(body)), 'x-request-id', id];
    const head = [...keptByNobody, ...standingHeaders(allowance), ...ofBody, ...allowance, ...headers];
    return { id, status: statusOf(code), head, body };
  };
  return {
    shed: ({ request, response, at }: Arrival, shed: ShedReason): void => {
      const { id, status, head, body } = render('unavailable', request, ['retry-after', '1']);
      response.writeHead(status, head).end(body);
      const { method = null } = request;
      onAnswered({
        requestId: id,
        method,
        route: null,
        status,
        code: 'unavailable',
        durationMs: performance.now() - at,
        shed,
      });
    },
    reject: (response: ServerResponse, code: HttpErrorCode): void => {
      const { id, status, head, body } = render(code, response.req, ['connection', 'close']);
      response.writeHead(status, head).end(body);
      onAnswered({ requestId: id, method: null, route: null, status, code });
    },
    /** The same where Node has no response. Reads on: closing on unread bytes would reset the connection. */
    rejectRaw: (socket: Socket, code: HttpErrorCode, request?: IncomingMessage, headers: HeaderList = []): void => {
      const ending = ['connection', 'close', 'date', new Date().toUTCString(), ...headers];
      const { id, status, head, body } = render(code, request, ending);
      const lines = head.map((part, index) => (index % 2 === 0 ? `${part}: ` : `${part}\r\n`));
      socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`);
      socket.resume();
      onAnswered({ requestId: id, method: null, route: null, status, code });
    },
  };
}

export type Answers = ReturnType<typeof createAnswers>;
