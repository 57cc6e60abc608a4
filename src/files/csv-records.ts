import { AppError } from '../errors.ts';

export interface CsvRecord {
  cells: string[];
  /** The line on which it begins, counted from 1; a line ends with CR LF, LF or CR, inside quotes too. */
  line: number;
}

const recordBytesMax = 1_048_576;
const [lineFeed, carriageReturn] = [10, 13];

/**
 * The records of a CSV text, those of each piece of it together; lines without a character are passed over. Quotes
 * as in RFC 4180; where they are not, they are text: `a "b" c`, and `"a" b` too. A line may end as it likes, one
 * so and another so, as a file that was put together from several may mix them. Throws `invalid` where a quote is
 * never closed and where a record is longer than 1 MiB.
 */
export async function* readRecords(
  text: AsyncIterable<string>,
  delimiter: string,
  firstLine = 1,
): AsyncGenerator<CsvRecord[], void> {
  let rest = '';
  let line = firstLine;
  const read = (isEnd: boolean) => {
    const scan = scanRecords(rest, delimiter, line, isEnd);
    rest = rest.slice(scan.end);
    line = scan.line;
    if (isTooLong(rest)) throw tooLong(line);
    return scan.records;
  };
  for await (const piece of text) {
    rest += piece;
    const records = read(false);
    if (records.length > 0) yield records;
  }
  const records = read(true);
  if (rest !== '') throw unreadable(`a quote that is opened on or after line ${line} is never closed`);
  if (records.length > 0) yield records;
}

interface Scan {
  records: CsvRecord[];
  /** Where the first record begins that is not whole yet, and the line that this is. */
  end: number;
  line: number;
}

function scanRecords(text: string, delimiter: string, firstLine: number, isEnd: boolean): Scan {
  const records: CsvRecord[] = [];
  let [start, line] = [0, firstLine];
  let [quote, feed, carriage] = [-1, -1, -1];
  while (start < text.length) {
    // Each is looked for only once it is passed: a character that never occurs would else be looked for in every line.
    if (quote < start) quote = placeOf(text, '"', start);
    if (feed < start) feed = placeOf(text, '\n', start);
    if (carriage < start) carriage = placeOf(text, '\r', start);
    const end = Math.min(feed, carriage);
    if (quote < end) {
      const quoted = scanQuoted(text, delimiter, start, isEnd);
      if (!quoted) break;
      if (isTooLong(text.slice(start, quoted.end))) throw tooLong(line);
      records.push({ cells: quoted.cells, line });
      start = afterLine(text, quoted.end);
      line += quoted.lineBreaks + 1;
      continue;
    }
    // What looks like a CR may be the first half of a CR LF.
    const isWhole = end < text.length - 1 || text[end] === '\n';
    if (!isWhole && !isEnd) break;
    if (end > start) {
      const row = text.slice(start, end);
      if (isTooLong(row)) throw tooLong(line);
      records.push({ cells: row.split(delimiter), line });
    }
    start = afterLine(text, Math.min(end, text.length));
    line++;
  }
  return { records, end: start, line };
}

/** Infinity where there is none. */
function placeOf(text: string, character: string, from: number): number {
  const place = text.indexOf(character, from);
  return place < 0 ? Infinity : place;
}

function afterLine(text: string, end: number): number {
  return text.charCodeAt(end) === carriageReturn && text.charCodeAt(end + 1) === lineFeed ? end + 2 : end + 1;
}

/** The record from `start` on, cell by cell; undefined where more text may belong to it. */
function scanQuoted(
  text: string,
  delimiter: string,
  start: number,
  isEnd: boolean,
): { cells: string[]; end: number; lineBreaks: number } | undefined {
  const cells: string[] = [];
  let lineBreaks = 0;
  for (let at = start; ; at++) {
    let cell = '';
    if (text[at] === '"') {
      const close = closingQuote(text, at + 1);
      if (close === undefined) return undefined;
      const inside = text.slice(at + 1, close);
      cell = inside.includes('"') ? inside.replaceAll('""', '"') : inside;
      lineBreaks += countLineBreaks(inside);
      at = close + 1;
      if (at < text.length && !endsCell(text, at, delimiter)) cell = `"${cell}"`;
    }
    const plainStart = at;
    while (at < text.length && !endsCell(text, at, delimiter)) at++;
    cells.push(cell + text.slice(plainStart, at));
    if (text[at] === delimiter) continue;
    const isWhole = at < text.length - 1 || text[at] === '\n';
    return isWhole || isEnd ? { cells, end: at, lineBreaks } : undefined;
  }
}

function closingQuote(text: string, from: number): number | undefined {
  for (let at = from; ; at += 2) {
    at = text.indexOf('"', at);
    if (at < 0) return undefined;
    if (text[at + 1] !== '"') return at;
  }
}

function endsCell(text: string, at: number, delimiter: string): boolean {
  const code = text.charCodeAt(at);
  return code === lineFeed || code === carriageReturn || text[at] === delimiter;
}

function countLineBreaks(text: string): number {
  return text.includes('\n') || text.includes('\r') ? text.split(/\r\n|\n|\r/).length - 1 : 0;
}

function isTooLong(record: string): boolean {
  // A character has three bytes at most for each of its units.
  return record.length * 3 > recordBytesMax && Buffer.byteLength(record) > recordBytesMax;
}

function tooLong(line: number): AppError {
  return unreadable(`the row at line ${line} is longer than 1 MiB; a quote before it may not be closed`);
}

function unreadable(why: string): AppError {
  return new AppError('invalid', `The file cannot be read further: ${why}; mend it and import it again.`);
}
