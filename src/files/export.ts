import { stringify } from 'csv-stringify/sync';

import { printableJson } from '../values/printable.ts';
import type { Format } from './formats.ts';
import { defused } from './formulas.ts';

/** Yields the text of a file that an import reads back unchanged. */
export async function* exportPeople(
  pages: AsyncIterable<readonly object[]>,
  fields: readonly string[],
  format: Format,
): AsyncGenerator<string> {
  if (format === 'csv') yield stringify([fields]);
  if (format === 'json') yield '[';
  let separator = '\n';
  for await (const page of pages) {
    if (format === 'csv') {
      yield stringify(page.map((person) => fields.map((field) => cell((person as Record<string, unknown>)[field]))));
    } else if (format === 'ndjson') {
      yield page.map((person) => `${jsonLine(person)}\n`).join('');
    } else if (page.length > 0) {
      yield separator + page.map(jsonLine).join(',\n');
      separator = ',\n';
    }
  }
  if (format === 'json') yield '\n]\n';
}

function jsonLine(person: object): string {
  return printableJson(JSON.stringify(person));
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return defused(value.join(','));
  return defused(typeof value === 'string' ? value : JSON.stringify(value));
}
