import {
  type ConflictPolicy,
  decide,
  type Matching,
  type Outcome,
  type Refusal,
  type Row,
  type Stored,
} from '../imports.ts';
import { openImportMemory } from './import-memory.ts';
import type { Entry, Reader, Reading } from './reading.ts';
import type { RejectsFile } from './rejects.ts';
import { rowMark } from './unmended.ts';

/** `read` is the sum of the five counts after it; `duplicates` are rows equal in every cell to an earlier row. */
export type Account = ReturnType<typeof emptyAccount>;

export interface Noun<Field extends string, Draft, Person> extends Reader<Field, Draft> {
  matching: Matching<Draft, Person>;
  /** Stores, in one transaction, the people that `choose` returns. */
  store(drafts: readonly Draft[], choose: (stored: Stored<Person>, room?: number) => Person[]): Promise<void>;
}

/** `kind` is the same for all rows that are rejected for the same thing. */
export interface Rejection {
  reason: string;
  kind: string;
}

export interface ImportOptions {
  policy: ConflictPolicy;
  dryRun: boolean;
  rejects: RejectsFile | undefined;
  wording: (refusal: Refusal) => string;
  advice: string;
  onRejected: (line: number, reasons: readonly Rejection[]) => void;
  onBatch: () => void;
}

export function emptyAccount() {
  const counts = { read: 0, created: 0, updated: 0, unchanged: 0, duplicates: 0, rejected: 0 };
  return { ...counts, rejects_file: null as string | null };
}

/** Stores each batch while the next one is read. After an error `account` says what is stored. */
export async function importPeople<Draft extends object, Person>(
  { batches }: Pick<Reading<Draft>, 'batches'>,
  noun: Pick<Noun<string, Draft, Person>, 'matching' | 'store'>,
  options: ImportOptions,
  account: Account,
): Promise<void> {
  using memory = openImportMemory<Person>(options.dryRun);
  const store = async (batch: readonly Entry<Draft>[]) => {
    count(batch, await storeBatch(batch, noun, options, memory, account), options, account);
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
  { created }: Account,
): Promise<Outcome[]> {
  const rows = batch.flatMap((entry): Row<Draft>[] =>
    'draft' in entry ? [{ line: entry.row.line, draft: entry.draft, digest: entry.digest }] : [],
  );
  if (rows.length === 0) return [];
  let outcomes: Outcome[] = [];
  await noun.store(
    rows.map(({ draft }) => draft),
    (stored, room = Infinity) => {
      const decision = decide(rows, noun.matching, policy, stored, memory, dryRun ? room - created : room);
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
  options: ImportOptions,
  account: Account,
): void {
  const next = outcomes.values();
  let failure: unknown;
  for (const entry of batch) {
    account.read++;
    const outcome = 'draft' in entry ? next.next().value : { refused: '' };
    if (outcome === undefined) throw new Error('the store decided about fewer rows than it was given');
    if (outcome === 'duplicate') account.duplicates++;
    else if (typeof outcome === 'string') account[outcome]++;
    else {
      const { reasons, kept } = rejectionOf(entry, outcome, options);
      account.rejected++;
      // The batch is stored: it is counted to its end, whatever becomes of the rejects.
      if (failure === undefined) {
        try {
          options.rejects?.write(entry.row, kept);
        } catch (error) {
          failure = error;
        }
      }
      account.rejects_file = options.rejects?.path ?? null;
      options.onRejected(entry.row.line, reasons);
    }
  }
  if (failure !== undefined) throw failure;
}

function rejectionOf<Draft>(
  entry: Entry<Draft>,
  refusal: Refusal,
  { wording, advice }: ImportOptions,
): { reasons: Rejection[]; kept: string } {
  if (!('draft' in entry)) {
    const { objections, kept = objections.join('; ') } = entry;
    return { reasons: objections.map((reason) => ({ reason, kind: reason })), kept };
  }
  const said = wording(refusal);
  const kind = said.replace(/(?<=\bline )\d+/, '…');
  const { differing } = refusal;
  if (!differing) return { reasons: [{ reason: said, kind }], kept: said };
  const reason = `${said}: ${differing.join(', ')}`;
  return { reasons: [{ reason, kind }], kept: `${reason}; ${advice} ${rowMark(entry.digest)}` };
}
