import type { XStatic } from 'typebox/schema';

import type { FieldError, FieldErrorCode } from '../errors.ts';
import { object } from '../values/object-schema.ts';
import { contactIdSchema } from './contact.ts';
import { matchSchema } from './properties.ts';

const bulkItemsMax = 1_000;
const ops = ['create', 'update', 'upsert', 'delete'] as const;

export const bulkDocument = {
  tag: 'Contacts',
  summary: 'Change many contacts',
  description:
    'Up to 1,000 changes in one transaction, in their order. An item that fails changes nothing and stops no other. An item of the wrong shape refuses the whole request; a mistake inside `properties` fails only that item. Counts as one request for every 25 items, or for every 25,000 characters of names, e-mails, phones, companies, job titles, external ids and tags if those are more; it passes while one request is left.',
  answer: 'The outcome of each item, in their order.',
};

const item = object(
  { op: { type: 'string', enum: ops, description: 'The action.' } },
  {
    title: 'BulkItem',
    description: 'One change.',
    optional: {
      id: { ...contactIdSchema, description: 'The contact to update or delete.' },
      match: matchSchema,
      properties: { type: 'object', description: 'As for a single contact.' },
    },
  },
);

/** `update` and `delete` name a contact by `id` or `match`, `upsert` by `match`. */
export type BulkItem = XStatic<typeof item>;

export const itemsSchema = {
  type: 'array',
  minItems: 1,
  maxItems: bulkItemsMax,
  description: 'The action.',
  items: item,
  examples: [
    [
      { op: 'create', properties: { first_name: 'Cleo', email: 'cleo@example.com' } },
      { op: 'upsert', match: { email: 'ana@example.com' }, properties: { city: 'Lisbon' } },
    ],
  ],
} as const;

export const exampleResults: ItemResult[] = [
  { index: 0, outcome: 'created', id: '019aaaaa-0000-7000-8000-000000000000' },
  { index: 1, outcome: 'updated', id: 'qtr89df0-112d-d197-b541-3f8674663246' },
];

const count = { type: 'integer', format: 'int32', minimum: 0, maximum: bulkItemsMax } as const;
const code = { type: 'string', maxLength: 64, pattern: '^[a-z_]+$', description: 'For a program.' } as const;
const message = { type: 'string', maxLength: 1_000, pattern: '^.+$', description: 'For a person.' } as const;

const fieldError = {
  type: 'object',
  title: 'FieldError',
  description: 'A mistake in a property.',
  required: ['field', 'code', 'message'],
  properties: {
    field: { type: 'string', maxLength: 255, pattern: '^.+$', description: 'Its path in the item.' },
    code,
    message,
  },
} as const;

const result = object(
  {
    index: { ...count, description: 'The place of the item, from 0.' },
    outcome: {
      type: 'string',
      enum: ['created', 'updated', 'unchanged', 'deleted', 'failed'],
      description: 'The outcome.',
    },
  },
  {
    title: 'BulkResult',
    description:
      'The outcome of an item. If it failed, `code` and `message` say why, and `errors` names the wrong properties.',
    optional: {
      id: contactIdSchema,
      code,
      message,
      merged_into: { ...contactIdSchema, description: 'The contact that stays, where the code is `merged`.' },
      errors: { type: 'array', maxItems: 20, description: 'One entry for each wrong property.', items: fieldError },
    },
  },
);

export type ItemResult = XStatic<typeof result>;

export const bulkOutput = object({
  succeeded: { ...count, description: 'Items that did not fail.' },
  failed: { ...count, description: 'Items that failed.' },
  results: {
    type: 'array',
    maxItems: bulkItemsMax,
    description: 'A result for each item, in their order.',
    items: result,
  },
});

export function itemErrors({ op, id, match, properties }: BulkItem, index: number): FieldError[] {
  const error = (name: string, code: FieldErrorCode, message: string) => [
    { field: `items[${index}].${name}`, code, message },
  ];
  const takesNobody = `cannot stand in an item that says ${op}`;
  if (op === 'create' && id !== undefined) return error('id', 'not_allowed', takesNobody);
  if (op === 'create' && match !== undefined) return error('match', 'not_allowed', takesNobody);
  if (op === 'upsert' && match === undefined) return error('match', 'required', 'is required');
  if (op === 'upsert' && id !== undefined) return error('id', 'not_allowed', 'belongs in match');
  if (op === 'delete' && properties !== undefined) return error('properties', 'not_allowed', takesNobody);
  if (id !== undefined && match !== undefined) return error('match', 'not_allowed', 'cannot be given with id');
  if (op !== 'create' && id === undefined && match === undefined) return error('id', 'required', 'is required');
  return [];
}
