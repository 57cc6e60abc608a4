import { getRandomValues, randomInt } from 'node:crypto';

import { v7 } from 'uuid';

export const idLengthMax = 64;

// One system call for each id would take a seventh of an import's time.
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

/** A lower-case UUIDv7 that sorts by creation, also within a millisecond of this process. */
export function newId(): string {
  const random = sixteenRandomBytes();
  const nowMs = Math.max(Date.now(), lastMs);
  // Starts in the lower half, so that counting cannot overflow.
  sequence = nowMs === lastMs ? sequence + 1 : randomInt(0, 2 ** 31);
  lastMs = nowMs;
  return v7({ random, msecs: nowMs, seq: sequence });
}

export function newChatbotId(): string {
  return String(randomInt(1_000_000_000, 10_000_000_000));
}

/** Whether the text is an id: 1 to 64 code points that both engines can store. */
export function isId(text: string): boolean {
  return text !== '' && isStorable(text) && hasAtMost(text, idLengthMax);
}

const maybeUnstorable = /[\0\uD800-\uDFFF]/;

/** PostgreSQL stores neither U+0000 nor lone surrogates. */
export function isStorable(text: string): boolean {
  return !maybeUnstorable.test(text) || (!text.includes('\0') && text.isWellFormed());
}

/** Counts code points. */
export function hasAtMost(text: string, max: number): boolean {
  return text.length <= max || (text.length <= max * 2 && Array.from(text).length <= max);
}
