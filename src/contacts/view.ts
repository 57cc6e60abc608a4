import type { Actor } from '../actor.ts';
import { revised } from '../revision.ts';
import type { Reads } from '../store.ts';
import { schemaOf, storablePattern } from '../values/field.ts';
import type { JsonSchema } from '../values/object-schema.ts';
import { inSeconds, timestampSchema } from '../values/timestamp.ts';
import {
  contactDetailNames,
  contactDetails,
  contactFields,
  contactIdSchema,
  exampleContact,
  furtherDetailNames,
  furtherDetails,
  type StoredContact,
} from './contact.ts';
import { attributesMax, externalIdMax, tagLengthMax, tagPattern, tagsMax } from './properties.ts';
import type { ListedContact } from './store.ts';

export const includes = ['details', 'external_id', 'attributes', 'tags', 'updated_at'] as const;
export type Include = (typeof includes)[number];

export const includeSchema = {
  type: 'array',
  items: { type: 'string', enum: includes },
  minItems: 1,
  maxItems: includes.length,
  uniqueItems: true,
  description: `Keys to show beside those of every answer, separated by commas or by repeating the parameter. \`details\` are ${furtherDetailNames.join(', ')}.`,
  examples: [['details', 'tags']],
} as const;

export type View = Record<string, unknown>;

/** A contact as the interface has it. With `include` it must be a whole one. */
export function viewOf(contact: ListedContact, include: readonly Include[] = []): View {
  const included = includes.filter((one) => include.includes(one));
  const keys = [...contactFields, ...included.flatMap((one) => (one === 'details' ? furtherDetailNames : one))];
  const view: View = Object.fromEntries(keys.map((key) => [key, (contact as StoredContact)[key]]));
  if ('deleted_at' in contact) view['deleted_at'] = inSeconds(contact.deleted_at);
  return view;
}

export async function shownNow(
  { contacts }: Reads,
  { projectId }: Actor,
  { chatbotId, contactId, include }: { chatbotId: string; contactId: string; include?: readonly Include[] },
) {
  const contact = await contacts.findWhole(projectId, chatbotId, contactId);
  return contact ? revised(viewOf(contact, include), contact) : null;
}

const attributesSchema = {
  type: 'object',
  additionalProperties: { type: ['string', 'number', 'boolean'], maxLength: 1_000, pattern: storablePattern },
  maxProperties: attributesMax,
  description: 'Values that the caller keeps about the contact; an empty object if there are none.',
} as const;

const tagsSchema = {
  type: 'array',
  items: { type: 'string', minLength: 1, maxLength: tagLengthMax, pattern: tagPattern },
  maxItems: tagsMax,
  description: 'In lower case, each once, sorted.',
} as const;

export const exampleView: View = { ...exampleContact };

export const contactSchema: JsonSchema = {
  type: 'object',
  title: 'Contact',
  description:
    'A person whom a chatbot has met. Required keys are always present; the others where `include` asks for them, and `deleted_at` in the bin.',
  additionalProperties: false,
  required: contactFields,
  properties: {
    id: contactIdSchema,
    ...Object.fromEntries(contactDetailNames.map((field) => [field, schemaOf(contactDetails[field])])),
    created_at: timestampSchema,
    ...Object.fromEntries(furtherDetailNames.map((field) => [field, schemaOf(furtherDetails[field])])),
    external_id: {
      type: ['string', 'null'],
      minLength: 1,
      maxLength: externalIdMax,
      pattern: storablePattern,
      description: 'Its id in a system of the caller, unique in the chatbot; null when unknown.',
    },
    attributes: attributesSchema,
    tags: tagsSchema,
    updated_at: {
      ...timestampSchema,
      type: ['string', 'null'],
      description: 'Time of the last change: UTC, whole seconds; null when unknown.',
    },
    deleted_at: { ...timestampSchema, description: 'When it was put into the bin: UTC, whole seconds.' },
  },
};
