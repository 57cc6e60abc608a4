import type { JsonSchema } from '../validation.ts';
import { object } from '../values/object-schema.ts';
import { contactColumns } from './columns.ts';
import { contactIdSchema, unknownContact } from './contact.ts';

export const rowsMax = 1_000;
/** A row may mean, by its keys, more than one person of earlier batches. */
const rememberedMax = 5_000;

const line = { type: 'integer', minimum: 0 };
const digest = { type: 'string', pattern: '^2:[\\w-]{43}$' };
const texts: JsonSchema = {
  type: 'object',
  propertyNames: { enum: Object.keys(contactColumns), description: 'must be a field' },
  additionalProperties: { type: 'string' },
};

export const rowSchema = object({ line, digest, texts }, { optional: { values: { type: 'object' }, earlier: texts } });

export const rememberedSchema = {
  type: 'array',
  maxItems: rememberedMax,
  items: object({ id: contactIdSchema, line, digests: { type: 'array', items: digest } }),
};

const textOrNull = { type: ['string', 'null'] };

export const plannedSchema = {
  type: 'array',
  maxItems: rememberedMax,
  items: object({
    ...Object.fromEntries(Object.keys(unknownContact).map((name) => [name, textOrNull])),
    id: contactIdSchema,
    created_at: { type: 'string' },
    revision: { type: 'integer' },
    attributes: { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } },
    tags: { type: 'array', items: { type: 'string' } },
  }),
};
