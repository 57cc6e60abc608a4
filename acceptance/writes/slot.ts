import type { seededRandom } from '../../test/support/random.ts';
import type { Merge } from './merging.ts';
import { type Include, includes } from './person.ts';

export type Random = ReturnType<typeof seededRandom>;

/** People who may be taken for each other, and for nobody else: no two operations at once are about the same. */
export interface Slot {
  emails: readonly string[];
  externalIds: readonly string[];
  phones: readonly string[];
  /** Of its contacts that are there, and of those in the bin. */
  live: () => string[];
  deleted: () => string[];
  merged: () => string[];
  /** Merges of its contacts, with one right answer to an undo. */
  merges: () => readonly Merge[];
}

export const someIncludes = (random: Random): Include[] => includes.filter(() => random.below(3) === 0);
export const nobodys = '00000000-0000-7000-8000-000000000000';
export const oneOf = (ids: readonly string[], random: Random) =>
  ids.length === 0 || random.below(20) === 0 ? nobodys : random.pick(ids);
