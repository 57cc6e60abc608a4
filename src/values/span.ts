import { invalid } from '../validation.ts';
import { parseDuration } from './timestamp.ts';

export const spanSchema = { type: 'string', minLength: 2, maxLength: 7, pattern: '^\\d{1,6}[smhdw]$' } as const;

/** The seconds of a span; throws `invalid` for one of more than 100 years, or of fewer seconds than `least`. */
export function requireSpan(field: string, text: string, least = 0): number {
  const seconds = /^0+[smhdw]$/.test(text) ? 0 : parseDuration(text);
  if (seconds !== undefined && seconds >= least) return seconds;
  throw invalid([{ field, code: 'format', message: 'must be a span such as 24h or 90d, of 100 years at most' }]);
}
