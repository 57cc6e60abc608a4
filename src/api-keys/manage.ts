import { write } from '../operation.ts';
import { unrevised } from '../revision.ts';
import { scopes } from '../rights.ts';
import { textSchema } from '../values/field.ts';
import { object } from '../values/object-schema.ts';
import { requireSpan, spanSchema } from '../values/span.ts';
import { createApiKey } from './create.ts';

export const createManagedKey = write({
  name: 'createManagedKey',
  scope: 'administration',
  input: object(
    {
      name: textSchema(255),
      scopes: { type: 'array', items: { type: 'string', enum: scopes }, minItems: 1, uniqueItems: true },
    },
    { optional: { expires_in: spanSchema } },
  ),
  run: async (unit, actor, { name, scopes: wanted, expires_in: span }, options) => {
    const expiresInSeconds = span === undefined ? undefined : requireSpan('expires_in', span, 1);
    const input = { name, scopes: wanted, expiresInSeconds };
    const { output, changes } = await createApiKey.run(unit, actor, input, options);
    const { key, token } = unrevised(output).output;
    return { output: { ...key, token }, changes };
  },
});
