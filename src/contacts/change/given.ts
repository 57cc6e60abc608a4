import { objectionToText } from '../../values/text.ts';
import { contactDetails, detailNames, furtherDetails, type StoredContact } from '../contact.ts';
import { type AttributeChanges, externalIdMax, type TagChanges, type TextProperty } from '../properties.ts';

/** The values that a change gives a contact, from any source. Null clears a value; a missing one stays. */
export interface Given {
  texts: Partial<Readonly<Record<TextProperty | 'import_digest', string | null>>>;
  attributes?: AttributeChanges | null | undefined;
  tags?: TagChanges | null | undefined;
}

/** A caller sets what is given, a file completes what is known, a mirror makes the contact what it is at the source. */
export type Mode = 'set' | 'complete' | 'mirror';

export interface Change {
  readonly op: 'create' | 'update' | 'upsert' | 'delete' | 'restore';
  readonly mode: Mode;
  /** Keys by which it finds its contact, in order of preference. */
  readonly keys: readonly string[];
  readonly given: Given;
  /** Further values of a new contact; without them an upsert creates none. An id in the bin restores that contact. */
  readonly ifNew?: Partial<Pick<StoredContact, 'id' | 'created_at' | 'email' | 'external_id'>>;
}

const checked: Partial<Record<string, { objectionTo(text: string): string | undefined }>> = {
  ...contactDetails,
  ...furtherDetails,
  external_id: { objectionTo: (text) => objectionToText(text, externalIdMax) },
};

export function objectionTo(field: string, text: string): string | undefined {
  return checked[field]?.objectionTo(text);
}

export function isSomebody(texts: Readonly<Partial<Record<(typeof detailNames)[number], string | null>>>): boolean {
  return detailNames.some((name) => texts[name] != null);
}

const textNames = [...detailNames, 'external_id'] as const;

/** The properties in which two states of a contact differ, in the interface's order; each attribute by its name. */
export function differences(before: StoredContact, after: StoredContact): string[] {
  if (before === after) return [];
  const names: string[] = textNames.filter((name) => before[name] !== after[name]);
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

export function valueAt({ attributes }: StoredContact, name: string) {
  return Object.hasOwn(attributes, name) ? attributes[name] : undefined;
}

export function propertiesAmong(names: readonly string[]): string[] {
  return [...new Set(names.map((name) => (name.startsWith(attributePrefix) ? 'attributes' : name)))];
}

export function isKnown(contact: StoredContact, name: string): boolean {
  if (name.startsWith(attributePrefix)) return valueAt(contact, name.slice(attributePrefix.length)) !== undefined;
  return name === 'tags' ? contact.tags.length > 0 : contact[name as (typeof textNames)[number]] !== null;
}
