/**
 * Errors of the domain, by who can fix them: the caller (`invalid`, `conflict`, `not_found`), the operator
 * (`settings`, `unavailable`, `input_output`, `outcome_unknown`). Anything that is not an AppError is ours to fix.
 *
 * `unavailable` promises that nothing was stored; `outcome_unknown` says that nobody can know whether it was.
 */
export type ErrorCode =
  | 'conflict'
  | 'input_output'
  | 'invalid'
  | 'not_found'
  | 'outcome_unknown'
  | 'settings'
  | 'unavailable';

/** An expected error. Its message is one sentence for a person and never holds personal data or a key. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The commit was asked for, and its answer was lost. `reason` is a sentence without its end, with a next step. */
export function outcomeUnknown(reason: string, cause?: unknown): AppError {
  return new AppError('outcome_unknown', `The outcome is unknown: ${reason}.`, { cause });
}
