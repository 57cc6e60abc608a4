import type { DuplicatePair } from './store.ts';

const groupMax = 20;

/** A contact of one band, those who are in a pair with it, and the pairs among these. */
export type Pairs = ReadonlyMap<string, ReadonlyMap<string, DuplicatePair>>;

export function openPairs() {
  const pairs = new Map<string, Map<string, DuplicatePair>>();
  const note = (id: string, other: string, pair: DuplicatePair) => {
    const own = pairs.get(id);
    if (own) own.set(other, pair);
    else pairs.set(id, new Map([[other, pair]]));
  };
  const add = (pair: DuplicatePair) => {
    note(pair.one_id, pair.other_id, pair);
    note(pair.other_id, pair.one_id, pair);
  };
  return { pairs: pairs as Pairs, add };
}

/** The groups of a contact with later ones. In a group each is in a pair with each; every pair of the contact is in one. */
function allLedBy(leader: string, pairs: Pairs): string[][] {
  let left = [...(pairs.get(leader)?.keys() ?? [])].filter((id) => id > leader).toSorted();
  const groups: string[][] = [];
  while (left.length > 0) {
    const group = [leader];
    for (const id of left) {
      if (group.length < groupMax && group.every((one) => pairs.get(one)?.has(id) === true)) group.push(id);
    }
    groups.push(group);
    left = left.filter((id) => !group.includes(id));
  }
  return groups;
}

/** The groups that a contact leads, but those that are part of an earlier one's. Needs the pairs of all who are near. */
export function groupsLedBy(leader: string, pairs: Pairs): string[][] {
  const earlier = [...(pairs.get(leader)?.keys() ?? [])].filter((id) => id < leader);
  const theirs = earlier.flatMap((id) => allLedBy(id, pairs)).map((group) => new Set(group));
  return allLedBy(leader, pairs).filter((group) => !theirs.some((other) => group.every((id) => other.has(id))));
}
