import { type ConflictPolicy, decide, type Matching, type Outcome, type Row, type Stored } from '../imports.ts';
import { openImportMemory } from './import-memory.ts';
import type { Entry, Reader, Reading } from './reading.ts';
import type { RejectsFile } from './rejects.ts';

/** `read` is the sum of the five counts after it; `duplicates` are rows equal in every cell to an earlier row. */
export type Account = ReturnType<typeof emptyAccount>;

export interface Noun<Field extends string, Draft, Person> extends Reader<Field, Draft> {
  matching: Matching<Draft, Person>;
  /** Stores, in one transaction, the people that `choose` returns. */
  store(drafts: readonly Draft[], choose: (stored: Stored<Person>) => Person[]): Promise<void>;
}

export interface ImportOptions {
  policy: ConflictPolicy;
  dryRun: boolean;
  rejects: RejectsFile | undefined;
  wording: (reason: string) => string;
  onRejected: (line: number, reason: string) => void;
  onBatch: () => void;
}

export function emptyAccount() {
  const counts = { read: 0, created: 0, updated: 0, unchanged: 0, duplicates: 0, rejected: 0 };
  return { ...counts, rejects_file: null as string | null };
}

/** Stores each batch while the next one is read. After an error `account` says what is stored. */
export async function importPeople<Draft extends object, Person>(
  { batches }: Reading<Draft>,
  noun: Pick<Noun<string, Draft, Person>, 'matching' | 'store'>,
  options: ImportOptions,
  account: Account,
): Promise<void> {
  using memory = openImportMemory<Person>(options.dryRun);
  const store = async (batch: readonly Entry<Draft>[]) => {
    count(batch, await storeBatch(batch, noun, options, memory), options, account);
    options.onBatch();
  };
  let storing: Promise<void> = Promise.resolve();
  try {
    for await (const batch of batches) {
      await storing;
      storing = store(batch);
      // Handled at the next await; until then it must not count as unhandled.
      storing.catch(() => undefined);
    }
  } finally {
    // After a read error the last batch is still accounted for.
    await storing;
  }
}

async function storeBatch<Draft extends object, Person>(
  batch: readonly Entry<Draft>[],
  noun: Pick<Noun<string, Draft, Person>, 'matching' | 'store'>,
  { policy, dryRun }: ImportOptions,
  memory: ReturnType<typeof openImportMemory<Person>>,
): Promise<Outcome[]> {
  const rows = batch.flatMap((entry): Row<Draft>[] =>
    'draft' in entry ? [{ line: entry.row.line, draft: entry.draft, digest: entry.digest }] : [],
  );
  if (rows.length === 0) return [];
  let outcomes: Outcome[] = [];
  await noun.store(
    rows.map(({ draft }) => draft),
    (stored) => {
      const decision = decide(rows, noun.matching, policy, stored, memory);
      outcomes = decision.outcomes;
      return dryRun ? [] : decision.writes;
    },
  );
  memory.endBatch();
  return outcomes;
}

function count<Draft>(
  batch: readonly Entry<Draft>[],
  outcomes: readonly Outcome[],
  { rejects, onRejected, wording }: ImportOptions,
  account: Account,
): void {
  const next = outcomes.values();
  for (const entry of batch) {
    account.read++;
    const outcome = 'draft' in entry ? next.next().value : { refused: entry.objections.join('; ') };
    if (outcome === undefined) throw new Error('the store decided about fewer rows than it was given');
    if (outcome === 'duplicate') account.duplicates++;
    else if (typeof outcome === 'string') account[outcome]++;
    else {
      const reason = wording(outcome.refused);
      account.rejected++;
      rejects?.write(entry.row, reason);
      account.rejects_file = rejects?.path ?? null;
      onRejected(entry.row.line, reason);
    }
  }
}
