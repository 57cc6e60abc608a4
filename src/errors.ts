/**
 * What can go wrong in the domain, by whom it is mended:
 * the caller (`invalid`, `conflict`, `not_found`), the operator (`settings`, `unavailable`,
 * `input_output`), or us (anything that is not an AppError).
 */
export type ErrorCode = 'conflict' | 'input_output' | 'invalid' | 'not_found' | 'settings' | 'unavailable';

/** A failure that was foreseen. Its message is one sentence for a person and never holds personal data or a key. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
