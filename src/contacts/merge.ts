import { attributesOf } from './apply.ts';
import type { Attributes, StoredContact } from './contact.ts';
import type { ContactDraft, ContactTexts } from './draft.ts';

/** The contact with what a row of a file says; what the row does not have stays. */
export function complete(contact: StoredContact, { texts, attributes, tags }: ContactDraft): StoredContact {
  const after = { ...contact };
  for (const field of Object.keys(texts) as (keyof ContactTexts)[]) {
    const text = texts[field];
    if (field !== 'id' && field !== 'created_at' && text !== undefined) after[field] = text;
  }
  if (attributes) after.attributes = merged(contact.attributes, attributes);
  if (tags) after.tags = tags;
  setName(after, contact, texts);
  return after;
}

/**
 * A name and its parts in one row are kept as given, unless the name says no more than the parts. Parts alone make the
 * name of the two that then stand; another name alone clears them.
 */
function setName(after: StoredContact, before: StoredContact, given: ContactTexts): void {
  const { name, first_name: first, last_name: last } = given;
  if (first === undefined && last === undefined) {
    if (name === undefined || name === before.name) return;
    after.first_name = null;
    after.last_name = null;
  } else if (name === undefined || name === joined(first, last)) {
    after.name = joined(after.first_name, after.last_name);
  }
}

function joined(first: string | null | undefined, last: string | null | undefined): string {
  return [first, last].filter((part) => part !== null && part !== undefined).join(' ');
}

/** A text that is written like the number, true or false that is stored leaves it: CSV has texts only. */
function merged(before: Attributes, given: Attributes): Attributes {
  const fresh = Object.entries(given).filter(([name, value]) => {
    const known = Object.hasOwn(before, name) ? before[name] : undefined;
    return known === undefined || (known !== value && String(known) !== value);
  });
  return fresh.length === 0 ? before : attributesOf(Object.entries({ ...before, ...Object.fromEntries(fresh) }));
}
