import { AppError, type ErrorCode, type FieldError } from '../errors.ts';
import { inWords } from '../field-error.ts';
import type { HeaderList } from './headers.ts';

const httpErrors = {
  malformed_request: [400, 'The request is malformed'],
  unauthenticated: [401, 'A valid API key is required, sent as Authorization: Bearer YOUR_API_KEY'],
  insufficient_scope: [403, 'The API key lacks the scope for this operation'],
  forbidden_origin: [
    403,
    'This Host or Origin may not call this; ROSTER_PUBLIC_URL says where pages are served, and ROSTER_CORS_ORIGINS who may call /mcp',
  ],
  fresh_sign_in_required: [403, 'This needs a new proof of who you are; use your passkey, or open a new sign-in link'],
  not_found: [404, 'Not found'],
  unknown_path: [404, 'There is no such path; /docs lists those that exist'],
  method_not_allowed: [405, 'This path does not answer this method; Allow names those that it does'],
  request_timeout: [408, 'The request took too long to arrive'],
  conflict: [409, 'The request conflicts with what is stored'],
  ambiguous_match: [409, 'Several contacts match'],
  seats_exhausted: [409, 'The project has as many members as it may have'],
  chatbots_exhausted: [409, 'The project has as many chatbots as it may have'],
  contacts_exhausted: [409, 'The project has as many contacts as it may have'],
  keys_exhausted: [409, 'The project has as many usable keys as it may have; revoke one first'],
  owner_protected: [409, 'The Owner stays as they are until the ownership is handed over'],
  idempotency_in_progress: [409, 'A request with this Idempotency-Key is still running'],
  cursor_expired: [410, 'The cursor has expired; begin again with after=*'],
  merged: [410, 'This contact was merged into another one; merged_into names the contact that stays'],
  precondition_failed: [412, 'If-Match does not match what is stored'],
  payload_too_large: [413, 'The request body is too large'],
  uri_too_long: [414, 'The path is too long'],
  unsupported_media_type: [415, 'The request body must be application/json'],
  expectation_failed: [417, 'The expectation cannot be met'],
  validation_failed: [422, 'The request has invalid parameters'],
  idempotency_key_reused: [422, 'This Idempotency-Key was used for another request; a repeat is the same to the byte'],
  rate_limited: [429, 'Too many requests'],
  headers_too_large: [431, 'The request headers are too large'],
  internal: [500, 'Internal error'],
  outcome_unknown: [500, 'It is unknown whether this was stored; repeat with the same Idempotency-Key'],
  unavailable: [503, 'The service is not available at the moment'],
} as const;

export type HttpErrorCode = keyof typeof httpErrors;
export const httpErrorCodes = Object.keys(httpErrors) as HttpErrorCode[];

interface Details {
  message?: string | undefined;
  errors?: readonly FieldError[] | undefined;
  existing?: readonly string[] | undefined;
  merged_into?: string | undefined;
}

export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly code: HttpErrorCode;
  readonly headers: HeaderList;
  readonly told: Details;

  constructor(code: HttpErrorCode, headers: HeaderList = [], told: Details = {}) {
    super(told.message ?? messageOf(code));
    this.code = code;
    this.headers = headers;
    this.told = told;
  }
}

export function statusOf(code: HttpErrorCode): number {
  return httpErrors[code][0];
}

export function messageOf(code: HttpErrorCode): string {
  return httpErrors[code][1];
}

export function errorBody(
  code: HttpErrorCode,
  requestId: string,
  { message = messageOf(code), errors, existing, merged_into }: Details = {},
): object {
  return {
    status: 'error',
    message,
    code,
    request_id: requestId,
    ...(errors && { errors }),
    ...(existing && { existing }),
    ...(merged_into !== undefined && { merged_into }),
  };
}

export const challenge = 'Bearer realm="roster"';

export function lacking(scope: string, message = `The API key lacks the scope ${scope}`): HttpError {
  const parameters = `, error="insufficient_scope", scope="${scope}"`;
  return new HttpError('insufficient_scope', ['www-authenticate', challenge + parameters], { message });
}

export function unavailable(): HttpError {
  return new HttpError('unavailable', ['retry-after', '5']);
}

type Answers = Record<Exclude<ErrorCode, HttpErrorCode>, Answer> & Partial<Record<ErrorCode, Answer>>;
type Answer = (error: AppError) => HttpError;

/** Domain errors whose answer has more than their code. A message is shown only if the caller can act on it. */
const answers: Answers = {
  ambiguous_match: ({ existing }) => new HttpError('ambiguous_match', [], { existing }),
  conflict: ({ message, existing }) => new HttpError('conflict', [], { message, existing }),
  idempotency_in_progress: () => new HttpError('idempotency_in_progress', ['retry-after', '1']),
  input_output: () => new HttpError('internal'),
  insufficient_scope: ({ scope = '', message }) => lacking(scope, message),
  invalid: ({ errors = [] }) => new HttpError('validation_failed', [], { message: inWords(errors), errors }),
  merged: ({ mergedInto: { chatbotId = '', contactId = '' } = {} }) => {
    const path = `/v2/chatbots/${encodeURIComponent(chatbotId)}/contacts/${encodeURIComponent(contactId)}`;
    return new HttpError('merged', ['link', `<${path}>; rel="canonical"`], { merged_into: contactId });
  },
  settings: () => new HttpError('internal'),
  unavailable: () => unavailable(),
};

export function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (!(error instanceof AppError)) return new HttpError('internal');
  return answers[error.code]?.(error) ?? new HttpError(error.code as HttpErrorCode);
}
