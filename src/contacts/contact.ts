import { nextRevision } from '../revision.ts';
import { emailField, type Field, storablePattern, textField, websiteField } from '../values/field.ts';
import { idLengthMax } from '../values/text.ts';
import type { Timestamp } from '../values/timestamp.ts';

/** In the interface's order. All else follows from these lists; a new field needs a migration for each engine besides. */
export const contactDetails = {
  name: textField('Name', 255, {
    headings:
      'name fullname contactname displayname firstname/givenname+middlename/additionalname?+lastname/familyname+suffix/namesuffix?',
  }),
  email: emailField('E-mail address, as given', {
    headings: 'email emailaddress email1value emailvalue primaryemail workemail contactemail mail',
    several: /[;,|\r\n]|:::/,
  }),
  // A "Title" may be a form of address, so it does not fill in for an empty job title.
  job_title: textField('Job title', 255, {
    headings: 'jobtitle organizationtitle organization1title position title',
    oneColumn: true,
  }),
  phone: textField('Telephone number, free text', 64, {
    headings:
      'phone phonenumber phone1value businessphone workphone primaryphone mobilephone mobilephonenumber mobile telephone tel homephone companymainphone cell cellphone',
    // A second number follows, not an extension.
    several: /(?:[;\r\n]|:::)(?=(?:\D{0,9}\d){5})/,
  }),
  website: websiteField('Web address, as given; the scheme may be missing', {
    headings: 'website websiteurl website1value webpage url homepage personalwebpage companydomainname',
  }),
  company: textField('Company name', 255, {
    headings: 'company companyname organization organisation organizationname organization1name associatedcompany',
  }),
} as const satisfies Record<string, Field>;

/** Shown if `include` asks for them. One column each, so that no address is put together from two. */
export const furtherDetails = {
  first_name: textField('First name', 255, { headings: 'firstname givenname' }),
  last_name: textField('Last name', 255, { headings: 'lastname familyname' }),
  industry: textField('Industry', 255, { headings: 'industry' }),
  address: textField('Street and number', 1_000, {
    headings:
      'address streetaddress street address1street businessstreet+businessstreet2?+businessstreet3? mailingstreet homestreet+homestreet2?+homestreet3?',
    oneColumn: true,
  }),
  city: textField('City', 255, { headings: 'city address1city businesscity mailingcity homecity', oneColumn: true }),
  state: textField('State or region', 255, {
    headings: 'state stateregion region province address1region businessstate mailingstate homestate',
    oneColumn: true,
  }),
  postal_code: textField('Postal code', 64, {
    headings:
      'postalcode zip zipcode postcode zippostalcode address1postalcode businesspostalcode mailingzippostalcode homepostalcode',
    oneColumn: true,
  }),
  country: textField('Country', 255, {
    headings: 'country countryregion address1country businesscountryregion mailingcountry homecountryregion',
    oneColumn: true,
  }),
} as const satisfies Record<string, Field>;

type ContactDetail = keyof typeof contactDetails;
export type FurtherDetail = keyof typeof furtherDetails;
export type ContactField = 'id' | ContactDetail | 'created_at';

/** A person whom a chatbot has met. Null means unknown; an empty text is never stored. */
export interface Contact extends Record<ContactDetail, string | null> {
  id: string;
  created_at: Timestamp;
}

export type Attributes = Readonly<Record<string, string | number | boolean>>;

export interface StoredContact extends Contact, Record<FurtherDetail, string | null> {
  /** In a system of the caller; unique in the chatbot. */
  external_id: string | null;
  /** Sorted by name. */
  attributes: Attributes;
  /** In lower case, sorted. */
  tags: readonly string[];
  /** Null where it was stored before times of change were kept. */
  updated_at: Timestamp | null;
  revision: number;
  /** The digest of the row that created it, where that row had neither id nor e-mail. */
  import_digest: string | null;
  /** A UUIDv7 of the time of its insertion, where its id comes from elsewhere. */
  inserted_as: string | null;
}

export interface OwnedContact extends StoredContact {
  chatbot_id: string;
}

export const contactDetailNames = Object.keys(contactDetails) as readonly ContactDetail[];
export const furtherDetailNames = Object.keys(furtherDetails) as readonly FurtherDetail[];
export const detailNames = [...contactDetailNames, ...furtherDetailNames] as const;
export const contactFields: readonly ContactField[] = ['id', ...contactDetailNames, 'created_at'];

function nothingKnown<Name extends string>(names: readonly Name[]): Record<Name, string | null> {
  return Object.fromEntries(names.map((name) => [name, null])) as Record<Name, string | null>;
}

export const unknownContact: Omit<StoredContact, 'id' | 'created_at'> = {
  ...nothingKnown(detailNames),
  external_id: null,
  attributes: {},
  tags: [],
  updated_at: null,
  revision: 0,
  import_digest: null,
  inserted_as: null,
};

export function touched(contact: StoredContact, at: Timestamp): StoredContact {
  return { ...contact, updated_at: at, revision: nextRevision(contact.revision) };
}

export const exampleContact: Contact = {
  id: 'qtr89df0-112d-d197-b541-3f8674663246',
  ...nothingKnown(contactDetailNames),
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
