import { RosterConnectionError, RosterError } from './errors.ts';
import type { Operation } from './operation.ts';

const busy = new Set([408, 429, 502, 503, 504]);
const busyCodes = new Set(['outcome_unknown', 'idempotency_in_progress']);
/** With these Roster says that nothing was done. */
const undoneCodes = new Set(['unavailable', 'idempotency_in_progress']);

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
