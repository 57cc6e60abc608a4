import { stringify } from 'csv-stringify/sync';

import { printableJson } from '../values/printable.ts';
import type { Format } from './formats.ts';
import { defused } from './formulas.ts';
import { jsonText } from './json.ts';
import { isOwnColumn, ownColumns, type SourceRow } from './source-row.ts';

/** Yields the text of a file that an import reads back unchanged. */
export async function* exportPeople(
  pages: AsyncIterable<readonly object[]>,
  fields: readonly string[],
  format: Format,
): AsyncGenerator<string> {
  if (format === 'csv') yield stringify([fields]);
  let isFirst = true;
  for await (const page of pages) {
    if (format === 'csv') {
      const people = page as readonly Record<string, unknown>[];
      yield stringify(people.map((person) => fields.map((field) => cellText(person[field]))));
    } else if (page.length > 0) {
      const objects = page.map((person) => JSON.stringify(person));
      yield jsonLines(objects, format, isFirst);
      isFirst = false;
    }
  }
  yield endOf(format, isFirst);
}

export function rejectText(row: SourceRow, reason: string, format: Format, isFirst: boolean): string {
  const isOwn = row.headings.map(isOwnColumn);
  const headings = row.headings.filter((_, index) => !isOwn[index]);
  const cells = row.cells.filter((_, index) => !isOwn[index]);
  if (format === 'csv') {
    // People mend the rows in a spreadsheet.
    const line = stringify([[row.line, reason, ...cells.map((cell) => defused(String(cell)))]]);
    return isFirst ? stringify([[...ownColumns, ...headings.map(defused)]]) + line : line;
  }
  const own = { roster_line: row.line, roster_reason: reason };
  const named = Object.fromEntries(headings.map((heading, index) => [heading, cells[index]]));
  const fields = headings.length === cells.length ? named : { roster_text: cells[0] };
  return jsonLines([jsonText({ ...own, ...fields }) ?? JSON.stringify(own)], format, isFirst);
}

export function endOf(format: Format, isEmpty: boolean): string {
  return format === 'json' ? `${isEmpty ? '[' : ''}\n]\n` : '';
}

function jsonLines(objects: readonly string[], format: Format, isFirst: boolean): string {
  const lines = objects.map(printableJson);
  if (format === 'ndjson') return lines.map((line) => `${line}\n`).join('');
  return (isFirst ? '[\n' : ',\n') + lines.join(',\n');
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return defused(value.join(','));
  return defused(typeof value === 'string' ? value : JSON.stringify(value));
}
