import type { FileColumns } from '../values/field.ts';
import { type ContactField, contactDetails, type FurtherDetail, furtherDetails } from './contact.ts';
import { attributeNamePattern, attributesMax } from './properties.ts';

export type ImportedField = ContactField | FurtherDetail | 'external_id' | 'tags' | 'attributes';

/** The columns of files, by field: those of Chatling, Chatbase, Chatwoot, HubSpot, Intercom, Google and Outlook. */
export const contactColumns: Readonly<Record<ImportedField, FileColumns>> = {
  id: { headings: 'id contactid recordid recordidcontact', oneColumn: true },
  ...contactDetails,
  created_at: {
    headings: 'createdat createdate created createdon createddate datecreated creationdate signedup firstseen',
    oneColumn: true,
  },
  ...furtherDetails,
  // Elsewhere a user id may be that of the owner. Intercom, whose id of the caller it is, says when a user signed up.
  external_id: { headings: 'externalid userid&signedup', oneColumn: true },
  tags: { headings: 'tags tag labels', oneColumn: true, as: 'list' },
  attributes: { headings: 'attributes', oneColumn: true, as: 'object' },
};

const attributeName = new RegExp(attributeNamePattern);

export function isAttributeName(text: string): boolean {
  return attributeName.test(text);
}

/** Attributes in files: a column for each, or for each that is kept of those that no field takes. */
export const attributeColumns = {
  prefix: 'attributes.',
  max: attributesMax,
  nameOf: (heading: string): string | undefined => {
    if (isAttributeName(heading)) return heading;
    const name = heading
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, '_')
      .toLowerCase()
      .replaceAll('ß', 'ss')
      .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
      .replaceAll(/^_|_$/g, '');
    return isAttributeName(name) ? name : undefined;
  },
} as const;

/** The fields of a file by name; of the attributes each has its own. */
export const contactImportFields: readonly string[] = [
  ...Object.keys(contactColumns).filter((field) => field !== 'attributes'),
  `${attributeColumns.prefix}NAME`,
];
