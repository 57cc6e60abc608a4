import { Readable } from 'node:stream';

import { CsvError, type Info, parse } from 'csv-parse';

import { AppError } from '../errors.ts';
import type { SourceRow } from './source-row.ts';

const delimiters = [',', ';', '\t', '|'];
const recordLengthMax = 1_048_576;

/** Headings and rows of a CSV text; `start` is as much of it as is at hand to find the delimiter in. */
export async function readCsv(
  text: AsyncIterable<string>,
  start: string,
): Promise<{ headings: readonly string[]; rows: AsyncIterable<SourceRow> }> {
  // Excel may say in a line of its own what separates the columns.
  const declared = /^sep=(.)\r?\n/.exec(start)?.[1];
  const records = parseRecords(text, declared ?? detectDelimiter(start), declared === undefined ? 1 : 2);
  const first = await records.next();
  if (first.done) throw new AppError('invalid', 'The file is empty: its first line must name the columns.');
  const headings = first.value.record.map((heading) => heading.trim());
  return { headings, rows: toRows(headings, records) };
}

interface Parsed {
  record: string[];
  info: Info;
}

async function* parseRecords(
  text: AsyncIterable<string>,
  delimiter: string,
  fromLine: number,
): AsyncGenerator<Parsed> {
  const parser = parse({
    delimiter,
    from_line: fromLine,
    info: true,
    max_record_size: recordLengthMax,
    // Each by itself: a file that was put together from several may mix them.
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  });
  const source = Readable.from(text);
  source.on('error', (error) => parser.destroy(error));
  source.pipe(parser);
  try {
    yield* parser as AsyncIterable<Parsed>;
  } catch (error) {
    throw error instanceof CsvError ? unreadable(error) : error;
  } finally {
    source.destroy();
  }
}

async function* toRows(
  headings: readonly string[],
  records: AsyncIterable<Parsed>,
): AsyncGenerator<SourceRow> {
  for await (const { record, info } of records) yield toRow(headings, record, info.lines);
}

function toRow(headings: readonly string[], record: string[], endLine: number): SourceRow {
  const row = { headings, cells: record.map(armed), original: record };
  const line = endLine - record.reduce((lines, cell) => lines + lineBreaks(cell), 0);
  // Spreadsheets write a delimiter too many; nothing is lost with a cell that is empty.
  const isComplete = record.length >= headings.length;
  if (isComplete && record.slice(headings.length).every((cell) => cell.trim() === ''))
    return { ...row, line };
  return {
    ...row,
    line,
    problem: `has ${record.length} columns where the first line names ${headings.length}`,
  };
}

function lineBreaks(cell: string): number {
  return cell.includes('\n') ? cell.split('\n').length - 1 : 0;
}

// What a spreadsheet takes for the beginning of a formula (OWASP, CSV injection), full-width forms included.
const formulaStart = /^'*[=+\-@\t\r＝＋－＠]/;

/** The cell with an apostrophe before what a spreadsheet would run; `armed` takes it off again. */
export function defused(cell: string): string {
  return formulaStart.test(cell) ? `'${cell}` : cell;
}

function armed(cell: string): string {
  return cell.startsWith("'") && formulaStart.test(cell) ? cell.slice(1) : cell;
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

function unreadable({ code, lines }: CsvError): AppError {
  const advice =
    code === 'CSV_QUOTE_NOT_CLOSED'
      ? `a quote that is opened on or after line ${String(lines)} is never closed`
      : code === 'CSV_MAX_RECORD_SIZE'
        ? `the row at line ${String(lines)} is longer than 1 MiB; a quote before it may not be closed`
        : `it is no CSV from line ${String(lines)} on`;
  return new AppError('invalid', `The file cannot be read further: ${advice}; mend it and import it again.`);
}
