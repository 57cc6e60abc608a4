import { attributesOf } from './apply.ts';
import type { Attributes, StoredContact } from './contact.ts';
import type { ContactDraft, ContactTexts } from './draft.ts';

/** The contact with what a row of a file says; what the row does not have stays. */
export function complete(contact: StoredContact, { texts, attributes, tags }: ContactDraft): StoredContact {
  let after = contact;
  // Most rows of a second import say nothing new: those are not copied.
  const own = () => (after === contact ? (after = { ...contact }) : after);
  for (const field of Object.keys(texts) as (keyof ContactTexts)[]) {
    const text = texts[field];
    if (text === undefined || field === 'id' || field === 'created_at' || text === contact[field]) continue;
    own()[field] = text;
  }
  if (attributes) own().attributes = merged(contact.attributes, attributes);
  if (tags) own().tags = tags;
  const names = namesAfter(contact, after, texts);
  if (names) Object.assign(own(), names);
  return after;
}

/**
 * A name and its parts in one row are kept as given, unless the name says no more than the parts. Parts alone make the
 * name of the two that then stand; another name alone clears them.
 */
function namesAfter(
  before: StoredContact,
  after: StoredContact,
  { name, first_name: first, last_name: last }: ContactTexts,
): Partial<StoredContact> | undefined {
  if (first === undefined && last === undefined) {
    return name === undefined || name === before.name ? undefined : { first_name: null, last_name: null };
  }
  if (name !== undefined && name !== joined(first, last)) return undefined;
  return { name: joined(after.first_name, after.last_name) };
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
