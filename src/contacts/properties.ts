import type { XStatic } from 'typebox/schema';

import { storablePattern } from '../values/field.ts';
import type { JsonSchema } from '../values/object-schema.ts';
import { contactDetailNames, contactDetails, furtherDetailNames, furtherDetails } from './contact.ts';

export const externalIdMax = 255;
export const attributeTextMax = 1_000;
export const attributesMax = 50;
export const attributeNamePattern = '^[a-z][a-z0-9_]{0,39}$';
export const attributeNameRule =
  'must begin with a letter a to z and go on with at most 39 letters a to z, digits or _';
export const attributesBytesMax = 16_384;
export const tagsMax = 50;
export const tagLengthMax = 40;
export const tagPattern = '^[^,;|\\u0000]+$';

const textNames = [...contactDetailNames, ...furtherDetailNames, 'external_id'] as const;
export type TextProperty = (typeof textNames)[number];

export type AttributeChanges = Readonly<Record<string, string | number | boolean | null>>;
export type TagChanges = readonly string[] | { readonly add?: readonly string[]; readonly remove?: readonly string[] };

/** Fields of digits: spreadsheets and no-code tools send them as numbers. */
export const digitNames = ['phone', 'postal_code'] as const;
type DigitName = (typeof digitNames)[number];

export interface GivenProperties
  extends
    Partial<Readonly<Record<Exclude<TextProperty, DigitName>, string | null>>>,
    Partial<Readonly<Record<DigitName, string | number | null>>> {
  readonly attributes?: AttributeChanges | null;
  readonly tags?: TagChanges | null;
  readonly company_name?: string | null;
  readonly website_url?: string | null;
}

const text = (description: string, maxLength: number) => ({
  type: ['string', 'null'],
  maxLength,
  pattern: storablePattern,
  description,
});

const digits = ({ description, lengthMax }: { description: string; lengthMax: number }) => ({
  ...text(`${description}; a number is taken as its decimal text; null clears it.`, lengthMax),
  type: ['string', 'number', 'null'],
});

const fields = Object.fromEntries(
  [...Object.entries(contactDetails), ...Object.entries(furtherDetails)].map(([name, { description, lengthMax }]) => [
    name,
    text(`${description}; null clears it.`, lengthMax),
  ]),
);

const tagList = {
  type: 'array',
  maxItems: tagsMax * 2,
  items: { type: 'string', maxLength: tagLengthMax, pattern: tagPattern },
};

export const propertiesSchema: JsonSchema = {
  type: 'object',
  title: 'ContactProperties',
  description: 'The properties to write. Null clears a property; a missing one stays.',
  additionalProperties: false,
  properties: {
    ...fields,
    phone: digits(contactDetails.phone),
    postal_code: digits(furtherDetails.postal_code),
    email: { ...text('E-mail address; null clears it.', contactDetails.email.lengthMax), format: 'email' },
    website: {
      ...text('Web address; the scheme may be missing.', contactDetails.website.lengthMax),
      format: 'website',
    },
    company_name: text('Chatling’s name of `company`.', contactDetails.company.lengthMax),
    website_url: { ...text('Chatling’s name of `website`.', contactDetails.website.lengthMax), format: 'website' },
    external_id: text('Its id in a system of the caller, unique in the chatbot.', externalIdMax),
    attributes: {
      type: ['object', 'null'],
      description: `At most ${attributesMax}, ${attributesBytesMax} bytes as JSON in all. They are merged; null clears one, or all.`,
      propertyNames: { pattern: attributeNamePattern, description: attributeNameRule },
      additionalProperties: {
        type: ['string', 'number', 'boolean', 'null'],
        maxLength: attributeTextMax,
        pattern: storablePattern,
      },
    },
    tags: {
      ...tagList,
      type: ['array', 'object', 'null'],
      description: `At most ${tagsMax}; kept in lower case, each once, sorted. A list replaces; an object changes.`,
      additionalProperties: false,
      properties: { add: tagList, remove: tagList },
    },
  },
};

export const matchSchema = {
  type: 'object',
  title: 'ContactMatch',
  description: 'Finds the contact to write: exactly one of the three. An e-mail matches in any letter case.',
  additionalProperties: false,
  minProperties: 1,
  maxProperties: 1,
  properties: {
    id: { type: 'string', maxLength: 64, pattern: storablePattern, description: 'The id of the contact.' },
    email: {
      type: 'string',
      maxLength: contactDetails.email.lengthMax,
      pattern: storablePattern,
      format: 'email',
      description: 'Its e-mail address.',
    },
    external_id: {
      type: 'string',
      maxLength: externalIdMax,
      pattern: storablePattern,
      description: 'Its id in a system of the caller.',
    },
  },
} as const;

export type Match = XStatic<typeof matchSchema>;
