import { CsvError, parse } from 'csv-parse';

import { AppError } from '../errors.ts';
import { armed } from './formulas.ts';
import { isOwnColumn, sizeText, type SourceRow } from './source-row.ts';

const delimiters = [',', ';', '\t', '|'];
const lineBreak = /\r\n|[\r\n]/g;

export async function readCsv(
  text: AsyncIterable<string>,
  start: string,
  { rowMax, isOwnExport }: { rowMax: number; isOwnExport: (headings: readonly string[]) => boolean },
): Promise<{ headings: readonly string[]; rows: AsyncIterable<readonly SourceRow[]> }> {
  const declared = /^sep=(.)\r?\n/.exec(start)?.[1];
  const fromLine = declared === undefined ? 1 : 2;
  const chunks = parseRecords(text, declared ?? detectDelimiter(start), fromLine, rowMax);
  // The parser's browser build fails on empty input.
  const { value: [first, ...rest] = [] } = start === '' ? {} : await chunks.next();
  if (!first) throw new AppError('invalid', 'The file is empty: its first line must name the columns.');
  const named = first.cells.map((heading) => heading.trim());
  const isOfRejects = named.some(isOwnColumn);
  const headings = isOfRejects ? named.map((heading) => armed(heading, true)) : named;
  const isOurs = isOfRejects || isOwnExport(named);
  const rows = async function* () {
    yield toRows(headings, rest, isOurs);
    for await (const records of chunks) yield toRows(headings, records, isOurs);
  };
  return { headings, rows: rows() };
}

/** `line` is where it begins, from 1; CR LF, LF and CR end a line, inside quotes too. */
type CsvRecord = { cells: string[]; line: number };

async function* parseRecords(
  text: AsyncIterable<string>,
  delimiter: string,
  fromLine: number,
  rowMax: number,
): AsyncGenerator<CsvRecord[], undefined> {
  const numbered = numberer(fromLine);
  const ready: CsvRecord[] = [];
  const parser = parse({
    delimiter,
    from_line: fromLine,
    max_record_size: rowMax,
    // Records as stream events would cost a third more.
    on_record: (cells: string[], { lines }) => {
      ready.push(numbered.number(cells, lines));
      return null;
    },
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  });
  let error: unknown;
  parser.on('error', (reason) => (error = reason)).resume();
  // The parser does not count delimiters.
  let lastBreak = { lines: 0, length: 0 };
  let length = 0;
  // All rows before an error are yielded first, so that it can name the next line.
  for await (const piece of text) {
    error ??= await new Promise((resolve) => parser.write(piece, resolve));
    length += piece.length;
    if (parser.info.lines > lastBreak.lines) lastBreak = { lines: parser.info.lines, length };
    if (ready.length > 0) yield ready.splice(0);
    if (error instanceof Error) break;
    if (length - lastBreak.length > rowMax) throw unreadable('CSV_MAX_RECORD_SIZE', numbered.next(), rowMax);
  }
  // The streams of the browser's build do not close.
  const ended = new Promise((resolve) => {
    for (const event of ['end', 'error', 'close']) parser.once(event, resolve);
  });
  if (!(error instanceof Error)) {
    parser.end();
    await ended;
  }
  if (ready.length > 0) yield ready.splice(0);
  if (error instanceof CsvError) throw unreadable(error.code, numbered.next(), rowMax);
  if (error instanceof Error) throw error;
}

function numberer(firstLine: number) {
  let next = firstLine;
  // csv-parse counts a CR LF inside quotes as two lines.
  let countedTwice = 0;
  return {
    next: () => next,
    number: (cells: string[], lines: number): CsvRecord => {
      let breaks = 0;
      for (const cell of cells) {
        if (!cell.includes('\n') && !cell.includes('\r')) continue;
        const found = cell.match(lineBreak) ?? [];
        breaks += found.length;
        countedTwice += found.filter((one) => one === '\r\n').length;
      }
      next = lines - countedTwice + 1;
      return { cells, line: next - 1 - breaks };
    },
  };
}

/** Skips records of empty cells: spreadsheets end files with them. */
function toRows(headings: readonly string[], records: readonly CsvRecord[], isOurs: boolean): SourceRow[] {
  const filled = records.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  return filled.map((record) => toRow(headings, record, isOurs));
}

function toRow(headings: readonly string[], { cells, line }: CsvRecord, isOurs: boolean): SourceRow {
  const row = { headings, cells: cells.map((cell) => armed(cell, isOurs)), line };
  // Spreadsheets may write empty cells at the end.
  const isComplete = cells.length >= headings.length;
  if (isComplete && cells.slice(headings.length).every((cell) => cell.trim() === '')) return row;
  const problem = `has ${cells.length === 1 ? '1 cell' : `${cells.length} cells`}, and the first line names ${headings.length} columns`;
  return { ...row, problem };
}

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

function unreadable(code: CsvError['code'], line: number, rowMax: number): AppError {
  const advice =
    code === 'CSV_QUOTE_NOT_CLOSED'
      ? `a quote that is opened on or after line ${line} is never closed`
      : code === 'CSV_MAX_RECORD_SIZE'
        ? `the row at or after line ${line} is longer than ${sizeText(rowMax)}; a quote may not be closed`
        : `it is no CSV from line ${line} on`;
  return new AppError('invalid', `The file cannot be read further: ${advice}; fix it and import it again.`);
}
