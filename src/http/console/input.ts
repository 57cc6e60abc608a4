import type { XStatic } from 'typebox/schema';

import { type JsonSchema, validate } from '../../validation.ts';
import { textSchema } from '../../values/field.ts';
import { object } from '../../values/object-schema.ts';
import { readShortBody } from '../body.ts';
import type { Exchange } from '../exchange.ts';

export const lineSchema = textSchema(255);

/** The answer of an authenticator: the library checks the rest. */
export const credentialSchema = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string', minLength: 1, maxLength: 1_400, pattern: '^[\\w-]+$' } },
} as const;

export const noInput = object({});

export async function readInput<const In extends JsonSchema>(exchange: Exchange, schema: In): Promise<XStatic<In>> {
  const { value = {} } = await readShortBody(exchange);
  await validate(schema, value);
  return value as XStatic<In>;
}
