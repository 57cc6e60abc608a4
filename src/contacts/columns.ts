import type { FileColumns } from '../values/field.ts';
import { namesInParts, translatedHeadings } from '../values/translated-headings.ts';
import { attributePrefix } from './change/given.ts';
import { contactDetails, type ContactField, type FurtherDetail, furtherDetails } from './contact.ts';
import { attributeNamePattern, attributesMax } from './properties.ts';

export type ImportedField = ContactField | FurtherDetail | 'external_id' | 'tags' | 'attributes';

const createdAt = 'createdat createdate created createdon createddate datecreated creationdate signedup firstseen';

/** Headings of Chatling, Chatbase, Chatwoot, HubSpot, Intercom, Google and Outlook. */
const englishColumns: Readonly<Record<ImportedField, FileColumns>> = {
  id: { headings: 'id contactid recordid recordidcontact', oneColumn: true },
  ...contactDetails,
  created_at: { headings: createdAt, oneColumn: true, dayFirst: translatedHeadings.created_at },
  ...furtherDetails,
  // Elsewhere a user id may be that of the owner. Intercom, whose id of the caller it is, says when a user signed up.
  external_id: { headings: 'externalid userid&signedup', oneColumn: true },
  tags: { headings: 'tags tag labels', oneColumn: true, as: 'list' },
  attributes: { headings: 'attributes', oneColumn: true, as: 'object' },
};

export const contactColumns = Object.fromEntries(
  Object.entries(englishColumns).map(([field, columns]) => {
    const { [field]: more = '' } = translatedHeadings as Partial<Record<string, string>>;
    const before = field === 'name' ? namesInParts : '';
    return [field, { ...columns, headings: `${before} ${columns.headings} ${more}`.trim() }];
  }),
) as Readonly<Record<ImportedField, FileColumns>>;

/** The columns as an earlier version read them. Frozen for `earlierDigest`: add no new field or heading here. */
export const earlierColumns: Readonly<Partial<Record<ContactField, FileColumns>>> = {
  id: { headings: 'id contactid recordid recordidcontact', oneColumn: true },
  name: { headings: 'name fullname contactname displayname firstname+lastname givenname+familyname' },
  email: { headings: 'email emailaddress email1value emailvalue primaryemail workemail contactemail mail' },
  job_title: { headings: 'jobtitle organizationtitle organization1title position title', oneColumn: true },
  phone: {
    headings:
      'phone phonenumber phone1value businessphone workphone primaryphone mobilephone mobilephonenumber mobile telephone tel homephone companymainphone cell cellphone',
  },
  website: { headings: 'website websiteurl website1value webpage url homepage personalwebpage companydomainname' },
  company: {
    headings: 'company companyname organization organisation organizationname organization1name associatedcompany',
  },
  created_at: {
    headings: 'createdat createdate created createdon createddate datecreated creationdate signedup firstseen',
    oneColumn: true,
  },
};

export const attributeName = new RegExp(attributeNamePattern);

/** Attributes in files: a column for each, or for each that is kept of those that no field takes. */
export const attributeColumns = {
  prefix: attributePrefix,
  max: attributesMax,
  nameOf: (heading: string): string | undefined => {
    if (attributeName.test(heading)) return heading;
    const name = heading
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, '_')
      .toLowerCase()
      .replaceAll('ß', 'ss')
      .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
      .replaceAll(/^_|_$/g, '');
    return attributeName.test(name) ? name : undefined;
  },
} as const;

export const contactImportFields: readonly string[] = [
  ...Object.keys(contactColumns).filter((field) => field !== 'attributes'),
  `${attributeColumns.prefix}NAME`,
];
