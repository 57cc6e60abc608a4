import { JSONParser } from '@streamparser/json';

import { AppError } from '../errors.ts';
import { isObject, isTooDeep, tooDeep } from '../values/json-text.ts';
import { isAboutSomebody } from './headings.ts';
import { sizeText, type SourceRow } from './source-row.ts';

const notAnArray = 'The file is not a JSON array of objects; for one object a line use --format ndjson.';

export function listHint(name: string): string {
  return `The file is one object, and its list is under "${name}"; write the list to a file of its own, and import that: jq .${name} FILE > list.json.`;
}

/** Skips empty lines; a line that is no object becomes a row with a problem. */
export async function* readNdjson(text: AsyncIterable<string>, rowMax: number): AsyncGenerator<SourceRow[]> {
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
    if (rest.length > rowMax) {
      const advice = 'is the file NDJSON? Say with --format.';
      throw new AppError('invalid', `Line ${line + 1} is longer than ${sizeText(rowMax)}; ${advice}`);
    }
  }
  if (rest.trim() !== '') yield [parseLine(rest, line + 1)];
}

function parseLine(text: string, line: number): SourceRow {
  if (isTooDeep(text)) return unreadable(text, line, `is ${tooDeep}`);
  try {
    return toRow(JSON.parse(text), line);
  } catch {
    return unreadable(text, line, 'is not JSON');
  }
}

function unreadable(text: string, line: number, problem: string): SourceRow {
  return { line, headings: [], cells: [text], problem };
}

export async function* readJson(text: AsyncIterable<string>, rowMax: number): AsyncGenerator<SourceRow[]> {
  const ready: SourceRow[] = [];
  let place = 0;
  let hasBegun = false;
  let length = 0;
  const parser = new JSONParser({ paths: ['$.*'], keepStack: false });
  parser.onValue = ({ value }) => {
    const text = isNested(value) ? jsonText(value) : '';
    const isDeep = text === undefined || isTooDeep(text);
    ready.push(isDeep ? unreadable(text ?? '', ++place, `is ${tooDeep}`) : toRow(value, ++place));
  };
  try {
    for await (const chunk of text) {
      if (!hasBegun && /^\s*[^\s[]/.test(chunk)) {
        const [, name = ''] = /^\s*\{[^{}]*?"([a-z_]\w*)"\s*:\s*\[/i.exec(chunk) ?? [];
        throw new AppError('invalid', name === '' || isAboutSomebody(name) ? notAnArray : listHint(name));
      }
      hasBegun ||= chunk.trim() !== '';
      parser.write(chunk);
      length = ready.length > 0 ? 0 : length + chunk.length;
      const tooLong = `Entry ${place + 1} of the array is longer than ${sizeText(rowMax)}; fix it and import it again.`;
      if (length > rowMax) throw new AppError('invalid', tooLong);
      yield ready.splice(0);
    }
    if (!parser.isEnded) throw new Error('incomplete');
  } catch (error) {
    if (error instanceof AppError) throw error;
    const sentence = `The file is no JSON after entry ${place} of the array; fix it and import it again.`;
    throw new AppError('invalid', sentence);
  }
}

function isNested(value: unknown): boolean {
  return isObject(value) && Object.values(value).some(isObject);
}

function toRow(value: unknown, line: number): SourceRow {
  if (!isObject(value) || Array.isArray(value)) {
    return unreadable(jsonText(value) ?? '', line, 'is not a JSON object');
  }
  // A rejects file keeps a line that was no JSON as text.
  if ('roster_text' in value && typeof value.roster_text === 'string') return parseLine(value.roster_text, line);
  return { line, headings: Object.keys(value), cells: Object.values(value) };
}

export function listIn({ headings, cells }: SourceRow): string | undefined {
  return headings.find((name, place) => {
    const cell = cells[place];
    return /^[a-z_]\w*$/i.test(name) && !isAboutSomebody(name) && Array.isArray(cell) && typeof cell[0] === 'object';
  });
}

export function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
