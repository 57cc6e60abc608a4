import type { EventFilter } from '../events/event.ts';
import type { Access } from './database.ts';

/** What one statement looks through: some ranges of events, the first one first. Up to `end` no other event matches. */
export interface Look {
  ranges: readonly Range[];
  end: bigint;
}

export type Range = readonly [first: bigint, last: bigint];

/** A statement looks through so many events at most: with a filter it would hold up the event loop for seconds. */
const lookedThroughMax = 10_000n;

export async function lookAhead(
  _access: Access,
  _projectId: string,
  { after, isDescending }: EventFilter,
): Promise<Look> {
  if (isDescending === true) {
    const first = after > lookedThroughMax ? after - lookedThroughMax : 1n;
    return { ranges: [[first, after - 1n]], end: first };
  }
  const last = after + lookedThroughMax;
  return { ranges: [[after + 1n, last]], end: last };
}
