import { randomFillSync, randomInt } from 'node:crypto';

import { v7 } from 'uuid';

export const idLengthMax = 64;

/** A lower-case UUIDv7 that sorts by creation, also within a millisecond of this process. */
export function newId(): string {
  const random = randomBytes();
  const now = Date.now();
  if (now > last.msecs) last = { msecs: now, seq: random.readUInt32BE(6) & 0x7f_ff_ff_ff };
  else last = { msecs: last.msecs + (last.seq === seqMax ? 1 : 0), seq: (last.seq + 1) % (seqMax + 1) };
  return v7({ random, ...last });
}

const seqMax = 0xff_ff_ff_ff;
/** What the last id had, so that the next one of the same millisecond comes after it. */
let last = { msecs: 0, seq: 0 };

const randomLength = 16;
const pool = Buffer.alloc(256 * randomLength);
let used = pool.length;

/** From a pool: asking the system for each id took a seventh of an import. */
function randomBytes(): Buffer {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  return pool.subarray(used, (used += randomLength));
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
