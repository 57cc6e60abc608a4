/** What every failure says beside its code, to the letter. */
const messages = {
  malformed_request: [400, 'The request is malformed'],
  unauthenticated: [401, 'A valid API key is required, sent as Authorization: Bearer YOUR_API_KEY'],
  insufficient_scope: [403, 'The API key lacks the scope'],
  not_found: [404, 'Not found'],
  unknown_path: [404, 'There is no such path; /docs lists those that exist'],
  method_not_allowed: [405, 'This path does not answer this method; Allow names those that it does'],
  request_timeout: [408, 'The request took too long to arrive'],
  payload_too_large: [413, 'The request body is too large'],
  uri_too_long: [414, 'The path is too long'],
  unsupported_media_type: [415, 'The request body must be application/json'],
  expectation_failed: [417, 'The expectation cannot be met'],
  validation_failed: [422, 'The request has invalid parameters'],
  rate_limited: [429, 'Too many requests'],
  headers_too_large: [431, 'The request headers are too large'],
} as const;

export type FailureCode = keyof typeof messages;

export function failureCodes(status: number): FailureCode[] {
  return (Object.keys(messages) as FailureCode[]).filter((code) => messages[code][0] === status);
}

function messageOf(code: string): string {
  return messages[code as FailureCode][1];
}

export interface FieldFailure {
  field: string;
  code: string;
  message: string;
}

function inWords([first, ...more]: readonly FieldFailure[]): string {
  return `${first ? subjectOf(first) : ''} ${first?.message}${more.length === 0 ? '' : ` (and ${more.length} more)`}`;
}

/** A name that the caller made up is told in `field` alone. */
function subjectOf({ field, code }: FieldFailure): string {
  if (code === 'unknown') return `A name in ${field.replace(/\.?[^.]*$/, '') || 'the request'}`;
  return field.replace(/^(properties\.attributes)\..*/s, 'An entry of $1');
}

/** What is said beside the code where the request decides; `named` is what the answer names elsewhere. */
export function messagesOf(code: FailureCode, named = ''): string[] {
  if (code === 'insufficient_scope') return [`The API key lacks the scope ${named}`];
  if (code === 'method_not_allowed')
    return [messageOf(code), `This path does not answer this method; it answers ${named}`];
  if (code === 'unknown_path')
    return [
      messageOf(code),
      'No path has two slashes in a row; /docs lists all paths',
      'Roster keeps people only; this path of Chatling is not part of it',
    ];
  if (code !== 'malformed_request') return [messageOf(code)];
  return [messageOf(code), 'The URL is malformed; a percent sign must begin an escape of UTF-8'];
}

export function failure(
  code: FailureCode,
  requestId: string,
  errors?: readonly FieldFailure[],
  message = errors ? inWords(errors) : messageOf(code),
): { status: number; body: string } {
  const body = { status: 'error', message, code, request_id: requestId, ...(errors && { errors }) };
  return { status: messages[code][0], body: JSON.stringify(body) };
}
