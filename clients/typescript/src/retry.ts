import { RosterConnectionError, RosterError } from './errors.ts';
import type { Operation } from './operation.ts';
import { backoffMs } from './pause.ts';

const busy = new Set([408, 429, 502, 503, 504]);
const busyCodes = new Set(['outcome_unknown', 'idempotency_in_progress']);
/** These codes say that Roster changed nothing. */
const undoneCodes = new Set(['unavailable', 'idempotency_in_progress']);
/** For a 429 without Retry-After, as from Chatling: five such pauses outlast a one-minute window. */
const limitedMs = 15_000;

/** Milliseconds until the next attempt; undefined if the server asks for more than `maxMs`. */
export function pauseAfter(error: unknown, attempt: number, maxMs: number): number | undefined {
  const { status, retryAfter }: Partial<RosterError> = error instanceof RosterError ? error : {};
  if (retryAfter !== undefined && retryAfter * 1000 > maxMs) return undefined;
  // Jitter on top: many clients may have the same Retry-After.
  if (retryAfter !== undefined) return retryAfter * 1000 + Math.min(backoffMs(1), maxMs);
  return Math.min(status === 429 ? limitedMs + backoffMs(1) : backoffMs(attempt), maxMs);
}

/** Whether the request may be sent again after this error. */
export function isRepeatable(error: unknown, repeats: Operation['repeats']): boolean {
  if (repeats === 'never') return isUndone(error);
  if (error instanceof RosterConnectionError) return true;
  return error instanceof RosterError && (busy.has(error.status) || busyCodes.has(error.code ?? ''));
}

/** Whether the server says that it changed nothing; after other errors it may have. */
export function isUndone(error: unknown): boolean {
  return error instanceof RosterError && (error.status === 429 || undoneCodes.has(error.code ?? ''));
}

/** Whether a retried DELETE may count as done, because the thing no longer exists. */
export function isGone(error: unknown): error is RosterError {
  return error instanceof RosterError && error.status === 404 && error.code !== 'unknown_path';
}
