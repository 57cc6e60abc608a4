import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';

import { AppError } from '../errors.ts';
import type { Log } from '../observability/access-log.ts';
import { STATUS_CODES } from './node-http.ts';

/** The codes that callers may rely on, with the status and the sentence of each. */
const failures = {
  malformed_request: [400, 'The request is malformed'],
  unauthenticated: [401, 'A valid API key is required: Authorization: Bearer <key>'],
  insufficient_scope: [403, 'The API key lacks the scope for this operation'],
  not_found: [404, 'Not found'],
  method_not_allowed: [405, 'This path answers GET and HEAD only'],
  request_timeout: [408, 'The request took too long to arrive'],
  payload_too_large: [413, 'The request body is too large'],
  uri_too_long: [414, 'The path is too long'],
  unsupported_media_type: [415, 'The request body has an unsupported media type'],
  expectation_failed: [417, 'The expectation cannot be met'],
  validation_failed: [422, 'The request has invalid parameters'],
  rate_limited: [429, 'Too many requests'],
  headers_too_large: [431, 'The request headers are too large'],
  internal: [500, 'Internal error'],
  unavailable: [503, 'The service is not available at the moment'],
} as const;

export type FailureCode = keyof typeof failures;
export const failureCodes = Object.keys(failures) as FailureCode[];

/** What is wrong with one query parameter. */
export interface FieldFailure {
  field: string;
  code: string;
  message: string;
}

/** Thrown by hooks and handlers; everything about the answer but the request id. */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure';
  readonly code: FailureCode;
  readonly headers: Readonly<Record<string, string>>;
  readonly errors: readonly FieldFailure[] | undefined;

  constructor(
    code: FailureCode,
    headers: Readonly<Record<string, string>> = {},
    errors?: readonly FieldFailure[],
  ) {
    super(messageOf(code));
    this.code = code;
    this.headers = headers;
    this.errors = errors;
  }
}

export function statusOf(code: FailureCode): number {
  return failures[code][0];
}

export function messageOf(code: FailureCode): string {
  return failures[code][1];
}

/** The body of every failure. */
export function failureBody(code: FailureCode, requestId: string, errors?: readonly FieldFailure[]): object {
  return {
    status: 'error',
    message: messageOf(code),
    code,
    request_id: requestId,
    ...(errors && { errors }),
  };
}

/** Answers whatever was thrown; what nobody foresaw goes to the log in full and to the caller as "Internal error". */
export function failureSender(log: Log) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const failure = toFailure(error);
    const status = statusOf(failure.code);
    // A HttpFailure is an answer that was chosen; what else ends in a 5xx is somebody's to mend.
    if (status >= 500 && !(error instanceof HttpFailure)) {
      log.error({ request_id: request.id, err: error, code: failure.code }, STATUS_CODES[status]);
    }
    return sendFailure(failure, request, reply);
  };
}

/** What a malformed request was meant to be, and so where it ends, may be another's guess. */
const endsConnection: ReadonlySet<FailureCode> = new Set(['malformed_request', 'headers_too_large']);
const lastOfConnection = { connection: 'close' };

export function sendFailure(
  failure: HttpFailure,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  return reply
    .code(statusOf(failure.code))
    .headers(endsConnection.has(failure.code) ? lastOfConnection : {})
    .headers(failure.headers)
    .type('application/json; charset=utf-8')
    .send(failureBody(failure.code, request.id, failure.errors));
}

const retryAfterSeconds = 5;

/** The one place where failures of the domain and of Fastify become ours. */
function toFailure(error: unknown): HttpFailure {
  if (error instanceof HttpFailure) return error;
  if (error instanceof AppError) return ofDomain(error);
  const { statusCode = 500 } = error as Partial<FastifyError>;
  const known = failureCodes.find((one) => statusOf(one) === statusCode && statusCode !== 500);
  if (known) return new HttpFailure(known);
  return new HttpFailure(statusCode >= 400 && statusCode < 500 ? 'malformed_request' : 'internal');
}

function ofDomain({ code }: AppError): HttpFailure {
  if (code === 'not_found') return new HttpFailure('not_found');
  return code === 'unavailable' ? unavailable() : new HttpFailure('internal');
}

export function methodNotAllowed(): HttpFailure {
  return new HttpFailure('method_not_allowed', { allow: 'GET, HEAD' });
}

export function unavailable(): HttpFailure {
  return new HttpFailure('unavailable', { 'retry-after': String(retryAfterSeconds) });
}
