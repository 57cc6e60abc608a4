import { bands, type DuplicatePair, type DuplicateReads, type PairPlace } from './store.ts';

export const groupMax = 20;

interface Group {
  band: number;
  ids: string[];
  reasons: number;
}

type Owner = readonly [projectId: string, chatbotId: string];

const pairsOfStep = 200;

/** The first groups after a place. A group is at the place of its first pair: the contact that leads it, and the next. */
export async function groupsAfter(
  duplicates: DuplicateReads,
  owner: Owner,
  only: (typeof bands)[number] | undefined,
  place: PairPlace | undefined,
  limit: number,
): Promise<Group[]> {
  const wantedBand = only && bands.indexOf(only);
  const groups: Group[] = [];
  let after = place ?? { band: wantedBand ?? 0, one_id: '', other_id: '' };
  for (;;) {
    const step = await duplicates.pairsAfter(...owner, after, pairsOfStep);
    const wanted = step.filter((pair) => wantedBand === undefined || pair.band === wantedBand);
    for (const [band, some] of Map.groupBy(wanted, (pair) => pair.band)) {
      const leaders = [...new Set(some.map((pair) => pair.one_id))];
      const pairs = await pairsNear(duplicates, owner, band, leaders);
      const starts = new Set(some.map((pair) => keyOf(pair.one_id, pair.other_id)));
      const found = leaders.flatMap((leader) => groupsLedBy(leader, pairs));
      const own = found.filter(([leader = '', next = '']) => starts.has(keyOf(leader, next)));
      groups.push(...own.map((ids) => ({ band, ids, reasons: reasonsOf(ids, pairs) })));
    }
    const end = step.at(-1);
    if (!end || groups.length >= limit || step.length < pairsOfStep || wanted.length < step.length) break;
    after = end;
  }
  return groups.slice(0, limit);
}

function keyOf(oneId: string, otherId: string): string {
  return `${oneId}\n${otherId}`;
}

/** A contact of one band, the contacts that are in a pair with it, and their pairs. */
type Pairs = ReadonlyMap<string, ReadonlyMap<string, DuplicatePair>>;

async function pairsNear(
  duplicates: DuplicateReads,
  owner: Owner,
  band: number,
  leaders: readonly string[],
): Promise<Pairs> {
  const pairs = new Map<string, Map<string, DuplicatePair>>();
  const note = (id: string, other: string, pair: DuplicatePair) =>
    pairs.set(id, (pairs.get(id) ?? new Map<string, DuplicatePair>()).set(other, pair));
  const load = async (side: 'one_id' | 'other_id', ids: readonly string[]) => {
    const found = (await duplicates.pairsOf(...owner, side, ids)).filter((pair) => pair.band === band);
    for (const pair of found) {
      note(pair.one_id, pair.other_id, pair);
      note(pair.other_id, pair.one_id, pair);
    }
    return found;
  };
  const before = await load('other_id', leaders);
  const from = new Set([...leaders, ...before.map((pair) => pair.one_id)]);
  const after = new Set((await load('one_id', [...from])).map((pair) => pair.other_id));
  await load('one_id', [...after.difference(from)]);
  return pairs;
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
function groupsLedBy(leader: string, pairs: Pairs): string[][] {
  const earlier = [...(pairs.get(leader)?.keys() ?? [])].filter((id) => id < leader);
  const theirs = earlier.flatMap((id) => allLedBy(id, pairs)).map((group) => new Set(group));
  return allLedBy(leader, pairs).filter((group) => !theirs.some((other) => group.every((id) => other.has(id))));
}

function reasonsOf(ids: readonly string[], pairs: Pairs): number {
  const all = ids.flatMap((id) => ids.map((other) => pairs.get(id)?.get(other)));
  return all.reduce((bits, pair?: DuplicatePair) => bits | (pair?.reasons ?? 0), 0);
}
