import { defused } from '../../../../src/files/formulas.ts';
import type { AttributeValue, WholePerson } from './person.ts';

const fieldsBefore = (
  'id name email job_title phone website company created_at ' +
  'first_name last_name industry address city state postal_code country external_id'
).split(' ');
const prefix = 'attributes.';

/** The columns of `roster contacts export`, in its order. */
export function columnsWith(attributeNames: Iterable<string>): string[] {
  const attributes = [...attributeNames].toSorted().map((name) => prefix + name);
  return [...fieldsBefore, ...attributes, 'tags'];
}

export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\n`;
}

export function cellsOf(person: WholePerson, columns: readonly string[]): string[] {
  const record = person as unknown as Record<string, Value>;
  return columns.map((column) =>
    cell(column.startsWith(prefix) ? person.attributes[column.slice(prefix.length)] : record[column]),
  );
}

type Value = AttributeValue | readonly string[] | null | undefined;

function cell(value: Value): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return defused(value.join(','));
  return defused(typeof value === 'string' ? value : JSON.stringify(value));
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
