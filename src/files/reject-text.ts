import { stringify } from 'csv-stringify/sync';

import { printableJson } from '../values/printable.ts';
import type { Format } from './formats.ts';
import { defused } from './formulas.ts';
import { jsonText } from './json.ts';
import { isOwnColumn, ownColumns, type SourceRow } from './source-row.ts';

/** The text of a rejected row in the format of its file; the first one begins the file of rejects. */
export function rejectText(row: SourceRow, reason: string, format: Format, isFirst: boolean): string {
  return format === 'csv' ? csvLine(row, reason, isFirst) : jsonLine(row, reason, format, isFirst);
}

/** The end of a rejects file. */
export function endOfRejects(format: Format): string {
  return format === 'json' ? '\n]\n' : '';
}

/** Defuses formulas: people mend the rows in a spreadsheet. */
function csvLine(row: SourceRow, reason: string, isFirst: boolean): string {
  const { headings, cells } = withoutOwn(row);
  const line = stringify([[row.line, reason, ...cells.map((cell) => defused(String(cell)))]]);
  return isFirst ? stringify([[...ownColumns, ...headings.map(defused)]]) + line : line;
}

function jsonLine(row: SourceRow, reason: string, format: Format, isFirst: boolean): string {
  const { headings, cells } = withoutOwn(row);
  const fields: [string, unknown][] =
    headings.length === cells.length
      ? headings.map((heading, index) => [heading, cells[index]])
      : [['roster_text', cells[0]]];
  const own = { roster_line: row.line, roster_reason: reason };
  const text = printableJson(jsonText({ ...own, ...Object.fromEntries(fields) }) ?? JSON.stringify(own));
  if (format === 'ndjson') return `${text}\n`;
  return (isFirst ? '[\n' : ',\n') + text;
}

function withoutOwn({ headings, cells }: SourceRow): { headings: string[]; cells: unknown[] } {
  const isOwn = headings.map(isOwnColumn);
  return {
    headings: headings.filter((_, index) => !isOwn[index]),
    cells: cells.filter((_, index) => !isOwn[index]),
  };
}
