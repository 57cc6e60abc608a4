export const conflictPolicies = ['update', 'skip', 'fail'] as const;
export type ConflictPolicy = (typeof conflictPolicies)[number];

export interface Row<Draft> {
  line: number;
  draft: Draft;
  digest: string;
}

/** `differing` names the fields in which the row contradicts what is stored, or an earlier row. */
export interface Refusal {
  refused: string;
  differing?: readonly string[];
}

export type Outcome = 'created' | 'updated' | 'unchanged' | 'duplicate' | Refusal;

/** A warning about what a row did. */
export interface Warning {
  line: number;
  warning: string;
}

export const refusedByPolicy = 'is stored already with other values';

export interface Matching<Draft, Person> {
  draftKeys(draft: Draft): readonly [string, ...string[]];
  /** All keys by which the person can be found, the one that never changes first. */
  personKeys(person: Person): [string, ...string[]];
  /** Sorts people who share a key: the one that was stored first is meant. */
  rank(person: Person): string;
  /** Whether the row may mean somebody whom one of its keys finds. */
  mayMean(person: Person, draft: Draft): boolean;
  /** The person with the keys of the row that found it; the same object where it has them already. */
  claim(person: Person, draft: Draft): Person;
  /** Somebody new, or somebody who is stored where no key of a draft finds them. */
  create(draft: Draft, stored: Stored<Person>): Person;
  /** The person with the row's values; where the row has none, those of the person stay. */
  merge(person: Person, draft: Draft): Person;
  /** The fields that differ; the letter case of an address does not count. */
  differing(before: Person, after: Person): readonly string[];
  /** Whether a field that differs has a value. */
  isKnown(person: Person, field: string): boolean;
  /** Warns of a suspicious change to the person whom a row found by this key. */
  remark?(before: Person, after: Person, key: string): string | undefined;
  /** Why `after` may not be stored, if so; `find` knows everybody stored or about to be. */
  objection(before: Person | undefined, after: Person, find: Find<Person>): string | undefined;
}

export type Find<Person> = (key: string) => Person | undefined;
type FindFor<Draft, Person> = (key: string, draft?: Draft) => Person | undefined;

/** Everybody that is stored under a key of the batch, in any order. */
export type Stored<Person> = (key: string) => readonly Person[];

/** Remembers rows across the batches of one import; on disk, as files may exceed memory. */
export interface ImportMemory<Person> {
  /** The line of this import that last spoke of the person, by the key that never changes. */
  lineOf: (key: string) => number | undefined;
  remember: (key: string, line: number) => void;
  /** Whether an earlier row about the person has this digest; remembers it. `isNew` says that there is none. */
  seen: (key: string, digest: string, isNew: boolean) => boolean;
  /** The people that were decided to be stored: those of this batch, in a dry run those of all batches. */
  planned: { get(key: string): Person | undefined; set(key: string, person: Person): void };
}

/** Decides the outcome of each row of a batch, in order, and the people to store, of whom `room` may be new. Pure but for `memory`. */
export function decide<Draft, Person>(
  rows: readonly Row<Draft>[],
  matching: Matching<Draft, Person>,
  policy: ConflictPolicy,
  stored: Stored<Person>,
  { planned, lineOf, remember, seen }: ImportMemory<Person>,
  room = Infinity,
): { outcomes: Outcome[]; writes: Person[]; warnings: Warning[] } {
  const writes = new Map<string, Person>();
  const warnings: Warning[] = [];
  const find = finder(matching, stored, planned);
  let left = room;
  const write = (person: Person) => {
    const [identity, ...otherKeys] = matching.personKeys(person);
    writes.set(identity, person);
    planned.set(identity, person);
    for (const key of otherKeys) {
      const other = find(key);
      planned.set(key, other !== undefined && matching.rank(other) < matching.rank(person) ? other : person);
    }
  };
  const outcomes = rows.map(({ line, draft, digest }): Outcome => {
    const [by, found] = firstFound(matching.draftKeys(draft), (key) => find(key, draft));
    const before = found && matching.claim(found, draft);
    const after = before ? matching.merge(before, draft) : matching.create(draft, stored);
    const [identity] = matching.personKeys(after);
    if (seen(identity, digest, before === undefined)) return 'duplicate';
    const fitting = before ? stored(by) : [];
    if (fitting.length > 1 && fitting.filter((one) => matching.mayMean(one, draft)).length > 1) {
      warnings.push({ line, warning: 'several stored people fit; the one that was stored first was taken' });
    }
    const differing = before === undefined ? [] : matching.differing(before, after);
    const isEqual = before !== undefined && differing.length === 0;
    if (isEqual) remember(identity, line);
    if (before && (isEqual || policy === 'skip')) {
      if (before !== found) write(before);
      return 'unchanged';
    }
    const earlierLine = before && lineOf(identity);
    if (before && earlierLine !== undefined) {
      const contradicted = differing.filter((field) => matching.isKnown(before, field));
      if (contradicted.length > 0) return { refused: `contradicts line ${earlierLine}`, differing: contradicted };
    }
    const refused = matching.objection(before, after, find);
    if (refused !== undefined) return { refused };
    if (before && policy === 'fail') return { refused: refusedByPolicy, differing };
    if (!before && left-- <= 0) return { refused: 'is over the limit of the project' };
    remember(identity, line);
    write(after);
    const remark = before && matching.remark?.(before, after, by);
    if (remark !== undefined) warnings.push({ line, warning: remark });
    return before ? 'updated' : 'created';
  });
  return { outcomes, writes: [...writes.values()], warnings };
}

function firstFound<Person>(keys: readonly string[], find: Find<Person>): [key: string, found: Person | undefined] {
  for (const key of keys) {
    const found = find(key);
    if (found !== undefined) return [key, found];
  }
  return ['', undefined];
}

function finder<Draft, Person>(
  { personKeys, rank, mayMean }: Pick<Matching<Draft, Person>, 'personKeys' | 'rank' | 'mayMean'>,
  stored: Stored<Person>,
  planned: ImportMemory<Person>['planned'],
): FindFor<Draft, Person> {
  return (key, draft) => {
    const decided = planned.get(key);
    const kept = stored(key);
    if (decided === undefined && kept.length === 0) return undefined;
    let found: Person | undefined;
    for (const person of decided === undefined ? kept : [decided, ...kept]) {
      // An earlier row may have changed the person, so that the key no longer leads there.
      const current = planned.get(personKeys(person)[0]) ?? person;
      if (!personKeys(current).includes(key) || (draft !== undefined && !mayMean(current, draft))) continue;
      if (found === undefined || rank(current) < rank(found)) found = current;
    }
    return found;
  };
}
