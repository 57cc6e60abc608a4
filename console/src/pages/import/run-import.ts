import { contactReader } from '../../../../src/contacts/draft.ts';
import type { ImportedRows } from '../../../../src/contacts/import-rows.ts';
import { type Account, type AccountOptions, emptyAccount, importRows } from '../../../../src/files/account.ts';
import type { Format } from '../../../../src/files/formats.ts';
import { type ReadRow, openReading } from '../../../../src/files/reading.ts';
import type { SourceRow } from '../../../../src/files/source-row.ts';
import { openTally, type Told } from '../../../../src/files/tally.ts';
import type { UniqueColumns } from '../../../../src/files/unique-columns.ts';
import { refusedByPolicy } from '../../../../src/imports.ts';
import { call } from '../../api.ts';
import { patiently } from '../../patience.ts';
import { asError } from '../../use-action.ts';
import type { Choice } from './choice.ts';
import { bytesOf, optionsOf } from './look.ts';
import { PartlySent, type RowsBody, rowSender } from './send-rows.ts';

const linesShown = 5;

export interface Rejected {
  row: SourceRow;
  reason: string;
}

export interface Result {
  account: Account;
  dryRun: boolean;
  format: Format;
  reasons: readonly Told[];
  dropped: readonly Told[];
  warnings: readonly Told[];
  lines: readonly { line: number; reason: string }[];
  rejected: readonly Rejected[];
  unique: UniqueColumns;
  /** Whether a batch was sent again, as its answer was lost. */
  isRepeated: boolean;
  /** Why it ended early: `stopped`, or what went wrong. */
  ended?: 'stopped' | Error;
}

interface Given {
  file: File;
  choice: Choice;
  chatbotId: string;
  dryRun: boolean;
  signal: AbortSignal;
  onProgress: (account: Account) => void;
  /** Gets the seconds that it waits, and undefined when it continues. */
  onWait: (seconds: number | undefined) => void;
}

/** Imports the whole file. What goes wrong on the way is in the result, as whole batches are kept. */
export async function runImport({ file, choice, chatbotId, dryRun, signal, ...told }: Given): Promise<Result> {
  const account = emptyAccount();
  const [reasons, dropped, warnings] = [openTally(), openTally(), openTally()];
  const lines: Result['lines'][number][] = [];
  const rejected: Rejected[] = [];
  let isRepeated = false;
  let unique: UniqueColumns = { rows: 0, headings: [] };
  let format: Format = 'csv';
  let ended: Result['ended'];
  const onLost = () => {
    isRepeated = true;
  };
  // A request that is on its way is waited for: its rows may be stored.
  const post = async (body: RowsBody) => {
    signal.throwIfAborted();
    const send = () => call<ImportedRows>('POST', '/chatbots/{chatbotId}/contacts/import', { chatbotId, ...body });
    return patiently(send, { signal, onWait: told.onWait, onLost });
  };
  const onWarned = warnings.add;
  const send = rowSender({ policy: choice.policy, dryRun, post, onWarned });
  try {
    const reading = await openReading(bytesOf(file), contactReader, {
      ...optionsOf(file, choice),
      onDropped: dropped.add,
      onWarned,
    });
    ({ format } = reading);
    const options = {
      rejects: { path: null, write: (row: SourceRow, reason: string) => void rejected.push({ row, reason }) },
      wording: ({ refused }: { refused: string }) =>
        refused === refusedByPolicy ? `${refused} (you chose “Reject the row”)` : refused,
      advice: 'correct the row, or empty this cell to import the row unchanged; then import this file again',
      onRejected: (line: number, all: readonly { reason: string; kind: string }[]) => {
        for (const { kind } of all) reasons.add(line, kind);
        if (lines.length < linesShown) lines.push({ line, reason: all.map(({ reason }) => reason).join('; ') });
      },
      onBatch: () => told.onProgress({ ...account }),
    };
    await importAll(reading.batches, send, options, account);
    unique = reading.unique();
  } catch (error) {
    ended = signal.aborted && error === signal.reason ? 'stopped' : asError(error);
  }
  const tallies = { reasons: reasons.told(), dropped: dropped.told(), warnings: warnings.told() };
  return { account, dryRun, format, ...tallies, lines, rejected, unique, isRepeated, ...(ended && { ended }) };
}

type Draft = Parameters<ReturnType<typeof rowSender>>[0][number]['draft'];
type Batch = readonly ReadRow<Draft>[];

/** Accounts for the stored rows of a batch too where the rest of it is not stored. Throws why. */
async function importAll(
  batches: AsyncIterable<Batch>,
  send: ReturnType<typeof rowSender>,
  options: AccountOptions,
  account: Account,
): Promise<void> {
  const open: Batch[] = [];
  const noted = async function* () {
    for await (const batch of batches) {
      open.push(batch);
      yield batch;
    }
  };
  const onBatch = () => {
    open.shift();
    options.onBatch();
  };
  try {
    await importRows(noted(), send, { ...options, onBatch }, account);
  } catch (error) {
    if (!(error instanceof PartlySent)) throw error;
    const { outcomes, cause } = error;
    const [batch = []] = open;
    const next = batch.filter((entry) => 'draft' in entry)[outcomes.length];
    const stored = batch.slice(0, next && batch.indexOf(next));
    await importRows(only(stored), () => Promise.resolve(outcomes), options, account);
    throw cause;
  }
}

async function* only(batch: Batch): AsyncGenerator<Batch> {
  yield batch;
}
