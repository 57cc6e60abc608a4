import {
  accessSync,
  closeSync,
  constants,
  lstatSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

import { stringify } from 'csv-stringify/sync';

import { AppError } from '../errors.ts';
import type { Format } from './formats.ts';
import { jsonText } from './json.ts';
import { ownColumns, type SourceRow } from './source-row.ts';

/** A rejects file names its first column within so many bytes, in any format, a byte-order mark included. */
const beginningBytes = 64;

export interface RejectsFile extends Disposable {
  write(row: SourceRow, reason: string): void;
  /** Null until a row was refused: no row, no file. */
  readonly path: string | null;
}

/**
 * Keeps refused rows as they were, in the format of the import, each with its line and the reason. Replaces an older
 * rejects file at once; throws where the file cannot be written, and where it holds anything else.
 */
export function openRejects(path: string, format: Format): RejectsFile {
  accessSync(dirname(path), constants.W_OK);
  // Only a file can be replaced: a pipe or a device stays.
  if (statSync(path, { throwIfNoEntry: false })?.isFile()) removeOlder(path);
  let file: number | undefined;
  let count = 0;
  return {
    write: (row, reason) => {
      file ??= openSync(path, 'a', 0o600);
      // Not writeSync, which may write only a part where the disk is nearly full.
      writeFileSync(
        file,
        format === 'csv' ? csvLine(row, reason, count === 0) : jsonLine(row, reason, format, count === 0),
      );
      count++;
    },
    get path() {
      return count > 0 ? path : null;
    },
    [Symbol.dispose]: () => {
      if (file === undefined) return;
      if (format === 'json') writeFileSync(file, '\n]\n');
      closeSync(file);
    },
  };
}

/** Removes the rejects of an earlier run. */
function removeOlder(path: string): void {
  const beginning = beginningOf(path);
  if (beginning !== '' && !beginning.includes('roster_line'))
    throw new AppError(
      'input_output',
      `The file for refused rows is there already, and holds something else; name another: ${path}.`,
    );
  // A link stays: it may be /dev/stdout.
  if (lstatSync(path).isSymbolicLink()) truncateSync(path);
  else rmSync(path);
}

function beginningOf(path: string): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(beginningBytes);
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, beginningBytes, 0));
  } finally {
    closeSync(file);
  }
}

function csvLine(row: SourceRow, reason: string, isFirst: boolean): string {
  const { headings, cells } = withoutOwn(row);
  const line = stringify([[row.line, reason, ...cells]]);
  return isFirst ? stringify([[...ownColumns, ...headings]]) + line : line;
}

function jsonLine(row: SourceRow, reason: string, format: Format, isFirst: boolean): string {
  const { headings, cells } = withoutOwn(row);
  const fields: [string, unknown][] =
    headings.length === cells.length
      ? headings.map((heading, index) => [heading, cells[index]])
      : [['roster_text', cells[0]]];
  const own = { roster_line: row.line, roster_reason: reason };
  const text = jsonText({ ...own, ...Object.fromEntries(fields) }) ?? JSON.stringify(own);
  if (format === 'ndjson') return `${text}\n`;
  return (isFirst ? '[\n' : ',\n') + text;
}

// Rows that are refused a second time have these columns already.
function withoutOwn({ headings, original }: SourceRow): { headings: string[]; cells: unknown[] } {
  const isOwn = headings.map((heading) => ownColumns.includes(heading));
  return {
    headings: headings.filter((_, index) => !isOwn[index]),
    cells: original.filter((_, index) => !isOwn[index]),
  };
}
