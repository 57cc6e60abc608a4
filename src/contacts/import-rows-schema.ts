import type { JsonSchema } from '../validation.ts';
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

export const rowSchema: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['line', 'digest', 'texts'],
  properties: { line, digest, texts, values: { type: 'object' }, earlier: texts },
};

export const rememberedSchema: JsonSchema = {
  type: 'array',
  maxItems: rememberedMax,
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['id', 'line', 'digests'],
    properties: { id: contactIdSchema, line, digests: { type: 'array', items: digest } },
  },
};

const known = ['id', 'created_at', ...Object.keys(unknownContact)];

export const plannedSchema: JsonSchema = {
  type: 'array',
  maxItems: rememberedMax,
  items: {
    type: 'object',
    additionalProperties: false,
    required: known,
    properties: {
      ...Object.fromEntries(known.map((name) => [name, { type: ['string', 'null'] }])),
      id: contactIdSchema,
      created_at: { type: 'string' },
      revision: { type: 'integer' },
      attributes: { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } },
      tags: { type: 'array', items: { type: 'string' } },
    },
  },
};
