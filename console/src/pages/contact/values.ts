import type { WholePerson } from '../contacts/person.ts';
import { attributeField, fieldNames, type TextField } from './fields.ts';

/** A field as text; empty if it is not known. An attribute is a field of its own. */
export function valueIn(person: WholePerson, field: string): string {
  if (field === 'tags') return person.tags.join(', ');
  const name = field.slice(attributeField().length);
  const value = field.startsWith(attributeField()) ? person.attributes[name] : person[field as TextField];
  return String(value ?? '');
}

/** The fields in which anything is known of one of them. */
export function fieldsOf(people: readonly WholePerson[]): string[] {
  const attributes = new Set(people.flatMap((person) => Object.keys(person.attributes)));
  const all = [...fieldNames, 'tags', ...[...attributes].map(attributeField)];
  return all.filter((field) => people.some((person) => valueIn(person, field) !== ''));
}
