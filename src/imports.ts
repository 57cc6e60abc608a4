/** What to do with a row that would change somebody who is stored already. */
export const conflictPolicies = ['update', 'skip', 'fail'] as const;
export type ConflictPolicy = (typeof conflictPolicies)[number];

/** One checked row of a file. */
export interface Row<Draft> {
  line: number;
  draft: Draft;
}

export type Outcome = 'created' | 'updated' | 'unchanged' | { refused: string };

/** How drafts (rows) of one noun meet the people that are stored. */
export interface Matching<Draft, Person> {
  /** The key by which the row finds its person. */
  draftKey(draft: Draft): string;
  /** All keys by which the person can be found, the one that never changes first. */
  personKeys(person: Person): [string, ...string[]];
  /** Sorts people who share a key: the one that was stored first is meant. */
  rank(person: Person): string;
  create(draft: Draft): Person;
  /** The person with what the row gives; what it does not give stays. */
  merge(person: Person, draft: Draft): Person;
  /** Whether nothing that counts differs; the letter case of an address does not. */
  equal(a: Person, b: Person): boolean;
  /** Whether `after` only says what `before` leaves open. */
  onlyAdds(before: Person, after: Person): boolean;
  /** Why `after` may not be stored, if so; `find` knows everybody stored or about to be. */
  objection(before: Person | undefined, after: Person, find: Find<Person>): string | undefined;
}

/** Whom a key means, of those that are stored or about to be. */
export type Find<Person> = (key: string) => Person | undefined;

/** Everybody that is stored under a key of the batch, in any order. */
export type Stored<Person> = (key: string) => readonly Person[];

/** What one import remembers from batch to batch. Kept out of memory, as files may be larger than it. */
export interface ImportMemory<Person> {
  /** The line of this import that last spoke of the person, by the key that never changes. */
  lineOf: (key: string) => number | undefined;
  remember: (key: string, line: number) => void;
  /** The people that were decided to be stored: those of this batch, in a dry run those of all batches. */
  planned: { get(key: string): Person | undefined; set(key: string, person: Person): void };
}

/** Decides what becomes of a batch: an outcome for each row, in order, and the people to store. Pure but for `memory`. */
export function decide<Draft, Person>(
  rows: readonly Row<Draft>[],
  matching: Matching<Draft, Person>,
  policy: ConflictPolicy,
  stored: Stored<Person>,
  { planned, lineOf, remember }: ImportMemory<Person>,
): { outcomes: Outcome[]; writes: Person[] } {
  const writes = new Map<string, Person>();
  const find: Find<Person> = (key) => {
    const decided = planned.get(key);
    const kept = stored(key);
    if (decided === undefined && kept.length === 0) return undefined;
    let found: Person | undefined;
    for (const person of decided === undefined ? kept : [decided, ...kept]) {
      // An earlier row may have changed the person, so that the key no longer leads there.
      const current = planned.get(matching.personKeys(person)[0]) ?? person;
      if (!matching.personKeys(current).includes(key)) continue;
      if (found === undefined || matching.rank(current) < matching.rank(found)) found = current;
    }
    return found;
  };
  const outcomes = rows.map(({ line, draft }): Outcome => {
    const draftKey = matching.draftKey(draft);
    const before = find(draftKey);
    const after = before ? matching.merge(before, draft) : matching.create(draft);
    const [identity, ...otherKeys] = matching.personKeys(after);
    if (before && matching.equal(before, after)) {
      remember(identity, line);
      return 'unchanged';
    }
    if (before && policy === 'skip') return 'unchanged';
    const earlierLine = before && lineOf(identity);
    if (before && earlierLine !== undefined && !matching.onlyAdds(before, after)) {
      return { refused: `says something else than line ${earlierLine} about the same person` };
    }
    const refused = matching.objection(before, after, find);
    if (refused !== undefined) return { refused };
    if (before && policy === 'fail')
      return { refused: 'is stored already with other values (--on-conflict fail)' };
    remember(identity, line);
    writes.set(identity, after);
    planned.set(identity, after);
    for (const key of otherKeys) {
      const other = key === draftKey ? before : find(key);
      planned.set(key, other !== undefined && matching.rank(other) < matching.rank(after) ? other : after);
    }
    return before ? 'updated' : 'created';
  });
  return { outcomes, writes: [...writes.values()] };
}
