import type { DuplicatePair } from './store.ts';

const groupMax = 20;

/** Pairs of one band, by either contact and then by the other. */
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

/** The groups of a contact with greater ids. Every two of a group are a pair; every pair of the contact is in a group. */
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

/** The groups that a contact leads, without those that are part of a group with a smaller id. Needs the pairs of its neighbours too. */
export function groupsLedBy(leader: string, pairs: Pairs): string[][] {
  const earlier = [...(pairs.get(leader)?.keys() ?? [])].filter((id) => id < leader);
  const theirs = earlier.flatMap((id) => allLedBy(id, pairs)).map((group) => new Set(group));
  return allLedBy(leader, pairs).filter((group) => !theirs.some((other) => group.every((id) => other.has(id))));
}
