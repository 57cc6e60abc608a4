import { hash } from 'node:crypto';

import { AppError } from '../errors.ts';
import type { Matching, Stored } from '../imports.ts';
import { isId, newId } from '../values/identifier.ts';
import {
  emailKey,
  emailLengthMax,
  objectionToEmail,
  objectionToText,
  objectionToWebsite,
  websiteLengthMax,
} from '../values/text.ts';
import { formatTimestamp, parseTimestamp, type Timestamp } from '../values/timestamp.ts';

/** A person whom a chatbot has met. Null means unknown; an empty text is never stored. */
export interface Contact {
  id: string;
  name: string | null;
  email: string | null;
  job_title: string | null;
  phone: string | null;
  website: string | null;
  company: string | null;
  created_at: Timestamp;
}

/** The six fields of which a contact needs at least one, in the interface's order. */
const contactDetails = ['name', 'email', 'job_title', 'phone', 'website', 'company'] as const;
export const contactFields = ['id', ...contactDetails, 'created_at'] as const;
export type ContactField = (typeof contactFields)[number];

/** Greatest lengths, in characters (code points). */
export const contactLengths = {
  name: 255,
  email: emailLengthMax,
  job_title: 255,
  phone: 64,
  website: websiteLengthMax,
  company: 255,
} as const;

/** A checked row of a file: what it says of a contact, and nothing where it is silent. */
export type ContactDraft = Partial<{ [Field in ContactField]: string }>;

/** A contact with what only an import needs to know of it. */
export interface StoredContact extends Contact {
  /** The digest of the row that created it, where that row had neither id nor e-mail. */
  import_digest: string | null;
  /** A UUIDv7 of the moment when it was stored, where its own id does not tell that: one from elsewhere. */
  inserted_as: string | null;
}

/** Chooses what to store once everybody whom the batch may mean is found. */
export type DecideContacts = (stored: Stored<StoredContact>) => StoredContact[];

export interface ContactStore {
  /** Undefined for a contact of another chatbot or project as for none at all. */
  findContact(projectId: string, chatbotId: string, contactId: string): Promise<Contact | undefined>;
  /** All contacts of a chatbot in pages, by id; a contact stored throughout is listed exactly once. */
  listContacts(projectId: string, chatbotId: string): AsyncIterable<Contact[]>;
  /** One batch, one transaction: finds by the keys of the drafts, lets `decide` choose, stores that or nothing. */
  importContacts(
    projectId: string,
    chatbotId: string,
    drafts: readonly ContactDraft[],
    decide: DecideContacts,
  ): Promise<void>;
}

/** The contact, or `not_found`; what belongs to others is as if it were not there. */
export async function retrieveContact(
  store: Pick<ContactStore, 'findContact'>,
  caller: { projectId: string },
  chatbotId: string,
  contactId: string,
): Promise<Contact> {
  const contact =
    isId(chatbotId) && isId(contactId)
      ? await store.findContact(caller.projectId, chatbotId, contactId)
      : undefined;
  if (!contact) throw new AppError('not_found', 'Not found');
  return contact;
}

/** The draft with its time in our form, or every objection to it: field by field, without the values. */
export function checkContact(draft: ContactDraft): ContactDraft | { objections: string[] } {
  const objections: string[] = [];
  if (draft.id !== undefined && !isId(draft.id)) objections.push('id is not 1 to 64 characters');
  for (const field of contactDetails) {
    const text = draft[field];
    const objection = text === undefined ? undefined : objectionTo(field, text);
    if (objection !== undefined) objections.push(`${field} ${objection}`);
  }
  const createdAt = draft.created_at === undefined ? undefined : parseTimestamp(draft.created_at);
  if (draft.created_at !== undefined && createdAt === undefined) {
    objections.push('created_at is not a time such as 2024-06-08T13:38:33+00:00');
  }
  if (contactDetails.every((field) => draft[field] === undefined)) {
    objections.push('has none of name, email, phone, company, job_title, website');
  }
  if (objections.length > 0) return { objections };
  return createdAt === undefined || createdAt === draft.created_at
    ? draft
    : { ...draft, created_at: createdAt };
}

function objectionTo(field: (typeof contactDetails)[number], text: string): string | undefined {
  if (field === 'email') return objectionToEmail(text);
  if (field === 'website') return objectionToWebsite(text);
  return objectionToText(text, contactLengths[field]);
}

/** How rows find contacts: by id; without one by e-mail; with neither, the same row finds what it made before. */
export function contactMatching(now = new Date()): Matching<ContactDraft, StoredContact> {
  const importedAt = formatTimestamp(now);
  return {
    draftKey: contactKey,
    personKeys: (contact) => {
      const keys: [string, ...string[]] = [`id:${contact.id}`];
      if (contact.email !== null) keys.push(`email:${emailKey(contact.email)}`);
      if (contact.import_digest !== null) keys.push(`digest:${contact.import_digest}`);
      return keys;
    },
    rank: (contact) => contact.inserted_as ?? contact.id,
    // Field by field: spreading a row of the database takes as long as finding it.
    create: (draft) => ({
      id: draft.id ?? newId(),
      name: draft.name ?? null,
      email: draft.email ?? null,
      job_title: draft.job_title ?? null,
      phone: draft.phone ?? null,
      website: draft.website ?? null,
      company: draft.company ?? null,
      created_at: draft.created_at ?? importedAt,
      import_digest: importDigest(draft),
      inserted_as: draft.id === undefined ? null : newId(),
    }),
    merge: (contact, draft) => ({
      id: contact.id,
      name: draft.name ?? contact.name,
      email: draft.email ?? contact.email,
      job_title: draft.job_title ?? contact.job_title,
      phone: draft.phone ?? contact.phone,
      website: draft.website ?? contact.website,
      company: draft.company ?? contact.company,
      created_at: draft.created_at ?? contact.created_at,
      import_digest: contact.import_digest,
      inserted_as: contact.inserted_as,
    }),
    equal: (a, b) => contactFields.every((field) => comparable(a, field) === comparable(b, field)),
    onlyAdds: (before, after) =>
      contactFields.every(
        (field) => before[field] === null || comparable(before, field) === comparable(after, field),
      ),
    objection: () => undefined,
  };
}

function comparable(contact: Contact, field: ContactField): string | null {
  const text = contact[field];
  return field === 'email' && text !== null ? emailKey(text) : text;
}

/** The key by which a row finds its contact: `id:…`, `email:…` or `digest:…`. */
export function contactKey(draft: ContactDraft): string {
  if (draft.id !== undefined) return `id:${draft.id}`;
  if (draft.email !== undefined) return `email:${emailKey(draft.email)}`;
  return `digest:${importDigest(draft)}`;
}

// A row without id and e-mail has no name of its own, yet importing its file twice must change nothing.
function importDigest(draft: ContactDraft): string | null {
  if (draft.id !== undefined || draft.email !== undefined) return null;
  return hash('sha256', JSON.stringify(contactFields.map((field) => draft[field] ?? null)), 'base64url');
}
