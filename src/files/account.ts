import type { Outcome, Refusal, Row } from '../imports.ts';
import type { ReadRow } from './reading.ts';
import { rowMark } from './row-digest.ts';
import type { SourceRow } from './source-row.ts';

/** `read` is the sum of the five counts after it; `duplicates` are rows equal in every cell to an earlier row. */
export type Account = ReturnType<typeof emptyAccount>;

export interface Rejection {
  reason: string;
  kind: string;
}

export interface Rejects {
  write(row: SourceRow, reason: string): void;
  readonly path: string | null;
}

export interface AccountOptions {
  rejects: Rejects | undefined;
  wording: (refusal: Refusal) => string;
  advice: string;
  onRejected: (line: number, reasons: readonly Rejection[]) => void;
  onBatch: () => void;
}

export function emptyAccount() {
  const counts = { read: 0, created: 0, updated: 0, unchanged: 0, duplicates: 0, rejected: 0 };
  return { ...counts, rejects_file: null as string | null };
}

/** Hands `storeRows` the good rows of a batch while the next is read. After an error `account` says what is stored. */
export async function importBatches<Draft>(
  batches: AsyncIterable<readonly ReadRow<Draft>[]>,
  storeRows: (rows: readonly Row<Draft>[]) => Promise<readonly Outcome[]>,
  options: AccountOptions,
  account: Account,
): Promise<void> {
  const store = async (batch: readonly ReadRow<Draft>[]) => {
    const rows = batch.flatMap((entry): Row<Draft>[] =>
      'draft' in entry ? [{ line: entry.row.line, draft: entry.draft, digest: entry.digest }] : [],
    );
    count(batch, rows.length === 0 ? [] : await storeRows(rows), options, account);
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
    await storing;
  }
}

function count<Draft>(
  batch: readonly ReadRow<Draft>[],
  outcomes: readonly Outcome[],
  options: AccountOptions,
  account: Account,
): void {
  const next = outcomes.values();
  let failure: unknown;
  for (const entry of batch) {
    const outcome = 'draft' in entry ? next.next().value : { refused: '' };
    if (outcome === undefined) throw new Error('the store decided about fewer rows than it was given');
    account.read++;
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
  entry: ReadRow<Draft>,
  refusal: Refusal,
  { wording, advice }: AccountOptions,
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
