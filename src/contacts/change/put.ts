import type { FieldError, FieldErrorCode } from '../../errors.ts';
import { emailKey } from '../../values/email.ts';
import { hasAtMost } from '../../values/text.ts';
import { type Attributes, contactDetails, type StoredContact } from '../contact.ts';
import {
  type AttributeChanges,
  attributesBytesMax,
  attributesMax,
  type TagChanges,
  tagLengthMax,
  tagsMax,
} from '../properties.ts';
import { type Given, isSomebody, type Mode } from './given.ts';

/** The contact with the given values, the same object if nothing is new; and the faults of the whole contact. */
export function put(
  before: StoredContact,
  { texts, attributes, tags }: Given,
  mode: Mode,
): { after: StoredContact; errors: FieldError[] } {
  let after = before;
  // Most rows of a second import bring nothing new, and need no copy.
  const own = () => (after === before ? (after = { ...before }) : after);
  const errors: FieldError[] = [];
  const refuse = (field: string, code: FieldErrorCode, message: string) => errors.push({ field, code, message });
  for (const name of Object.keys(texts) as (keyof typeof texts)[]) {
    const text = texts[name];
    if (text === undefined || text === before[name]) continue;
    if (name === 'email' && mode === 'complete' && isSameAddress(text, before.email)) continue;
    own()[name] = text;
  }
  const names = namesAfter(before, after, texts, mode);
  if (names) {
    const { lengthMax } = contactDetails.name;
    if (names.name !== null && !hasAtMost(names.name, lengthMax)) {
      refuse('name', 'too_long', `must have at most ${lengthMax} characters, and is made of first and last name`);
    }
    Object.assign(own(), names);
  }
  if (attributes !== undefined) {
    const merged = attributesAfter(before.attributes, attributes ?? {}, attributes === null ? 'mirror' : mode);
    if (Object.keys(merged).length > attributesMax)
      refuse('attributes', 'too_many', `must be at most ${attributesMax}`);
    else if (Buffer.byteLength(JSON.stringify(merged)) > attributesBytesMax) {
      refuse('attributes', 'too_large', `must have at most ${attributesBytesMax} bytes as JSON`);
    }
    own().attributes = merged;
  }
  if (tags !== undefined) {
    const changed = tagsAfter(before.tags, tags);
    if (!changed.every((tag) => hasAtMost(tag, tagLengthMax))) {
      refuse('tags', 'too_long', `must have at most ${tagLengthMax} characters each`);
    } else if (changed.length > tagsMax) refuse('tags', 'too_many', `must be at most ${tagsMax}`);
    own().tags = changed;
  }
  if (!isSomebody(after)) {
    const verb = isSomebody(before) ? 'leave' : 'have';
    const needed = 'a name, an e-mail or another property that is not external_id, attributes or tags';
    refuse('', 'required', `must ${verb} ${needed}`);
  }
  return { after, errors };
}

function isSameAddress(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && emailKey(one) === emailKey(other);
}

/** Parts make the name unless it says more than they do. A name alone clears them; in an import only another name does. */
function namesAfter(
  before: StoredContact,
  after: StoredContact,
  { name, first_name: first, last_name: last }: Given['texts'],
  mode: Mode,
): (Partial<Pick<StoredContact, 'first_name' | 'last_name'>> & { name: string | null }) | undefined {
  if (first === undefined && last === undefined) {
    if (name === undefined || (name === before.name && mode !== 'set')) return undefined;
    return { name, first_name: null, last_name: null };
  }
  if (name === undefined) {
    const isNew = after.first_name !== before.first_name || after.last_name !== before.last_name;
    const isWhole = first !== undefined && last !== undefined;
    if (!isNew && !isWhole) return undefined;
  } else if (name !== joined(first, last)) return undefined;
  return { name: joined(after.first_name, after.last_name) };
}

function joined(first: string | null | undefined, last: string | null | undefined): string | null {
  return [first, last].filter((part) => part != null).join(' ') || null;
}

function attributesAfter(before: Attributes, given: AttributeChanges, mode: Mode): Attributes {
  const changes = Object.entries(given).filter(([name, value]) => mode !== 'complete' || isNews(before, name, value));
  if (mode === 'complete' && changes.length === 0) return before;
  const merged = { ...(mode !== 'mirror' && before), ...Object.fromEntries(changes) };
  return attributesOf(
    Object.entries(merged).filter((entry): entry is [string, Attributes[string]] => entry[1] !== null),
  );
}

/** CSV has only texts: a text that reads like the stored number, true or false changes nothing. */
function isNews(before: Attributes, name: string, value: AttributeChanges[string]): boolean {
  const known = Object.hasOwn(before, name) ? before[name] : undefined;
  return known === undefined || (known !== value && String(known) !== value);
}

function tagsAfter(before: readonly string[], changes: TagChanges | null): readonly string[] {
  if (changes === null) return [];
  if (isList(changes)) return tagsOf(changes);
  const removed = new Set((changes.remove ?? []).map((tag) => tag.toLowerCase()));
  return tagsOf([...before, ...(changes.add ?? [])]).filter((tag) => !removed.has(tag));
}

function isList(changes: TagChanges): changes is readonly string[] {
  return Array.isArray(changes);
}

export function attributesOf(entries: readonly (readonly [string, Attributes[string]])[]): Attributes {
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

export function tagsOf(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => tag.toLowerCase()))].toSorted((a, b) => (a < b ? -1 : 1));
}
