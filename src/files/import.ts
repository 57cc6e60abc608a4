import {
  type ConflictPolicy,
  decide,
  type Matching,
  type Outcome,
  type Row,
  type Stored,
} from '../imports.ts';
import { openImportMemory } from './import-memory.ts';
import type { Entry, Reader, Reading } from './reading.ts';
import type { RejectsFile } from './rejects.ts';

/** What an import did, row by row: `read` is the sum of the other four. */
export interface Account {
  read: number;
  created: number;
  updated: number;
  unchanged: number;
  rejected: number;
  rejects_file: string | null;
}

/** What a noun brings to its import. */
export interface Noun<Field extends string, Draft, Person> extends Reader<Field, Draft> {
  matching: Matching<Draft, Person>;
  /** One transaction; see ContactStore.importContacts. */
  store(drafts: readonly Draft[], choose: (stored: Stored<Person>) => Person[]): Promise<void>;
}

export interface ImportOptions {
  policy: ConflictPolicy;
  /** Says what would happen, and stores nothing. */
  dryRun: boolean;
  rejects?: RejectsFile | undefined;
  onRefused?: (line: number, reason: string) => void;
  onBatch?: (account: Account) => void;
}

/** An account of nothing yet, for importPeople to count in. */
export function openAccount(): Account {
  return { read: 0, created: 0, updated: 0, unchanged: 0, rejected: 0, rejects_file: null };
}

/**
 * Stores each batch in a transaction of its own while the next is being read, and accounts for every row.
 * What is thrown leaves the batches before it stored; `account` says how far it came, then too.
 */
export async function importPeople<Draft extends object, Person>(
  { batches }: Reading<Draft>,
  noun: Pick<Noun<string, Draft, Person>, 'matching' | 'store'>,
  options: ImportOptions,
  account: Account = openAccount(),
): Promise<Account> {
  using memory = openImportMemory<Person>(options.dryRun);
  const store = async (batch: readonly Entry<Draft>[]) => {
    const outcomes = await storeBatch(batch, noun, options, memory);
    count(batch, outcomes, options, account);
    options.onBatch?.(account);
  };
  let storing: Promise<void> = Promise.resolve();
  try {
    for await (const batch of batches) {
      await storing;
      storing = store(batch);
      // Its failure is met at the next await; until then it must not count as unhandled.
      storing.catch(() => undefined);
    }
  } finally {
    // Also where reading fails: what is under way is accounted for.
    await storing;
  }
  return account;
}

/** The outcomes of the entries that have a draft, in their order. */
async function storeBatch<Draft extends object, Person>(
  batch: readonly Entry<Draft>[],
  noun: Pick<Noun<string, Draft, Person>, 'matching' | 'store'>,
  { policy, dryRun }: ImportOptions,
  memory: ReturnType<typeof openImportMemory<Person>>,
): Promise<Outcome[]> {
  const rows = batch.flatMap((entry): Row<Draft>[] =>
    'draft' in entry ? [{ line: entry.row.line, draft: entry.draft }] : [],
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
  { rejects, onRefused }: ImportOptions,
  account: Account,
): void {
  const next = outcomes.values();
  for (const entry of batch) {
    account.read++;
    const outcome = 'draft' in entry ? next.next().value : { refused: entry.objections.join('; ') };
    if (outcome === undefined) throw new Error('the store decided about fewer rows than it was given');
    if (typeof outcome === 'string') {
      account[outcome]++;
      continue;
    }
    account.rejected++;
    rejects?.write(entry.row, outcome.refused);
    account.rejects_file = rejects?.path ?? null;
    onRefused?.(entry.row.line, outcome.refused);
  }
}
