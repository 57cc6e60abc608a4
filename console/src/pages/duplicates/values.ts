import { fieldNames, type TextField } from '../contact/fields.ts';
import type { WholePerson } from '../contacts/person.ts';

const attributePrefix = 'attributes.';
/** The parts of a name go with it. */
const merged = fieldNames.filter((name) => name !== 'first_name' && name !== 'last_name');

/** A field of a merge, as text; empty if it is not known. */
export function valueIn(person: WholePerson, field: string): string {
  if (field === 'tags') return person.tags.join(', ');
  const name = field.slice(attributePrefix.length);
  const value = field.startsWith(attributePrefix) ? person.attributes[name] : person[field as TextField];
  return String(value ?? '');
}

/** The fields of which anything is known, and whether there are several values to choose from. Tags are joined. */
export function fieldsOf(people: readonly WholePerson[]): { field: string; isChoice: boolean }[] {
  const names = new Set(people.flatMap(({ attributes }) => Object.keys(attributes)));
  const all = [...merged, 'tags', ...[...names].map((name) => `${attributePrefix}${name}`)];
  return all.flatMap((field) => {
    const values = new Set(people.map((person) => valueIn(person, field)).filter((value) => value !== ''));
    return values.size === 0 ? [] : { field, isChoice: values.size > 1 && field !== 'tags' };
  });
}

const knownIn = (person: WholePerson) => fieldsOf([person]).length;

/** Of those who know as much the oldest. */
export function mostComplete(people: readonly WholePerson[]): WholePerson {
  return people.reduce((best, one) => {
    const more = knownIn(one) - knownIn(best);
    return more > 0 || (more === 0 && one.created_at < best.created_at) ? one : best;
  });
}
