import { stringify } from 'csv-stringify/sync';

import { defused } from './csv.ts';
import type { Format } from './formats.ts';

/** The text of a file that an import reads back without a change, in pieces. Lists are joined by `,`. */
export async function* exportPeople<Person extends object>(
  pages: AsyncIterable<readonly Person[]>,
  fields: readonly (keyof Person & string)[],
  format: Format,
): AsyncGenerator<string> {
  let first = true;
  if (format === 'csv') yield stringify([fields]);
  if (format === 'json') yield '[';
  for await (const page of pages) {
    if (format === 'csv') {
      yield stringify(page.map((person) => fields.map((field) => cell(person[field]))));
    } else if (format === 'ndjson') {
      yield page.map((person) => `${JSON.stringify(person)}\n`).join('');
    } else {
      yield page
        .map((person, index) => `${first && index === 0 ? '\n' : ',\n'}${JSON.stringify(person)}`)
        .join('');
    }
    first = false;
  }
  if (format === 'json') yield '\n]\n';
}

function cell(value: unknown): string {
  if (value === null) return '';
  if (Array.isArray(value)) return defused(value.join(','));
  return defused(typeof value === 'string' ? value : JSON.stringify(value));
}
