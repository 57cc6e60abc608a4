import { hash } from 'node:crypto';

import { jsonText } from './json.ts';
import { isOwnColumn, ownColumns, type SourceRow } from './source-row.ts';

/** Begins every digest; change it with the way a digest is made. */
const version = '2:';

/** The places that count, sorted by heading: the order of the columns does not matter. */
export function digestOrder(headings: readonly string[]): readonly number[] {
  return [...headings.keys()]
    .filter((place) => !isOwnColumn(headings[place] ?? ''))
    .toSorted((a, b) => compare(headings[a] ?? '', headings[b] ?? ''));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Covers every cell, mapped or not; an empty cell counts as none. */
export function rowDigest({ headings, cells, line }: SourceRow, order: readonly number[]): string {
  const said: (string | number)[] = [];
  for (const place of order) {
    const text = comparable(cells[place], line);
    if (text !== '') said.push(headings[place] ?? '', text);
  }
  return version + hash('sha256', JSON.stringify(said), 'base64url');
}

// JSON.parse rounds integers of so many digits.
const maybeRounded = /(?<![.\d])\d{16}/;

/** The line number where the text may be that of another cell too. */
function comparable(cell: unknown, line: number): string | number {
  if (typeof cell === 'string') return cell.trim();
  if (cell === null || cell === undefined) return '';
  const text = jsonText(cell);
  return text === undefined || maybeRounded.test(text) ? line : text;
}

const markLength = 16;

/** Ends the reason of a row that would overwrite a person: such a row is imported only after a change. */
export function rowMark(digest: string): string {
  return `[row ${digest.slice(2, 2 + markLength)}]`;
}

/** The reason of a row in a rejects file, if the row is unchanged since it was rejected. */
export function unmendedReason({ headings, cells, line }: SourceRow): string | undefined {
  const [placeOfLine, placeOfReason] = ownColumns.map((own) => headings.indexOf(own));
  const reason = cells[placeOfReason ?? -1];
  if (typeof reason !== 'string' || !/\[row [\w-]+\]\s*$/.test(reason)) return undefined;
  // The digest of a number that JSON rounds has the line.
  const row = { headings, cells, line: Number(cells[placeOfLine ?? -1] ?? line) };
  return reason.trim().endsWith(rowMark(rowDigest(row, digestOrder(headings)))) ? reason : undefined;
}
