import type { FieldErrorCode } from '../errors.ts';
import { invalid } from '../validation.ts';
import { hasAtMost } from '../values/storable.ts';
import {
  type Attributes,
  contactDetailNames,
  contactDetails,
  furtherDetailNames,
  type StoredContact,
} from './contact.ts';
import {
  type AttributeChanges,
  attributesBytesMax,
  attributesMax,
  type Properties,
  type TagChanges,
  tagLengthMax,
  tagsMax,
} from './properties.ts';

export const detailNames = [...contactDetailNames, ...furtherDetailNames] as const;
/** In the order in which the interface shows them. */
const changeable = [...detailNames, 'external_id', 'attributes', 'tags'] as const;

/** The contact with these properties written. Throws `invalid` where the whole breaks a limit. */
export function apply(contact: StoredContact, properties: Properties): StoredContact {
  const { attributes, tags, ...texts } = properties;
  const after: StoredContact = {
    ...contact,
    ...texts,
    ...namesAfter(contact, properties),
    ...(attributes !== undefined && { attributes: mergeAttributes(contact.attributes, attributes) }),
    ...(tags !== undefined && { tags: changeTags(contact.tags, tags) }),
  };
  if (detailNames.every((name) => after[name] === null)) {
    const verb = detailNames.every((name) => contact[name] === null) ? 'have' : 'leave';
    const message = `must ${verb} a name, an e-mail or another property that is not external_id, attributes or tags`;
    throw refused('', 'required', message);
  }
  return after;
}

/** The names of the properties in which two contacts differ, in the order of the interface. */
export function changedNames(before: StoredContact, after: StoredContact): string[] {
  return changeable.filter((name) => comparable(before[name]) !== comparable(after[name]));
}

function comparable(value: StoredContact[(typeof changeable)[number]]): string | null {
  return typeof value === 'string' || value === null ? value : JSON.stringify(value);
}

/** `name` is made of its two parts where one of them changes, and clears them where it is written itself. */
function namesAfter(contact: StoredContact, properties: Properties): Partial<StoredContact> {
  const { name, first_name: first = contact.first_name, last_name: last = contact.last_name } = properties;
  if (name !== undefined) return { name, first_name: null, last_name: null };
  const isWhole = properties.first_name !== undefined && properties.last_name !== undefined;
  if (!isWhole && first === contact.first_name && last === contact.last_name) return {};
  const joined = [first, last].filter((part) => part !== null).join(' ');
  const { lengthMax } = contactDetails.name;
  if (!hasAtMost(joined, lengthMax)) {
    throw refused('name', 'too_long', `must have at most ${lengthMax} characters, and is made of first and last name`);
  }
  return { name: joined === '' ? null : joined };
}

function mergeAttributes(before: StoredContact['attributes'], changes: AttributeChanges | null) {
  if (changes === null) return {};
  const merged = Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null);
  if (merged.length > attributesMax) {
    throw refused('attributes', 'too_many', `must be at most ${attributesMax}`);
  }
  const after = attributesOf(merged as [string, Attributes[string]][]);
  if (Buffer.byteLength(JSON.stringify(after)) > attributesBytesMax) {
    throw refused('attributes', 'too_large', `must have at most ${attributesBytesMax} bytes as JSON`);
  }
  return after;
}

function changeTags(before: readonly string[], changes: TagChanges | null): string[] {
  const { kept, added } = isList(changes)
    ? { kept: [], added: changes }
    : { kept: changes === null ? [] : before, added: changes?.add ?? [] };
  const removed = new Set(isList(changes) ? [] : (changes?.remove ?? []).map((tag) => tag.toLowerCase()));
  const tags = tagsOf([...kept, ...added]).filter((tag) => !removed.has(tag));
  if (!tags.every((tag) => hasAtMost(tag, tagLengthMax))) {
    throw refused('tags', 'too_long', `must have at most ${tagLengthMax} characters each`);
  }
  if (tags.length > tagsMax) throw refused('tags', 'too_many', `must be at most ${tagsMax}`);
  return tags;
}

/** Attributes as they are stored: sorted by name. */
export function attributesOf(entries: readonly (readonly [string, Attributes[string]])[]): Attributes {
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Tags as they are stored: in lower case, each once, sorted. */
export function tagsOf(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => tag.toLowerCase()))].toSorted((a, b) => (a < b ? -1 : 1));
}

function isList(changes: TagChanges | null): changes is readonly string[] {
  return Array.isArray(changes);
}

function refused(name: string, code: FieldErrorCode, message: string) {
  return invalid([{ field: name === '' ? 'properties' : `properties.${name}`, code, message }]);
}
