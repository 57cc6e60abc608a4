import { type JsonSchema, validate } from '../../validation.ts';
import { storablePattern } from '../../values/field.ts';
import { readShortBody } from '../body.ts';
import type { Exchange } from '../exchange.ts';
import { receive } from '../perform.ts';

export const textSchema = { type: 'string', minLength: 1, maxLength: 255, pattern: storablePattern } as const;

/** The answer of an authenticator: the library checks the rest. */
export const credentialSchema = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string', minLength: 1, maxLength: 1_400, pattern: '^[\\w-]+$' } },
} as const;

export function objectSchema(properties: JsonSchema, required: readonly string[] = []): JsonSchema {
  return { type: 'object', additionalProperties: false, required, properties };
}

/** The body of the request; throws what `readShortBody` throws, and `invalid`. */
export async function inputOf<Input>(exchange: Exchange, schema: JsonSchema): Promise<Input> {
  const { value = {} } = await receive(exchange, readShortBody);
  await validate(schema, value);
  return value as Input;
}
