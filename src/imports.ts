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

export interface Warning {
  line: number;
  warning: string;
}

export const beyondLimit = 'is over the limit of the project';
export const refusedByPolicy = 'is stored already with other values';

/** Earlier rows about a person: the line of the last accepted one, 0 for none, and all digests. */
export interface EarlierRows {
  readonly line: number;
  readonly digests: { has(digest: string): boolean };
}

export type Earlier = Pick<ReadonlyMap<string, EarlierRows>, 'get'>;

export interface Met {
  id: string;
  isNew: boolean;
  line: number;
  digests: readonly string[];
}

export interface Batch<Draft, Person> {
  rows: readonly Row<Draft>[];
  /** Rows of a file complete people; those of another service make them what they are there. */
  mode: 'complete' | 'mirror';
  policy: ConflictPolicy;
  isDry: boolean;
  earlier: Earlier;
  /** What earlier batches of a dry run would have stored: people whom these rows may mean, and how many are new. */
  planned: readonly Person[];
  created: number;
  /** Another service may have more people than its limits allow. */
  isUnlimited?: boolean;
}

export function mirrored<Draft, Person>(drafts: readonly Draft[]): Batch<Draft, Person> {
  const rows = drafts.map((draft, line) => ({ line, draft, digest: '' }));
  return { rows, mode: 'mirror', policy: 'update', isDry: false, earlier: new Map(), planned: [], created: 0 };
}

/** `planned` are the people whom a dry run would store, with the keys by which later rows find them. */
export interface Imported<Person> {
  outcomes: readonly Outcome[];
  warnings: readonly Warning[];
  met: readonly Met[];
  planned: readonly { id: string; keys: readonly string[]; person: Person }[];
}

export interface ImportMemory<Person> extends Earlier, Disposable {
  learn(imported: Pick<Imported<Person>, 'met' | 'planned'>): void;
  plannedAt(keys: readonly string[]): Person[];
}

type Seen = ReturnType<typeof openSeen>;

export function openSeen(earlier: Earlier) {
  const met = new Map<string, { line: number; digests: string[]; earlier: EarlierRows | undefined }>();
  const about = (id: string) => {
    let entry = met.get(id);
    if (!entry) met.set(id, (entry = { line: 0, digests: [], earlier: earlier.get(id) }));
    return entry;
  };
  return {
    /** Whether an earlier row about the person was equal in every cell. Remembers the row. */
    isRepeated: (id: string, digest: string): boolean => {
      const entry = about(id);
      if (entry.digests.includes(digest) || entry.earlier?.digests.has(digest) === true) return true;
      entry.digests.push(digest);
      return false;
    },
    lineOf: (id: string): number | undefined => {
      const entry = about(id);
      return entry.line || entry.earlier?.line || undefined;
    },
    accept: (id: string, line: number): void => {
      about(id).line = line;
    },
    add: (id: string, line: number, digest: string): void => {
      met.set(id, { line, digests: [digest], earlier: undefined });
    },
    met: (): Met[] =>
      Array.from(met, ([id, { line, digests, earlier: told }]) => {
        return { id, isNew: told === undefined, line: line || told?.line || 0, digests };
      }),
  };
}

export interface Meeting {
  id: string;
  isNew: boolean;
  differing: readonly string[];
  /** Those of the differing fields that have a value. */
  contradicted: readonly string[];
  refused: string | undefined;
}

/** Decides what becomes of a row. What another service says twice neither repeats nor contradicts itself. */
export function judge(
  { line, digest }: Pick<Row<unknown>, 'line' | 'digest'>,
  meeting: Meeting,
  { mode, policy }: Pick<Batch<unknown, unknown>, 'mode' | 'policy'>,
  seen: Seen,
): Outcome {
  const { id, isNew, differing, contradicted, refused } = meeting;
  if (isNew) {
    if (refused !== undefined) return { refused };
    seen.add(id, line, digest);
    return 'created';
  }
  if (mode === 'complete' && seen.isRepeated(id, digest)) return 'duplicate';
  if (differing.length === 0) {
    seen.accept(id, line);
    return 'unchanged';
  }
  if (policy === 'skip') return 'unchanged';
  const earlierLine = mode === 'mirror' || contradicted.length === 0 ? undefined : seen.lineOf(id);
  if (earlierLine !== undefined) return { refused: `contradicts line ${earlierLine}`, differing: contradicted };
  if (refused !== undefined) return { refused };
  if (policy === 'fail') return { refused: refusedByPolicy, differing };
  seen.accept(id, line);
  return 'updated';
}
