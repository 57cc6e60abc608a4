import { RosterConnectionError, RosterError } from './errors.ts';
import type { Operation } from './operation.ts';
import { backoffMs } from './pause.ts';

const busy = new Set([408, 429, 502, 503, 504]);
const busyCodes = new Set(['outcome_unknown', 'idempotency_in_progress']);
/** With these Roster says that nothing was done. */
const undoneCodes = new Set(['unavailable', 'idempotency_in_progress']);
/** Where 429 does not say for how long, as from Chatling: five of them are longer than a window of a minute. */
const limitedMs = 15_000;

/** Milliseconds until the attempt after this one; undefined where the server asks for more than the bound. */
export function pauseAfter(error: unknown, attempt: number, maxMs: number): number | undefined {
  const { status, retryAfter }: Partial<RosterError> = error instanceof RosterError ? error : {};
  if (retryAfter !== undefined && retryAfter * 1000 > maxMs) return undefined;
  // The jitter on top keeps callers apart that were told the same.
  if (retryAfter !== undefined) return retryAfter * 1000 + Math.min(backoffMs(1), maxMs);
  return Math.min(status === 429 ? limitedMs + backoffMs(1) : backoffMs(attempt), maxMs);
}

/** Whether the request may be sent again after this error. */
export function isRepeatable(error: unknown, repeats: Operation['repeats']): boolean {
  if (repeats === 'never') return isUndone(error);
  if (error instanceof RosterConnectionError) return true;
  return error instanceof RosterError && (busy.has(error.status) || busyCodes.has(error.code ?? ''));
}

/** Whether the server says that it has done nothing. Otherwise it may have. */
export function isUndone(error: unknown): boolean {
  return error instanceof RosterError && (error.status === 429 || undoneCodes.has(error.code ?? ''));
}

/** To the repeat of a DELETE whose first answer was lost: what was asked for is so. */
export function isGone(error: unknown): error is RosterError {
  return error instanceof RosterError && error.status === 404 && error.code !== 'unknown_path';
}
