import type { contactDetails, furtherDetails } from '../../../../src/contacts/contact.ts';
import type { WholePerson } from '../contacts/person.ts';

export type TextField = Exclude<
  keyof WholePerson,
  'id' | 'created_at' | 'deleted_at' | 'updated_at' | 'tags' | 'attributes'
>;

type Details = typeof contactDetails & typeof furtherDetails;

/** Its limit is that of the house, which the compiler holds it to. */
export interface FieldInfo<Name extends TextField = TextField> {
  label: string;
  lengthMax: Name extends keyof Details ? Details[Name]['lengthMax'] : number;
  type?: 'email' | 'tel' | 'url';
  hint?: string;
}

const madeOfParts = 'The name is made of first and last name.';

/** Fields that find a person in other chatbots. */
export const keyNames = ['email', 'phone', 'external_id'] as const;

const reach = {
  phone: { label: 'Phone', lengthMax: 64, type: 'tel' },
  email: { label: 'E-mail', lengthMax: 254, type: 'email' },
  website: { label: 'Website', lengthMax: 2048, type: 'url' },
} as const;

/** Every text of a contact, in the order of the page. */
export const fields: { readonly [Name in TextField]: FieldInfo<Name> } = {
  name: { label: 'Name', lengthMax: 255, hint: 'A new name clears first and last name.' },
  ...reach,
  job_title: { label: 'Job title', lengthMax: 255 },
  company: { label: 'Company', lengthMax: 255 },
  industry: { label: 'Industry', lengthMax: 255 },
  first_name: { label: 'First name', lengthMax: 255, hint: madeOfParts },
  last_name: { label: 'Last name', lengthMax: 255, hint: madeOfParts },
  address: { label: 'Street and number', lengthMax: 1_000 },
  city: { label: 'City', lengthMax: 255 },
  state: { label: 'State or region', lengthMax: 255 },
  postal_code: { label: 'Postal code', lengthMax: 64 },
  country: { label: 'Country', lengthMax: 255 },
  external_id: { label: 'External id', lengthMax: 255, hint: 'Its id in another system.' },
};
export const fieldNames = Object.keys(fields) as TextField[];

export type ReachField = keyof typeof reach;
export const reachNames = Object.keys(reach) as ReachField[];

/** The field that the heading shows. */
export function headingOf({ name, company }: WholePerson): 'name' | 'company' {
  return name === null && company !== null ? 'company' : 'name';
}

/** The field of an attribute. An empty name stands for a new attribute. */
export const attributeField = (name = '') => `attributes.${name}`;

const others: Partial<Record<string, string>> = { tags: 'Tags', attributes: 'Attributes' };

/** The label of a field on the page; the name of an attribute is its own. */
export function labelOf(name: string): string {
  const label = (fields as Partial<Record<string, FieldInfo>>)[name]?.label ?? others[name];
  return label ?? name.slice(name.startsWith(attributeField()) ? attributeField().length : 0);
}
