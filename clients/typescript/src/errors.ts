import type { ErrorCode, FieldError } from './generated/types.ts';

export interface ErrorDetails {
  status: number;
  code?: string | undefined;
  requestId?: string | undefined;
  fieldErrors?: FieldError[] | undefined;
  existing?: string[] | undefined;
  mergedInto?: string | undefined;
  retryAfter?: number | undefined;
}

/** The server answered with an error. */
export class RosterError extends Error {
  override readonly name = 'RosterError';
  readonly status: number;
  /** The code of the error; undefined in answers of proxies and of Chatling, which have none. The set may grow. */
  readonly code: ErrorCode | (string & {}) | undefined;
  /** Quote it when you ask the operator of the server about the error. */
  readonly requestId: string | undefined;
  /** With 422: the errors of the request, field by field. */
  readonly fieldErrors: readonly FieldError[];
  /** With 409: the ids of the contacts or members that conflict. */
  readonly existing: readonly string[];
  /** With 410 `merged`: the id of the contact that stays. */
  readonly mergedInto: string | undefined;
  /** With 429 and 503: how many seconds to wait. */
  readonly retryAfter: number | undefined;

  constructor(message: string, details: ErrorDetails) {
    super(message);
    this.status = details.status;
    this.code = details.code;
    this.requestId = details.requestId;
    this.fieldErrors = details.fieldErrors ?? [];
    this.existing = details.existing ?? [];
    this.mergedInto = details.mergedInto;
    this.retryAfter = details.retryAfter;
  }
}

/** No complete answer came; `cause` says why. The server may still have made the change. */
export class RosterConnectionError extends Error {
  override readonly name: string = 'RosterConnectionError';
}

/** No complete answer came in time. The server may still have made the change. */
export class RosterTimeoutError extends RosterConnectionError {
  override readonly name = 'RosterTimeoutError';
}
