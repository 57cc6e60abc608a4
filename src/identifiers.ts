import { randomInt } from 'node:crypto';

import { v7 } from 'uuid';

export const idLengthMax = 64;

/** A lower-case UUIDv7: sorts by time of creation, in every collation. */
export function newId(): string {
  return v7();
}

/** Ten decimal digits, the first not zero, as chatbots have them. */
export function newChatbotId(): string {
  return String(randomInt(1_000_000_000, 10_000_000_000));
}

/**
 * Ids that come from elsewhere are opaque: 1 to 64 characters (code points) of anything.
 * U+0000 and lone surrogates are the exception, as PostgreSQL can store neither.
 */
export function isId(text: string): boolean {
  return text !== '' && isStorable(text) && hasAtMost(text, idLengthMax);
}

/** Whether both engines can keep the text unchanged. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Whether the text has at most `max` characters, counted as code points. */
export function hasAtMost(text: string, max: number): boolean {
  return text.length <= max || (text.length <= max * 2 && Array.from(text).length <= max);
}
