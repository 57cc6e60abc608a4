import { scopes } from '../actor.ts';
import { read, write } from '../operation.ts';
import { unrevised } from '../revision.ts';
import { idSchema, textSchema } from '../values/field.ts';
import { object } from '../values/object-schema.ts';
import { requireSpan, spanSchema } from '../values/span.ts';
import { createApiKey } from './create.ts';
import { listApiKeys } from './list.ts';
import { rotateApiKey } from './rotate.ts';

export const listManagedKeys = read({
  name: 'listManagedKeys',
  scope: 'administration',
  run: async (reads, actor, _input: object, options) => ({
    keys: await listApiKeys.run(reads, actor, undefined, options),
  }),
});

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

/** Replaces a key as a page asks for it; the old one works for a day, or as long as `overlap` says. */
export const rotateManagedKey = write({
  name: 'rotateManagedKey',
  scope: 'administration',
  input: object({ keyId: idSchema }, { optional: { overlap: spanSchema } }),
  run: (unit, actor, { keyId, overlap = '24h' }, options) =>
    rotateApiKey.run(unit, actor, { keyId, overlapSeconds: requireSpan('overlap', overlap) }, options),
});
