import { type FailureCode, failureBody, failureCodes, messageOf, statusOf } from '../failures.ts';
import { closed, list, literal, object, oneOf, type Schema, text } from './schema.ts';

const FieldFailure = object(
  {
    field: text({ maxLength: 64, pattern: '^.+$' }),
    code: text({ maxLength: 64, pattern: '^[a-z_]+$' }),
    message: text({ maxLength: 255, pattern: '^.+$' }),
  },
  closed,
);

const Failure: Schema = {
  type: 'object',
  required: ['status', 'message', 'code', 'request_id'],
  properties: {
    status: literal('error'),
    message: text({ minLength: 1, maxLength: 255, pattern: '^.+$', description: 'For a person.' }),
    code: oneOf(failureCodes, { description: 'For a program. The set may grow.' }),
    request_id: text({ maxLength: 128, pattern: '^[A-Za-z0-9._-]+$', description: 'As in X-Request-Id.' }),
    errors: list(FieldFailure, {
      maxItems: 20,
      description: 'One entry for each wrong parameter; only with 422.',
    }),
  },
  title: 'Failure',
  ...closed,
  description: 'Every answer that is not a success.',
};

const header = (description: string, pattern: string, maxLength: number) => ({
  type: 'string',
  description,
  pattern,
  maxLength,
});
const number = (description: string, maximum: number) => ({
  type: 'integer',
  format: 'int32',
  description,
  minimum: 0,
  maximum,
});

const standingHeaders = {
  'Cache-Control': header('Always: answers may hold personal data.', '^private, no-store$', 32),
  'X-Request-Id': header(
    "The request's id: the caller's own where it is acceptable.",
    '^[A-Za-z0-9._-]+$',
    128,
  ),
};
const limitHeaders = {
  'X-RateLimit-Limit': number('Requests a minute for the key.', 2_147_483_647),
  'X-RateLimit-Remaining': number('Requests left in this window.', 2_147_483_647),
  'X-RateLimit-Reset': {
    ...number('When the window ends, in Unix seconds.', 4_294_967_295),
    format: 'int64',
  },
};
const etagHeader = { ETag: header('Names this answer; strong.', '^"[A-Za-z0-9_-]+"$', 64) };
const retryHeader = { 'Retry-After': number('Seconds to wait.', 3_600) };
const challengeHeader = { 'WWW-Authenticate': header('RFC 6750.', '^Bearer .+$', 255) };

const headersOf: Partial<Record<FailureCode, object>> = {
  unauthenticated: challengeHeader,
  insufficient_scope: { ...challengeHeader, ...limitHeaders },
  not_found: limitHeaders,
  validation_failed: limitHeaders,
  rate_limited: { ...retryHeader, ...limitHeaders },
  unavailable: retryHeader,
};

/** A success schema with its headers and an example, for a guarded route. */
export function withHeaders<Answer>(schema: Schema<Answer>, example: Answer): Schema<Answer> {
  return {
    ...schema,
    headers: { ...standingHeaders, ...limitHeaders, ...etagHeader },
    examples: [example],
  };
}

/** The response to a caller that has the answer already. */
export const notModified = {
  type: 'null',
  description: 'The answer has not changed since the one whose ETag is in If-None-Match.',
  headers: { ...standingHeaders, ...limitHeaders, ...etagHeader },
};

/** What any operation may answer, whatever it does. */
const always: FailureCode[] = [
  'malformed_request',
  'request_timeout',
  'uri_too_long',
  'headers_too_large',
  'internal',
  'unavailable',
];

/** The responses of these failures by status, and those that any operation can have. */
export function failureResponses(...codes: FailureCode[]): Record<number, Schema> {
  return Object.fromEntries(
    [...codes, ...always].map((code) => [
      statusOf(code),
      {
        ...Failure,
        description: `${messageOf(code)}.`,
        headers: { ...standingHeaders, ...headersOf[code] },
        examples: [failureBody(code, '9f0c1b7e-4c3f-4d55-8a52-0f4c7f0c2a11', exampleErrors(code))],
      },
    ]),
  );
}

function exampleErrors(code: FailureCode) {
  if (code !== 'validation_failed') return undefined;
  return [
    { field: 'per_page', code: 'invalid', message: 'must be a whole number from 1 to 100, given once' },
  ];
}
