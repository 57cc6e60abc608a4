import { closeSync, openSync, writeSync } from 'node:fs';

import { stringify } from 'csv-stringify/sync';

import type { Format } from './formats.ts';
import type { SourceRow } from './source-row.ts';

/** The columns that a file of refused rows has before the row's own; an import leaves them out. */
export const rejectColumns = ['roster_line', 'roster_reason'] as const;

export interface RejectsFile extends Disposable {
  write(row: SourceRow, reason: string): void;
  /** Null until a row was refused: no row, no file. */
  readonly path: string | null;
}

/** Refused rows as they were, in the format they came in, each with its line and the reason. Replaces an older file. */
export function rejectsFile(path: string, format: Format): RejectsFile {
  let file: number | undefined;
  let count = 0;
  const append = (text: string) => {
    file ??= openSync(path, 'w', 0o600);
    writeSync(file, text);
  };
  return {
    write: (row, reason) => {
      const own = row.headings.map((heading) => !(rejectColumns as readonly string[]).includes(heading));
      const headings = row.headings.filter((_, index) => own[index]);
      const cells = row.original.filter((_, index) => own[index] ?? true);
      if (format === 'csv') {
        if (count === 0) append(stringify([[...rejectColumns, ...headings]]));
        append(stringify([[row.line, reason, ...cells]]));
      } else {
        const fields =
          headings.length === cells.length
            ? headings.map((heading, index) => [heading, cells[index]])
            : [['roster_text', cells[0]]];
        const object = { roster_line: row.line, roster_reason: reason, ...Object.fromEntries(fields) };
        const start = format === 'json' ? (count === 0 ? '[\n' : ',\n') : '';
        append(start + JSON.stringify(object) + (format === 'json' ? '' : '\n'));
      }
      count++;
    },
    get path() {
      return count > 0 ? path : null;
    },
    [Symbol.dispose]: () => {
      if (file === undefined) return;
      if (format === 'json') writeSync(file, '\n]\n');
      closeSync(file);
    },
  };
}
