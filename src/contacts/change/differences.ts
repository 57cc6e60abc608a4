import { detailNames, type StoredContact } from '../contact.ts';

const texts = [...detailNames, 'external_id'] as const;

/** The properties in which two states of a contact differ, in the interface's order; each attribute by its name. */
export function differences(before: StoredContact, after: StoredContact): string[] {
  if (before === after) return [];
  const names: string[] = texts.filter((name) => before[name] !== after[name]);
  if (before.attributes !== after.attributes) {
    const attributes = new Set([...Object.keys(before.attributes), ...Object.keys(after.attributes)]);
    for (const name of attributes) {
      if (valueAt(before, name) !== valueAt(after, name)) names.push(`${attributePrefix}${name}`);
    }
  }
  if (before.tags !== after.tags && before.tags.join() !== after.tags.join()) names.push('tags');
  return names;
}

export const attributePrefix = 'attributes.';

function valueAt({ attributes }: StoredContact, name: string) {
  return Object.hasOwn(attributes, name) ? attributes[name] : undefined;
}

export function propertiesAmong(names: readonly string[]): string[] {
  return [...new Set(names.map((name) => (name.startsWith(attributePrefix) ? 'attributes' : name)))];
}

export function isKnown(contact: StoredContact, name: string): boolean {
  if (name.startsWith(attributePrefix)) return valueAt(contact, name.slice(attributePrefix.length)) !== undefined;
  return name === 'tags' ? contact.tags.length > 0 : contact[name as (typeof texts)[number]] !== null;
}
