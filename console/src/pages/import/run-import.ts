import type { ImportedRows } from '../../../../src/contacts/import-rows.ts';
import { contactReader } from '../../../../src/contacts/reader.ts';
import { type Account, emptyAccount, importRows } from '../../../../src/files/account.ts';
import type { Format } from '../../../../src/files/formats.ts';
import { openReading } from '../../../../src/files/reading.ts';
import type { SourceRow } from '../../../../src/files/source-row.ts';
import type { UniqueColumns } from '../../../../src/files/unique-columns.ts';
import { refusedByPolicy } from '../../../../src/imports.ts';
import { api, ApiError } from '../../api.ts';
import type { Choice } from './choice.ts';
import { bytesOf, optionsOf } from './look.ts';
import { type RowsBody, rowSender } from './send-rows.ts';

const linesShown = 5;
const triesMax = 5;

export interface Rejected {
  row: SourceRow;
  reason: string;
}

export interface Result {
  account: Account;
  dryRun: boolean;
  format: Format;
  /** How often something was wrong, by what it is. */
  reasons: readonly (readonly [string, number])[];
  dropped: readonly (readonly [string, number])[];
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
}

class Stopped extends Error {
  override readonly name = 'Stopped';
}

/** Imports the whole file. What goes wrong on the way is in the result, as whole batches are kept. */
export async function runImport({ file, choice, chatbotId, dryRun, signal, onProgress }: Given): Promise<Result> {
  const account = emptyAccount();
  const reasons = new Map<string, number>();
  const dropped = new Map<string, number>();
  const lines: Result['lines'][number][] = [];
  const rejected: Rejected[] = [];
  let isRepeated = false;
  let unique: UniqueColumns = { rows: 0, headings: [] };
  let format: Format = 'csv';
  let ended: Result['ended'];
  const path = `/chatbots/${encodeURIComponent(chatbotId)}/contacts/import`;
  const again = () => {
    isRepeated = true;
  };
  const post = (body: RowsBody) => patientPost<ImportedRows>(path, body, again);
  const send = rowSender({ policy: choice.policy, dryRun, post });
  try {
    const reading = await openReading(bytesOf(file, choice.encoding), contactReader, {
      ...optionsOf(file, choice),
      onDropped: (objection) => add(dropped, objection),
    });
    ({ format } = reading);
    const storeRows: typeof send = (rows) => {
      if (signal.aborted) throw new Stopped();
      return send(rows);
    };
    const options = {
      rejects: { path: null, write: (row: SourceRow, reason: string) => void rejected.push({ row, reason }) },
      wording: ({ refused }: { refused: string }) =>
        refused === refusedByPolicy ? `${refused} (--on-conflict fail)` : refused,
      advice: 'mend it, or empty this cell to import it as it is, and import this file again',
      onRejected: (line: number, all: readonly { reason: string; kind: string }[]) => {
        for (const { kind } of all) add(reasons, kind);
        if (lines.length < linesShown) lines.push({ line, reason: all.map(({ reason }) => reason).join('; ') });
      },
      onBatch: () => onProgress({ ...account }),
    };
    await importRows(reading.batches, storeRows, options, account);
    unique = reading.unique();
  } catch (error) {
    ended = error instanceof Stopped ? 'stopped' : error instanceof Error ? error : new Error(String(error));
  }
  const tallies = { reasons: sorted(reasons), dropped: sorted(dropped) };
  return { account, dryRun, format, ...tallies, lines, rejected, unique, isRepeated, ...(ended && { ended }) };
}

/** Waits where the server is busy, and tries again where an answer is lost: a batch that is stored already changes nothing. */
async function patientPost<Data>(path: string, body: object, onAgain: () => void): Promise<Data> {
  for (let tries = 1; ; tries++) {
    try {
      return await api.post<Data>(path, { body });
    } catch (error) {
      if (!(error instanceof ApiError) || tries === triesMax || !mayPass(error)) throw error;
      if (error.code === 'unreachable' || error.code === 'outcome_unknown') onAgain();
      await new Promise((resolve) => setTimeout(resolve, (error.retryAfter ?? tries) * 1_000));
    }
  }
}

function mayPass({ status, code }: ApiError): boolean {
  return status === 0 || status === 429 || status === 503 || code === 'outcome_unknown';
}

function add(counts: Map<string, number>, text: string): void {
  counts.set(text, (counts.get(text) ?? 0) + 1);
}

function sorted(counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts].toSorted(([, a], [, b]) => b - a);
}
