import { InvalidArgumentError, type Option } from 'commander';

import { parseDuration } from '../values/timestamp.ts';
import { option } from './parts.ts';

export function overlapOption(says: string): Option {
  return option('--overlap <span>', says).argParser((text) => (parseSpan(text) === 0 ? '0s' : text));
}

/** Parses a span into seconds. Throws InvalidArgumentError. */
export function parseSpan(text: string): number {
  const seconds = text === '0' ? 0 : parseDuration(text);
  if (seconds !== undefined) return seconds;
  throw new InvalidArgumentError('Allowed are spans such as 30m, 24h, 90d, 2w, up to 100 years.');
}
