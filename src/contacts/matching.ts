import type { Matching } from '../imports.ts';
import { emailKey } from '../values/email.ts';
import { newId } from '../values/identifier.ts';
import { formatTimestamp } from '../values/timestamp.ts';
import {
  checkContact,
  type Contact,
  contactColumns,
  type ContactField,
  contactFields,
  type ContactTexts,
  eachDetail,
  type StoredContact,
  unknownContact,
} from './contact.ts';
import { earlierDigest } from './earlier-digest.ts';

export interface ContactDraft {
  texts: ContactTexts;
  digest: string;
  /** The texts as an earlier version would have picked them, where they differ. */
  earlier?: ContactTexts;
}

export const contactReader = {
  columns: contactColumns,
  // Until names were joined with middle names and suffixes.
  earlier: { name: { headings: 'name fullname contactname displayname firstname+lastname givenname+familyname' } },
  // A file without any of these would make people whom nobody can tell apart.
  needed: [['id', 'name', 'email', 'phone']],
  foundBy: ['id', 'email'],
  optional: contactFields.filter((field) => field !== 'id'),
  draft: draftContact,
} as const;

function draftContact(
  texts: ContactTexts,
  digest: string,
  earlier?: ContactTexts,
): ContactDraft | { objections: string[] } {
  const checked = checkContact(texts);
  if ('objections' in checked) return checked;
  if (earlier === undefined) return { texts: checked, digest };
  const { created_at } = checked;
  return { texts: checked, digest, earlier: created_at === undefined ? earlier : { ...earlier, created_at } };
}

/** The keys by which a row finds its contact, best first: by id, else by e-mail, else by its digests. */
export function contactKeys({ texts, digest, earlier = texts }: ContactDraft): readonly [string, ...string[]] {
  if (texts.id !== undefined) return [`id:${texts.id}`];
  if (texts.email !== undefined) return [`email:${emailKey(texts.email)}`];
  return [`digest:${digest}`, `digest:${earlierDigest(earlier)}`];
}

function digestToKeep({ texts, digest }: ContactDraft): string | null {
  return texts.id === undefined && texts.email === undefined ? digest : null;
}

export function contactMatching(now = new Date()): Matching<ContactDraft, StoredContact> {
  const importedAt = formatTimestamp(now);
  return {
    draftKeys: contactKeys,
    personKeys: (contact) => {
      const keys: [string, ...string[]] = [`id:${contact.id}`];
      if (contact.email !== null) keys.push(`email:${emailKey(contact.email)}`);
      if (contact.import_digest !== null) keys.push(`digest:${contact.import_digest}`);
      return keys;
    },
    rank: (contact) => contact.inserted_as ?? contact.id,
    claim: (contact, draft) => {
      const digest = digestToKeep(draft) ?? contact.import_digest;
      return digest === contact.import_digest ? contact : { ...contact, import_digest: digest };
    },
    create: (draft) => ({
      ...unknownContact,
      id: draft.texts.id ?? newId(),
      ...eachDetail((field) => draft.texts[field] ?? null),
      created_at: draft.texts.created_at ?? importedAt,
      updated_at: importedAt,
      import_digest: digestToKeep(draft),
      inserted_as: draft.texts.id === undefined ? null : newId(),
    }),
    merge: (contact, { texts }) => ({
      ...contact,
      ...eachDetail((field) => texts[field] ?? contact[field]),
    }),
    differing: (before, after) =>
      contactFields.filter((field) => comparable(before, field) !== comparable(after, field)),
    objection: () => undefined,
  };
}

function comparable(contact: Contact, field: ContactField): string | null {
  const text = contact[field];
  return field === 'email' && text !== null ? emailKey(text) : text;
}
