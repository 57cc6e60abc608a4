import type { Find, Matching } from '../imports.ts';
import { emailKey } from '../values/email.ts';
import { hasAtMost, newId } from '../values/identifier.ts';
import { formatTimestamp } from '../values/timestamp.ts';
import { detailNames } from './apply.ts';
import { attributeColumns, contactColumns, type ImportedField } from './columns.ts';
import { contactDetails, contactFields, furtherDetailNames, type StoredContact, unknownContact } from './contact.ts';
import { checkContact, type ContactDraft, type ContactTexts, hasNothing } from './draft.ts';
import { earlierDigest } from './earlier-digest.ts';
import { complete } from './merge.ts';
import { attributesBytesMax, attributesMax } from './properties.ts';

export const contactReader = {
  columns: contactColumns,
  open: attributeColumns,
  // Until names were joined with middle names and suffixes.
  earlier: { name: { headings: 'name fullname contactname displayname firstname+lastname givenname+familyname' } },
  // A file without any of these would make people whom nobody can tell apart.
  needed: [['id', 'name', 'email', 'phone', 'external_id']],
  foundBy: ['id', 'external_id', 'email'],
  optional: [...contactFields.filter((field) => field !== 'id'), ...furtherDetailNames, 'tags', 'attributes'],
  draft: draftContact,
} as const satisfies { optional: readonly ImportedField[]; [more: string]: unknown };

function draftContact(
  { texts, values }: { texts: ContactTexts; values?: Record<string, unknown> },
  digest: string,
  earlier?: ContactTexts,
): ContactDraft | { objections: string[] } {
  const checked = checkContact(texts, values);
  if ('objections' in checked) return checked;
  if (earlier === undefined) return { ...checked, digest };
  const { created_at } = checked.texts;
  return { ...checked, digest, earlier: created_at === undefined ? earlier : { ...earlier, created_at } };
}

/** The keys by which a row finds its contact: by id, else by external id, e-mail or all cells, whichever is the first. */
function draftKeys({ texts, digest, earlier = texts }: ContactDraft): [string, ...string[]] {
  const { id, external_id: externalId, email } = texts;
  if (id !== undefined) return [`id:${id}`];
  const keys: [string, ...string[]] =
    email === undefined ? [`digest:${digest}`, `digest:${earlierDigest(earlier)}`] : [`email:${emailKey(email)}`];
  if (externalId !== undefined) keys.unshift(`external_id:${externalId}`);
  return keys;
}

/** The keys of everybody who matters for a row: whom it may mean, and who has its external id. */
export function contactKeys(draft: ContactDraft): string[] {
  const { id, external_id: externalId } = draft.texts;
  return id === undefined || externalId === undefined ? draftKeys(draft) : [`id:${id}`, `external_id:${externalId}`];
}

/** Under this key a batch finds somebody in the bin. */
export function binKey(contactId: string): string {
  return `bin:${contactId}`;
}

function digestToKeep({ texts: { id, external_id: externalId, email }, digest }: ContactDraft): string | null {
  return id === undefined && externalId === undefined && email === undefined ? digest : null;
}

export function contactMatching(now = new Date()): Matching<ContactDraft, StoredContact> {
  const importedAt = formatTimestamp(now);
  return {
    draftKeys,
    personKeys: (contact) => {
      const keys: [string, ...string[]] = [`id:${contact.id}`];
      if (contact.external_id !== null) keys.push(`external_id:${contact.external_id}`);
      if (contact.email !== null) keys.push(`email:${emailKey(contact.email)}`);
      if (contact.import_digest !== null) keys.push(`digest:${contact.import_digest}`);
      return keys;
    },
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
    objection,
  };
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
