import { fieldErrorCodes } from '../src/errors.ts';
import { errorBody, type HttpErrorCode, httpErrorCodes, messageOf, statusOf } from '../src/http/errors.ts';

/** The parts of the OpenAPI document that all operations share. */

const FieldErrorSchema = {
  type: 'object',
  required: ['field', 'code', 'message'],
  properties: {
    field: { type: 'string', maxLength: 255, pattern: '^.+$' },
    code: {
      type: 'string',
      maxLength: 64,
      pattern: '^[a-z_]+$',
      description: `One of ${fieldErrorCodes.join(', ')}. The set may grow.`,
    },
    message: { type: 'string', maxLength: 1_000, pattern: '^.+$' },
  },
};

/** What is answered before a request has reached an operation. */
const outside: readonly HttpErrorCode[] = [
  'unknown_path',
  'method_not_allowed',
  'payload_too_large',
  'expectation_failed',
];

/** Every answer that is not a success, with these codes and those that no operation gives. */
export function failureSchema(codes: readonly HttpErrorCode[]): object {
  const possible = httpErrorCodes.filter((code) => codes.includes(code) || outside.includes(code));
  const elsewhere = outside.map((code) => `\`${code}\` (${statusOf(code)})`).join(', ');
  return {
    type: 'object',
    required: ['status', 'message', 'code', 'request_id'],
    properties: {
      status: { type: 'string', enum: ['error'] },
      message: { type: 'string', minLength: 1, maxLength: 1_000, pattern: '^.+$', description: 'For a person.' },
      code: {
        type: 'string',
        enum: possible,
        description: `For a program. The set may grow. Before a request reaches an operation it may get ${elsewhere}.`,
      },
      request_id: {
        type: 'string',
        maxLength: 128,
        pattern: '^[A-Za-z0-9._-]+$',
        description: 'As in X-Request-Id.',
      },
      errors: {
        type: 'array',
        items: FieldErrorSchema,
        maxItems: 20,
        description: 'One entry for each wrong field or parameter; only with 422.',
      },
      existing: {
        type: 'array',
        items: { type: 'string', minLength: 1, maxLength: 64, pattern: '^.+$' },
        maxItems: 100,
        description: 'Ids of the things in conflict, a hundred at most; only with 409.',
      },
      merged_into: {
        type: 'string',
        minLength: 1,
        maxLength: 255,
        pattern: '^.+$',
        description: 'The id of the contact that stays; only with 410 of a merged one.',
      },
    },
    title: 'Failure',
    description: 'Every answer that is not a success.',
  };
}

function header(description: string, pattern: string, maxLength: number): object {
  return { schema: { type: 'string', pattern, maxLength }, description };
}

function number(description: string, maximum: number, format = 'int32'): object {
  return { schema: { type: 'integer', format, minimum: 0, maximum }, description };
}

const groups = {
  standing: {
    'Cache-Control': header('Always: answers may hold personal data.', '^private, no-store$', 32),
    'X-Request-Id': header("The request's id: the caller's own where it is acceptable.", '^[A-Za-z0-9._-]+$', 128),
  },
  limit: {
    'X-RateLimit-Limit': number(
      'Maximum requests per minute: for the key, or for all keys of the project if they have fewer left.',
      2_147_483_647,
    ),
    'X-RateLimit-Remaining': number('Requests left in this window.', 2_147_483_647),
    'X-RateLimit-Reset': number('When the window ends, in Unix seconds.', 4_294_967_295, 'int64'),
  },
  created: { Location: header('Where the new thing is.', '^/v2/.+$', 2_048) },
  etag: {
    ETag: header(
      'Strong tag of this answer. The tag of one thing begins with its revision, which every change of the thing moves: send it as If-Match.',
      '^"([0-9]+\\.)?[A-Za-z0-9_-]+"$',
      64,
    ),
  },
  canonical: { Link: header('The contact that stays.', '^</v2/.+>; rel="canonical"$', 2_048) },
  retry: { 'Retry-After': number('Seconds to wait.', 3_600) },
  challenge: { 'WWW-Authenticate': header('RFC 6750.', '^Bearer .+$', 255) },
} as const;

/** The headers of these groups, by names separated by spaces. */
export function headers(names: string): Record<string, object> {
  return Object.assign({}, ...names.split(' ').map((name) => groups[name as keyof typeof groups])) as Record<
    string,
    object
  >;
}

const groupsOf: Partial<Record<HttpErrorCode, string>> = {
  unauthenticated: 'challenge',
  insufficient_scope: 'challenge limit',
  not_found: 'limit',
  conflict: 'limit',
  ambiguous_match: 'limit',
  cursor_expired: 'limit',
  merged: 'limit canonical',
  payload_too_large: 'limit',
  unsupported_media_type: 'limit',
  seats_exhausted: 'limit',
  chatbots_exhausted: 'limit',
  contacts_exhausted: 'limit',
  owner_protected: 'limit',
  precondition_failed: 'limit',
  idempotency_key_reused: 'limit',
  idempotency_in_progress: 'retry limit',
  validation_failed: 'limit',
  rate_limited: 'retry limit',
  unavailable: 'retry',
};

/** The headers that an error has beside the standing ones. */
function challenged(code: HttpErrorCode, isLimited: boolean): Record<string, object> {
  const names = groupsOf[code]?.split(' ').filter((name) => isLimited || name !== 'limit') ?? [];
  return names.length === 0 ? {} : headers(names.join(' '));
}

/** An error as an example. */
function exampleOf(code: HttpErrorCode): object {
  const errors =
    code === 'validation_failed'
      ? [{ field: 'per_page', code: 'too_large' as const, message: 'must be at most 100' }]
      : undefined;
  return errorBody(code, '9f0c1b7e-4c3f-4d55-8a52-0f4c7f0c2a11', { errors });
}

/** What the message leaves out. */
const explanations: Partial<Record<HttpErrorCode, string>> = {
  unauthenticated: 'No key was sent, or it is malformed, unknown, expired or revoked: one answer for all.',
  insufficient_scope: 'The message and WWW-Authenticate name the scope.',
  not_found: 'What belongs to another project is not found either.',
  cursor_expired: 'Events after it are no longer kept, or it is from before a restore or a copy.',
  malformed_request: 'The message names the mistake, and its byte in the body, from 0.',
  validation_failed: '`errors` names each wrong parameter, and the message explains the first.',
  rate_limited: 'Wait for the seconds in Retry-After.',
  internal: 'The log of the service has the cause, under the request id.',
  unavailable: 'Nothing was stored; try again after the seconds in Retry-After.',
};

function describe(code: HttpErrorCode): string {
  return [`${messageOf(code)}.`, explanations[code]].filter(Boolean).join(' ');
}

function schemaOf(codes: readonly HttpErrorCode[]): object {
  const code = { type: 'string', enum: codes };
  return { allOf: [{ $ref: '#/components/schemas/Failure' }, { properties: { code } }] };
}

/** What any operation may answer. */
export const always: HttpErrorCode[] = [
  'malformed_request',
  'request_timeout',
  'uri_too_long',
  'headers_too_large',
  'internal',
  'unavailable',
];

/** The responses of these errors. Several errors of one status share one response. */
export function errorResponses(codes: readonly HttpErrorCode[], isLimited = true): Record<string, object> {
  const responses: Record<string, object> = {};
  for (const status of new Set(codes.map(statusOf))) {
    const ofStatus = [...new Set(codes)].filter((code) => statusOf(code) === status);
    const [first = 'internal'] = ofStatus;
    responses[status] = {
      description: ofStatus.map(describe).join(' Or: '),
      headers: { ...headers('standing'), ...challenged(first, isLimited) },
      content: { 'application/json': { schema: schemaOf(ofStatus), example: exampleOf(first) } },
    };
  }
  return responses;
}
