/** What every failure says beside its code, to the letter. */
const messages = {
  unauthenticated: [401, 'A valid API key is required, sent as Authorization: Bearer YOUR_API_KEY'],
  insufficient_scope: [403, 'The API key lacks the scope for this operation'],
  not_found: [404, 'Not found'],
  validation_failed: [422, 'The request has invalid parameters'],
  rate_limited: [429, 'Too many requests'],
} as const;

export type FailureCode = keyof typeof messages;

export interface FieldFailure {
  field: string;
  code: string;
  message: string;
}

export function failure(
  code: FailureCode,
  requestId: string,
  errors?: readonly FieldFailure[],
): { status: number; body: string } {
  const [status, message] = messages[code];
  return {
    status,
    body: JSON.stringify({
      status: 'error',
      message,
      code,
      request_id: requestId,
      ...(errors && { errors }),
    }),
  };
}
