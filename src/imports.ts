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
  create(draft: Draft): Person;
  /** The person with what the row gives; what it does not give stays. */
  merge(person: Person, draft: Draft): Person;
  equal(a: Person, b: Person): boolean;
  /** Why `after` may not be stored, if so; `find` knows everybody stored or about to be. */
  objection(before: Person | undefined, after: Person, find: Find<Person>): string | undefined;
}

export type Find<Person> = (key: string) => Person | undefined;

/** What one import remembers from batch to batch. Kept out of memory, as files may be larger than it. */
export interface ImportMemory<Person> {
  /** The line of this import that last spoke of the person, by the key that never changes. */
  lineOf(key: string): number | undefined;
  remember(key: string, line: number): void;
  /** For a dry run: the people it would have stored. */
  planned: { get(key: string): Person | undefined; set(key: string, person: Person): void };
}

/**
 * Decides what becomes of a batch: an outcome for each row, in order, and the people to store.
 * `stored` answers for the keys of the batch. Pure but for `memory`.
 */
export function decide<Draft, Person>(
  rows: readonly Row<Draft>[],
  matching: Matching<Draft, Person>,
  policy: ConflictPolicy,
  stored: Find<Person>,
  memory: ImportMemory<Person>,
): { outcomes: Outcome[]; writes: Person[] } {
  const writes = new Map<string, Person>();
  const find: Find<Person> = (key) => {
    const person = memory.planned.get(key) ?? stored(key);
    if (!person) return undefined;
    // An earlier row may have changed the person so that this key no longer leads there.
    const current = writes.get(matching.personKeys(person)[0]) ?? person;
    return matching.personKeys(current).includes(key) ? current : undefined;
  };
  const outcomes = rows.map(({ line, draft }): Outcome => {
    const before = find(matching.draftKey(draft));
    const after = before ? matching.merge(before, draft) : matching.create(draft);
    const [identity, ...otherKeys] = matching.personKeys(after);
    if (before && matching.equal(before, after)) {
      memory.remember(identity, line);
      return 'unchanged';
    }
    if (before && policy === 'skip') return 'unchanged';
    const earlierLine = memory.lineOf(identity);
    if (before && earlierLine !== undefined) {
      return { refused: `says something else than line ${earlierLine} about the same person` };
    }
    const refused = matching.objection(before, after, find);
    if (refused !== undefined) return { refused };
    if (before && policy === 'fail')
      return { refused: 'is stored already with other values (--on-conflict fail)' };
    memory.remember(identity, line);
    writes.set(identity, after);
    for (const key of [identity, ...otherKeys]) memory.planned.set(key, after);
    return before ? 'updated' : 'created';
  });
  return { outcomes, writes: [...writes.values()] };
}
