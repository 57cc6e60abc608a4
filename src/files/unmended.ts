import { digestOrder, rowDigest } from './row-digest.ts';
import { ownColumns, type SourceRow } from './source-row.ts';

const markLength = 16;

/** Ends the reason of a row that would have overwritten somebody, so that it does not do so unmended. */
export function rowMark(digest: string): string {
  return `[row ${digest.slice(2, 2 + markLength)}]`;
}

/** The reason for which the row of a rejects file was rejected, where the row is as it was then. */
export function unmendedReason({ headings, cells, line }: SourceRow): string | undefined {
  const [placeOfLine, placeOfReason] = ownColumns.map((own) => headings.indexOf(own));
  const reason = cells[placeOfReason ?? -1];
  if (typeof reason !== 'string' || !/\[row [\w-]+\]\s*$/.test(reason)) return undefined;
  // The digest of a number that JSON rounds has the line.
  const row = { headings, cells, line: Number(cells[placeOfLine ?? -1] ?? line) };
  return reason.trim().endsWith(rowMark(rowDigest(row, digestOrder(headings)))) ? reason : undefined;
}
