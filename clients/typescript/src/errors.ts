import type { ErrorCode, FieldError } from './generated/types.ts';

export interface ErrorDetails {
  status: number;
  code?: string | undefined;
  requestId?: string | undefined;
  fieldErrors?: FieldError[] | undefined;
  existing?: string[] | undefined;
  retryAfter?: number | undefined;
}

/** The server has answered, and not with success. */
export class RosterError extends Error {
  override readonly name = 'RosterError';
  readonly status: number;
  /** For a program; undefined where the answer has none, as from a proxy or from Chatling. The set may grow. */
  readonly code: ErrorCode | (string & {}) | undefined;
  /** To be quoted to the operator of the server. */
  readonly requestId: string | undefined;
  /** What is wrong with the request, field by field: with 422. */
  readonly fieldErrors: readonly FieldError[];
  /** The ids of what is in the way: with 409. */
  readonly existing: readonly string[];
  /** For how many seconds to wait: with 429 and 503. */
  readonly retryAfter: number | undefined;

  constructor(message: string, details: ErrorDetails) {
    super(message);
    this.status = details.status;
    this.code = details.code;
    this.requestId = details.requestId;
    this.fieldErrors = details.fieldErrors ?? [];
    this.existing = details.existing ?? [];
    this.retryAfter = details.retryAfter;
  }
}

/** There is no answer, or not a whole one: `cause` has why. What was asked for may have been done. */
export class RosterConnectionError extends Error {
  override readonly name: string = 'RosterConnectionError';
}

/** There was no whole answer in time. What was asked for may have been done. */
export class RosterTimeoutError extends RosterConnectionError {
  override readonly name = 'RosterTimeoutError';
}
