import { AppError } from '../errors.ts';
import { type CsvRecord, readRecords } from './csv-records.ts';
import type { SourceRow } from './source-row.ts';

const delimiters = [',', ';', '\t', '|'];

/** Headings and rows of a CSV text; `start` is as much of it as is at hand to find the delimiter in. */
export async function readCsv(
  text: AsyncIterable<string>,
  start: string,
): Promise<{ headings: readonly string[]; rows: AsyncIterable<SourceRow> }> {
  // Excel may say in a line of its own what separates the columns.
  const declared = /^sep=(.)\r?\n/.exec(start);
  const pages = declared
    ? readRecords(withoutStart(text, declared[0].length), declared[1] ?? ',', 2)
    : readRecords(text, detectDelimiter(start));
  const begun = await pages.next();
  const [first, ...page] = begun.done ? [] : begun.value;
  if (!first) throw new AppError('invalid', 'The file is empty: its first line must name the columns.');
  const headings = first.cells.map((heading) => heading.trim());
  return { headings, rows: toRows(headings, page, pages) };
}

async function* withoutStart(text: AsyncIterable<string>, length: number): AsyncGenerator<string> {
  let left = length;
  for await (const piece of text) {
    yield piece.slice(left);
    left = Math.max(0, left - piece.length);
  }
}

async function* toRows(
  headings: readonly string[],
  first: readonly CsvRecord[],
  pages: AsyncIterable<readonly CsvRecord[]>,
): AsyncGenerator<SourceRow> {
  for (const record of first) yield toRow(headings, record);
  for await (const page of pages) {
    for (const record of page) yield toRow(headings, record);
  }
}

function toRow(headings: readonly string[], { cells: original, line }: CsvRecord): SourceRow {
  const cells = original.some(isArmed) ? original.map(armed) : original;
  // Spreadsheets write a delimiter too many; nothing is lost with a cell that is empty.
  const isComplete =
    original.length === headings.length ||
    (original.length > headings.length &&
      original.slice(headings.length).every((cell) => cell.trim() === ''));
  if (isComplete) return { headings, cells, original, line };
  return {
    headings,
    cells,
    original,
    line,
    problem: `has ${original.length} columns where the first line names ${headings.length}`,
  };
}

// What a spreadsheet takes for the beginning of a formula (OWASP, CSV injection), full-width forms included.
const formulaStart = /^'*[=+\-@\t\r＝＋－＠]/;

/** The cell with an apostrophe before what a spreadsheet would run; `armed` takes it off again. */
export function defused(cell: string): string {
  return formulaStart.test(cell) ? `'${cell}` : cell;
}

function isArmed(cell: string): boolean {
  return cell.startsWith("'") && formulaStart.test(cell);
}

function armed(cell: string): string {
  return isArmed(cell) ? cell.slice(1) : cell;
}

/** The one of `,` `;` tab `|` that the first line has most of, outside quotes; the comma when it has none. */
export function detectDelimiter(start: string): string {
  const counts = new Map(delimiters.map((delimiter) => [delimiter, 0]));
  let quoted = false;
  for (const character of start.trimStart()) {
    if (character === '"') quoted = !quoted;
    else if (!quoted && (character === '\n' || character === '\r')) break;
    else if (!quoted && counts.has(character)) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  return delimiters.reduce((best, one) => ((counts.get(one) ?? 0) > (counts.get(best) ?? 0) ? one : best));
}
