import { contactReader } from '../../../../src/contacts/draft.ts';
import type { ImportedRows } from '../../../../src/contacts/import-rows.ts';
import { type Account, emptyAccount, importBatches, type Rejection } from '../../../../src/files/account.ts';
import type { Format } from '../../../../src/files/formats.ts';
import { openReading } from '../../../../src/files/reading.ts';
import type { SourceRow } from '../../../../src/files/source-row.ts';
import { openTally } from '../../../../src/files/tally.ts';
import { type Refusal, refusedByPolicy } from '../../../../src/imports.ts';
import { call } from '../../api.ts';
import { patiently } from '../../patience.ts';
import { asError } from '../../use-action.ts';
import type { Choice } from './choice.ts';
import { bytesOf, optionsOf } from './look.ts';
import { type RowsBody, rowSender } from './send-rows.ts';

export type Result = Awaited<ReturnType<typeof runImport>>;

interface Given {
  file: File;
  choice: Choice;
  chatbotId: string;
  dryRun: boolean;
  signal: AbortSignal;
  /** Gets what is done so far; `waiting` is in seconds, and undefined when it continues. */
  show: (now: { account: Account } | { waiting: number | undefined }) => void;
}

/** Imports the whole file. What goes wrong on the way is in the result, as whole requests are kept. */
export async function runImport({ file, choice, chatbotId, dryRun, signal, show }: Given) {
  const account = emptyAccount();
  const [reasons, dropped, warnings] = [openTally(), openTally(), openTally()];
  const rejected: { row: SourceRow; reason: string }[] = [];
  /** Whether rows were sent again, as an answer was lost. */
  let isRepeated = false;
  /** Headings of columns that could identify the rows, which have no other key. */
  let unique: readonly string[] = [];
  let format: Format = 'csv';
  /** Why it ended early. */
  let ended: 'stopped' | Error | undefined;
  const patience = {
    signal,
    onWait: (waiting: number | undefined) => show({ waiting }),
    onLost: () => void (isRepeated = true),
  };
  // A request that is on its way is waited for: its rows may be stored.
  const post = async (body: RowsBody) => {
    signal.throwIfAborted();
    const send = () => call<ImportedRows>('POST', '/chatbots/{chatbotId}/contacts/import', { chatbotId, ...body });
    return patiently(send, patience);
  };
  const onWarned = warnings.add;
  const onFailed = (error: unknown) => (ended = error === signal.reason ? 'stopped' : asError(error));
  const send = rowSender({ policy: choice.policy, dryRun, post, onWarned, onFailed });
  try {
    const options = { ...optionsOf(file, choice), onDropped: dropped.add, onWarned };
    const reading = await openReading(bytesOf(file), contactReader, options);
    ({ format } = reading);
    const counting = {
      rejects: { path: null, write: (row: SourceRow, reason: string) => void rejected.push({ row, reason }) },
      wording: ({ refused }: Refusal) =>
        refused === refusedByPolicy ? `${refused} (you chose “Reject the row”)` : refused,
      advice: 'correct the row, or empty this cell to import the row unchanged; then import this file again',
      onRejected: (line: number, all: readonly Rejection[]) => {
        for (const { kind } of all) reasons.add(line, kind);
      },
      onBatch: () => show({ account: { ...account } }),
    };
    await importBatches(reading.batches, send, counting, account);
    unique = reading.unique().headings;
  } catch (error) {
    ended ??= asError(error);
  }
  const tallies = { reasons: reasons.told(), dropped: dropped.told(), warnings: warnings.told() };
  return { choice, account, dryRun, format, ...tallies, rejected, unique, isRepeated, ended };
}
