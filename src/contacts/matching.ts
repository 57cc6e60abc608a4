import type { Find, Matching } from '../imports.ts';
import { emailKey } from '../values/email.ts';
import { newId } from '../values/identifier.ts';
import { hasAtMost } from '../values/storable.ts';
import { formatTimestamp } from '../values/timestamp.ts';
import { detailNames } from './apply.ts';
import { attributeColumns } from './columns.ts';
import { contactDetails, type StoredContact, unknownContact } from './contact.ts';
import { type ContactDraft, hasNothing } from './draft.ts';
import { binKey, draftKeys, personKeys } from './import-keys.ts';
import { complete } from './merge.ts';
import { attributesBytesMax, attributesMax } from './properties.ts';

function digestToKeep({ texts: { id, external_id: externalId, email }, digest }: ContactDraft): string | null {
  return id === undefined && externalId === undefined && email === undefined ? digest : null;
}

export function contactMatching(now = new Date()): Matching<ContactDraft, StoredContact> {
  const importedAt = formatTimestamp(now);
  return {
    draftKeys,
    personKeys,
    rank: (contact) => contact.inserted_as ?? contact.id,
    // Two people of another system may share an address.
    mayMean: ({ external_id: known }, { texts: { id, external_id: given } }) =>
      id !== undefined || given === undefined || known === null || known === given,
    claim: (contact, draft) => {
      const digest = digestToKeep(draft) ?? contact.import_digest;
      return digest === contact.import_digest ? contact : { ...contact, import_digest: digest };
    },
    create: (draft, stored) => {
      const { id, created_at: createdAt = importedAt } = draft.texts;
      const [deleted] = id === undefined ? [] : stored(binKey(id));
      if (deleted) return changed(deleted, draft);
      const identity = {
        id: id ?? newId(),
        created_at: createdAt,
        import_digest: digestToKeep(draft),
        inserted_as: id === undefined ? null : newId(),
      };
      return complete({ ...unknownContact, ...identity, updated_at: importedAt }, draft);
    },
    merge: changed,
    differing,
    isKnown: (contact, field) => {
      if (field.startsWith(attributeColumns.prefix)) {
        return Object.hasOwn(contact.attributes, field.slice(attributeColumns.prefix.length));
      }
      return field === 'tags' ? contact.tags.length > 0 : contact[field as ComparedField] !== null;
    },
    remark: (before, after, key) =>
      key.startsWith('email:') && !shareAWord(before.name, after.name)
        ? 'an e-mail that was known has come with another name'
        : undefined,
    objection,
  };
}

/** Whether the two names share a word; true if one is missing. */
function shareAWord(one: string | null, other: string | null): boolean {
  if (one === null || other === null || one === other) return true;
  const words = wordsIn(one);
  return wordsIn(other).some((word) => words.includes(word));
}

function wordsIn(name: string): string[] {
  return name.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** The contact with the row, changed now where the row differs. */
function changed(contact: StoredContact, draft: ContactDraft): StoredContact {
  const after = complete(contact, draft);
  return differing(contact, after).length === 0 ? contact : { ...after, updated_at: formatTimestamp(new Date()) };
}

const comparedFields = [...detailNames, 'external_id'] as const;
type ComparedField = (typeof comparedFields)[number];

function differing(before: StoredContact, after: StoredContact): string[] {
  if (before === after) return [];
  const fields: string[] = comparedFields.filter(
    (field) => before[field] !== after[field] && comparable(before, field) !== comparable(after, field),
  );
  if (before.attributes !== after.attributes) {
    for (const [name, value] of Object.entries(after.attributes)) {
      const isSame = Object.hasOwn(before.attributes, name) && before.attributes[name] === value;
      if (!isSame) fields.push(`${attributeColumns.prefix}${name}`);
    }
  }
  if (before.tags !== after.tags && before.tags.join() !== after.tags.join()) fields.push('tags');
  return fields;
}

function comparable(contact: StoredContact, field: ComparedField): string | null {
  const text = contact[field];
  return field === 'email' && text !== null ? emailKey(text) : text;
}

function objection(
  before: StoredContact | undefined,
  after: StoredContact,
  find: Find<StoredContact>,
): string | undefined {
  const { id, external_id: externalId, name, attributes } = after;
  if (externalId !== null && externalId !== before?.external_id) {
    const other = find(`external_id:${externalId}`);
    if (other && other.id !== id) return 'external_id is that of another contact';
  }
  const { lengthMax } = contactDetails.name;
  if (name !== null && !hasAtMost(name, lengthMax)) return `name is longer than ${lengthMax} characters`;
  if (detailNames.every((field) => after[field] === null)) return hasNothing;
  if (attributes === unknownContact.attributes || attributes === before?.attributes) return undefined;
  if (Object.keys(attributes).length > attributesMax) return `attributes would be more than ${attributesMax}`;
  const { length } = Buffer.from(JSON.stringify(attributes));
  return length > attributesBytesMax ? `attributes would have more than ${attributesBytesMax} bytes` : undefined;
}
