import type { XStatic } from 'typebox/schema';

import { validate } from '../../validation.ts';
import { textSchema } from '../../values/field.ts';
import { type JsonSchema, object } from '../../values/object-schema.ts';
import { readShortBody } from '../body.ts';
import type { Exchange } from '../exchange.ts';
import type { Endpoint } from '../router.ts';
import { base } from './routes.ts';

export const lineSchema = textSchema(255);

/** The answer of an authenticator: the library checks the rest. */
export const credentialSchema = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string', minLength: 1, maxLength: 1_400, pattern: '^[\\w-]+$' } },
} as const;

export const noInput = object({});

export function post<const In extends JsonSchema>(
  path: string,
  schema: In,
  admit: (exchange: Exchange) => unknown,
  serve: (exchange: Exchange, input: XStatic<In>) => Promise<void>,
): Endpoint {
  return {
    path: `${base}${path}`,
    method: 'POST',
    serve: async (exchange) => {
      await admit(exchange);
      const { value = {} } = await readShortBody(exchange);
      await validate(schema, value);
      await serve(exchange, value as XStatic<In>);
    },
  };
}
