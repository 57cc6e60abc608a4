import { getRandomValues, randomInt } from 'node:crypto';

import { v7 } from 'uuid';

export const idLengthMax = 64;

// Asking the system for sixteen bytes at a time is a seventh of an import's time.
const pool = new Uint8Array(4_096);
let pooled = 0;

function sixteenRandomBytes(): Uint8Array {
  if (pooled === 0) getRandomValues(pool);
  const bytes = pool.slice(pooled, pooled + 16);
  pooled = (pooled + 16) % pool.length;
  return bytes;
}

let lastMs = 0;
let sequence = 0;

/** A lower-case UUIDv7: sorts by time of creation in every collation, also within a millisecond of this process. */
export function newId(): string {
  const random = sixteenRandomBytes();
  const nowMs = Math.max(Date.now(), lastMs);
  // A new millisecond starts somewhere in the lower half, so that counting on cannot run over.
  sequence = nowMs === lastMs ? sequence + 1 : randomInt(0, 2 ** 31);
  lastMs = nowMs;
  return v7({ random, msecs: nowMs, seq: sequence });
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

const maybeUnstorable = /[\0\uD800-\uDFFF]/;

/** Whether both engines can keep the text unchanged. */
export function isStorable(text: string): boolean {
  return !maybeUnstorable.test(text) || (!text.includes('\0') && text.isWellFormed());
}

/** Whether the text has at most `max` characters, counted as code points. */
export function hasAtMost(text: string, max: number): boolean {
  return text.length <= max || (text.length <= max * 2 && Array.from(text).length <= max);
}
