import { randomFillSync, randomInt } from 'node:crypto';

import { v7 } from 'uuid';

export { hasAtMost, idLengthMax, isId, isStorable } from './text.ts';

/** A lower-case UUIDv7 that sorts by creation, also within a millisecond of this process. */
export function newId(): string {
  const random = randomBytes();
  const now = Date.now();
  if (now > last.msecs) last = { msecs: now, seq: random.readUInt32BE(6) & 0x7f_ff_ff_ff };
  else last = { msecs: last.msecs + (last.seq === seqMax ? 1 : 0), seq: (last.seq + 1) % (seqMax + 1) };
  return v7({ random, ...last });
}

const seqMax = 0xff_ff_ff_ff;
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
