import {
  emailField,
  type Field,
  type FileColumns,
  schemaOf,
  storablePattern,
  textField,
  websiteField,
} from '../values/field.ts';
import { idLengthMax, isId } from '../values/identifier.ts';
import { parseTimestamp, type Timestamp, timestampSchema } from '../values/timestamp.ts';

/**
 * The fields of a contact beside `id` and `created_at`, in the interface's order. Its type, checks, columns, schemas
 * and file headings follow from this list; a new field needs a line here and a migration for each engine.
 */
export const contactDetails = {
  name: textField('Name', 255, {
    headings:
      'name fullname contactname displayname firstname/givenname+middlename/additionalname?+lastname/familyname+suffix/namesuffix?',
  }),
  email: emailField('E-mail address, as given', {
    headings: 'email emailaddress email1value emailvalue primaryemail workemail contactemail mail',
  }),
  // A "Title" may be a form of address, so it does not fill in for an empty job title.
  job_title: textField('Job title', 255, {
    headings: 'jobtitle organizationtitle organization1title position title',
    oneColumn: true,
  }),
  phone: textField('Telephone number, free text', 64, {
    headings:
      'phone phonenumber phone1value businessphone workphone primaryphone mobilephone mobilephonenumber mobile telephone tel homephone companymainphone cell cellphone',
  }),
  website: websiteField('Web address, as given; the scheme may be missing', {
    headings: 'website websiteurl website1value webpage url homepage personalwebpage companydomainname',
  }),
  company: textField('Company name', 255, {
    headings: 'company companyname organization organisation organizationname organization1name associatedcompany',
  }),
} as const satisfies Record<string, Field>;

export type ContactDetail = keyof typeof contactDetails;
export type ContactField = 'id' | ContactDetail | 'created_at';

/** A person whom a chatbot has met. Null means unknown; an empty text is never stored. */
export interface Contact extends Record<ContactDetail, string | null> {
  id: string;
  created_at: Timestamp;
}

export const contactDetailNames = Object.keys(contactDetails) as readonly ContactDetail[];
export const contactFields: readonly ContactField[] = ['id', ...contactDetailNames, 'created_at'];

/** The columns of files, by field: those of Chatling, Chatbase, Chatwoot, HubSpot, Intercom, Google and Outlook. */
export const contactColumns: Readonly<Record<ContactField, FileColumns>> = {
  id: { headings: 'id contactid recordid recordidcontact', oneColumn: true },
  ...contactDetails,
  created_at: {
    headings: 'createdat createdate created createdon createddate datecreated creationdate signedup firstseen',
    oneColumn: true,
  },
};

export type ContactTexts = Partial<Record<ContactField, string>>;

export function eachDetail(valueOf: (field: ContactDetail) => string | null): Record<ContactDetail, string | null> {
  const details: Partial<Record<ContactDetail, string | null>> = {};
  for (const field of contactDetailNames) details[field] = valueOf(field);
  return details as Record<ContactDetail, string | null>;
}

export const unknownDetails = eachDetail(() => null);

/** Whom the document shows, and whom a demonstration has. */
export const exampleContact: Contact = {
  id: 'qtr89df0-112d-d197-b541-3f8674663246',
  ...unknownDetails,
  name: 'Ana Lucía Ferreira',
  email: 'ana@example.com',
  phone: '+1 555 0100',
  website: 'https://example.com',
  company: 'Example Ltd',
  created_at: '2024-06-08T13:38:33+00:00',
};

export const contactIdSchema = {
  type: 'string',
  minLength: 1,
  maxLength: idLengthMax,
  pattern: storablePattern,
  description: 'Opaque; a lower-case UUIDv7 when Roster made it, anything when it came from elsewhere.',
  examples: [exampleContact.id],
} as const;

export const contactSchema = {
  type: 'object',
  title: 'Contact',
  description: 'A person whom a chatbot has met. All eight keys are always present.',
  additionalProperties: false,
  required: contactFields,
  properties: {
    id: contactIdSchema,
    ...Object.fromEntries(contactDetailNames.map((field) => [field, schemaOf(contactDetails[field])])),
    created_at: timestampSchema,
  },
};

const usualFirst = new Set<ContactDetail>(['name', 'email', 'phone', 'company', ...contactDetailNames]);

/** The texts with the time in our form, or every objection to them, field by field, without the values. */
export function checkContact(texts: ContactTexts): ContactTexts | { objections: string[] } {
  const objections: string[] = [];
  if (texts.id !== undefined && !isId(texts.id)) objections.push('id is not 1 to 64 characters');
  let isSomebody = false;
  for (const field of contactDetailNames) {
    const text = texts[field];
    if (text === undefined) continue;
    isSomebody = true;
    const objection = contactDetails[field].objectionTo(text);
    if (objection !== undefined) objections.push(`${field} ${objection}`);
  }
  const createdAt = texts.created_at === undefined ? undefined : parseTimestamp(texts.created_at);
  if (texts.created_at !== undefined && createdAt === undefined) {
    objections.push('created_at is not a time such as 2024-06-08T13:38:33+00:00');
  }
  if (!isSomebody) objections.push(`has none of ${[...usualFirst].join(', ')}`);
  if (objections.length > 0) return { objections };
  return createdAt === undefined || createdAt === texts.created_at ? texts : { ...texts, created_at: createdAt };
}
