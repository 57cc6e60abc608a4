import {
  type Attributes,
  type Contact,
  contactDetailNames,
  contactFields,
  furtherDetailNames,
  type StoredContact,
} from '../contacts/contact.ts';
import { emailKey } from '../values/email.ts';
import { digitsOf } from '../values/text.ts';
import { type Insertion, raw, sql, type Value } from './sql.ts';

const kept = [...furtherDetailNames, 'external_id', 'attributes', 'tags', 'updated_at', 'revision'] as const;
const ofImports = ['import_digest', 'inserted_as'] as const;

export const shownColumns = raw(contactFields.join(', '));
export const wholeColumns = raw([...contactFields, ...kept, ...ofImports].join(', '));

type Texts = Omit<StoredContact, 'attributes' | 'tags'>;

/** Attributes are stored as JSON, tags with commas; neither where there is none. */
export interface ContactRow extends Texts {
  attributes: string | null;
  tags: string | null;
}

export function toContact(row: ContactRow): StoredContact {
  const { tags } = row;
  return { ...row, attributes: attributesIn(row), tags: tags === null ? [] : tags.split(',') };
}

export function attributesIn({ attributes }: Pick<ContactRow, 'attributes'>): Attributes {
  return attributes === null ? {} : (JSON.parse(attributes) as Attributes);
}

export const storedColumns = [
  'project_id',
  'chatbot_id',
  ...contactFields,
  'email_key',
  ...ofImports,
  ...kept,
  'phone_key',
];

export const copiedColumns = raw(storedColumns.slice(1).join(', '));

/** The former terms of contacts that are stored but not in the index. */
export const unindexed = '';

const terms = { before: 'former_terms', after: 'search_key' };

export const contactInsertion: Insertion = {
  into: 'contacts',
  columns: [...storedColumns, terms.after, terms.before],
  terms,
  foundBy: ['project_id', 'chatbot_id', 'id', 'email_key', 'import_digest', 'phone_key', 'external_id', 'created_at'],
  ending: sql``,
};

const replaced = [...contactFields.slice(1), 'email_key', 'import_digest', ...kept, 'phone_key', 'search_key'];
const assignments = raw(replaced.map((column) => `${column} = excluded.${column}`).join(', '));

/** For known contacts only: detecting conflicts row by row costs a quarter of an insertion. */
export const contactReplacement: Insertion = {
  ...contactInsertion,
  ending: sql`on conflict (project_id, chatbot_id, id) do update set ${assignments}`,
};

export const contactIndexing: Insertion = {
  into: 'contacts',
  columns: ['project_id', 'chatbot_id', 'id', 'created_at', 'place', terms.after, terms.before],
  terms,
  foundBy: [],
  ending: sql`on conflict (project_id, chatbot_id, id) do update set search_key = excluded.search_key, place = excluded.place`,
};

/** In the order of `storedColumns`. */
export function toRow(projectId: string, chatbotId: string, contact: StoredContact): Value[] {
  const { email, phone, attributes, tags } = contact;
  return [
    projectId,
    chatbotId,
    ...contactFields.map((field) => contact[field]),
    email === null ? null : emailKey(email),
    contact.import_digest,
    contact.inserted_as,
    ...furtherDetailNames.map((field) => contact[field]),
    contact.external_id,
    Object.keys(attributes).length === 0 ? null : JSON.stringify(attributes),
    tags.length === 0 ? null : tags.join(','),
    contact.updated_at,
    contact.revision,
    phone === null ? null : digitsOf(phone) || null,
  ];
}

const timestampLength = 25;

/** Lost sectors read as U+0000, which no stored text holds. */
export function isWhole(contact: Contact, contactId: string): boolean {
  if (contact.id !== contactId || contact.created_at?.length !== timestampLength) return false;
  return contactDetailNames.every((field) => {
    const text = contact[field];
    return text === null || (typeof text === 'string' && !text.includes('\0'));
  });
}
