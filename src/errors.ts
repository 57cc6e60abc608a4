/** The operator can fix `input_output`, `settings` and `unavailable`; the caller all others but `outcome_unknown`. */
export type ErrorCode =
  | 'ambiguous_match'
  | 'chatbots_exhausted'
  | 'conflict'
  | 'contacts_exhausted'
  /** The events after the cursor are gone, or it is of another feed. */
  | 'cursor_expired'
  | 'idempotency_in_progress'
  | 'idempotency_key_reused'
  | 'input_output'
  | 'insufficient_scope'
  | 'invalid'
  | 'keys_exhausted'
  | 'merged'
  | 'not_found'
  | 'outcome_unknown'
  | 'owner_protected'
  | 'precondition_failed'
  | 'seats_exhausted'
  | 'settings'
  /** Nothing was stored. */
  | 'unavailable';

export interface FieldError {
  /** A path such as `properties.email` or `items[3].op`. */
  field: string;
  code: FieldErrorCode;
  /** Completes a sentence that begins with the field's name: "must be …". */
  message: string;
}

export const fieldErrorCodes = [
  'required',
  'unknown',
  'type',
  'format',
  'too_short',
  'too_long',
  'too_small',
  'too_large',
  'too_many',
  'not_allowed',
  'taken',
] as const;
export type FieldErrorCode = (typeof fieldErrorCodes)[number];

interface Details extends ErrorOptions {
  errors?: readonly FieldError[];
  about?: Noun;
  existing?: readonly string[];
  scope?: string;
  mergedInto?: { readonly chatbotId: string; readonly contactId: string };
}

export type Noun =
  | 'project'
  | 'chatbot'
  | 'api_key'
  | 'contact'
  | 'merge'
  | 'member'
  | 'passkey'
  | 'session'
  | 'webhook'
  | 'cursor';

/** An error that was foreseen. Its message is a sentence for a person and never holds personal data or a key. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly errors: readonly FieldError[] | undefined;
  readonly about: Noun | undefined;
  readonly existing: readonly string[] | undefined;
  readonly scope: string | undefined;
  readonly mergedInto: Details['mergedInto'];

  constructor(
    code: ErrorCode,
    message: string,
    { errors, about, existing, scope, mergedInto, ...options }: Details = {},
  ) {
    super(message, options);
    this.code = code;
    this.errors = errors;
    this.about = about;
    this.existing = existing;
    this.scope = scope;
    this.mergedInto = mergedInto;
  }
}

export function notFound(about: Noun): AppError {
  return new AppError('not_found', `There is no ${about.replace('api_', '')} with this id`, { about });
}

export function requireFound<Thing>(thing: Thing | undefined | false, about: Noun): Thing {
  if (thing !== undefined && thing !== false) return thing;
  throw notFound(about);
}

/** Names the file in an error of the system that does not, such as one of writing. */
export function withPath(error: unknown, path: string): unknown {
  return error instanceof Error && 'syscall' in error && !('path' in error) ? Object.assign(error, { path }) : error;
}

/** The commit was asked for, and its answer was lost. `reason` is a sentence without its end, with a next step. */
export function outcomeUnknown(reason: string, cause?: unknown): AppError {
  return new AppError('outcome_unknown', `The outcome is unknown: ${reason}.`, { cause });
}
