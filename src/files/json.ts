import { JSONParser } from '@streamparser/json';

import { AppError } from '../errors.ts';
import type { SourceRow } from './source-row.ts';

const lineLengthMax = 1_048_576;

/** Rows of newline-delimited JSON without the empty lines. A line that is no object becomes a row with a problem. */
export async function* readNdjson(text: AsyncIterable<string>): AsyncGenerator<SourceRow[]> {
  let line = 0;
  let rest = '';
  for await (const chunk of text) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    const rows: SourceRow[] = [];
    for (const one of lines) {
      line++;
      if (one.trim() !== '') rows.push(parseLine(one, line));
    }
    yield rows;
    if (rest.length > lineLengthMax) {
      throw new AppError(
        'invalid',
        `Line ${line + 1} is longer than 1 MiB; is the file NDJSON? Say with --format.`,
      );
    }
  }
  if (rest.trim() !== '') yield [parseLine(rest, line + 1)];
}

function parseLine(text: string, line: number): SourceRow {
  try {
    return toRow(JSON.parse(text), line);
  } catch {
    return { line, headings: [], cells: [], original: [text], problem: 'is not JSON' };
  }
}

/** Rows of a JSON array of objects, numbered by their place in it. */
export async function* readJson(text: AsyncIterable<string>): AsyncGenerator<SourceRow[]> {
  const ready: SourceRow[] = [];
  let place = 0;
  let begun = false;
  const parser = new JSONParser({ paths: ['$.*'], keepStack: false });
  parser.onValue = ({ value }) => {
    ready.push(toRow(value, ++place));
  };
  try {
    for await (const chunk of text) {
      if (!begun && /^\s*[^\s[]/.test(chunk)) throw notAnArray();
      begun ||= chunk.trim() !== '';
      parser.write(chunk);
      yield ready.splice(0);
    }
    if (!parser.isEnded) throw new Error('incomplete');
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError(
      'invalid',
      `The file is no JSON after entry ${place} of the array; mend it and import it again.`,
    );
  }
}

function notAnArray(): AppError {
  return new AppError(
    'invalid',
    'The file is not a JSON array of objects; for one object a line use --format ndjson.',
  );
}

function toRow(value: unknown, line: number): SourceRow {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return {
      line,
      headings: [],
      cells: [],
      original: [JSON.stringify(value)],
      problem: 'is not a JSON object',
    };
  }
  // The rejects file keeps a line that was no JSON as a text; once mended it is read from there.
  if ('roster_text' in value && typeof value.roster_text === 'string')
    return parseLine(value.roster_text, line);
  const cells = Object.values(value);
  return { line, headings: Object.keys(value), cells, original: cells };
}

/** Undefined for a value that is nested too deeply to be written. */
export function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
