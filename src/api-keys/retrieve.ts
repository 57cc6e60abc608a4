import { AppError } from '../errors.ts';
import { read } from '../operation.ts';
import { defaultScopes, scopes } from '../rights.ts';
import { textSchema } from '../values/field.ts';
import { idLengthMax } from '../values/identifier.ts';
import { object } from '../values/object-schema.ts';
import { timestampSchema } from '../values/timestamp.ts';

/** The key that asks, so that a caller can try one whatever it may do. Throws `not_found` where no key asks. */
export const retrieveApiKey = read({
  name: 'retrieveApiKey',
  scope: 'any-key',
  document: {
    tag: 'API keys',
    summary: 'Retrieve the API key',
    description:
      'The key that the request was sent with: whose it is, what it may do and until when. Call it to try a key.',
    answer: 'The key, without its token.',
  },
  input: object({}),
  output: object(
    {
      id: textSchema(idLengthMax, 'Opaque.'),
      name: textSchema(255, 'For people.'),
      project_id: textSchema(idLengthMax, 'The project that the key belongs to.'),
      scopes: {
        type: 'array',
        items: { type: 'string', enum: scopes },
        minItems: 1,
        maxItems: scopes.length,
        uniqueItems: true,
        description: 'The scopes of the key. The set may grow.',
      },
      expires_at: {
        ...timestampSchema,
        type: ['string', 'null'],
        description: 'From this second on the key is refused: UTC, whole seconds; null when it does not expire.',
      },
    },
    { title: 'ApiKey', description: 'A key of a project, without its token.' },
  ),
  example: {
    id: '018ff844-cbc8-7a1e-9c0d-5f2b7e3a9d41',
    name: 'CRM sync',
    project_id: 'acme',
    scopes: [...defaultScopes],
    expires_at: null,
  },
  run: async (_reads, { key }) => {
    if (!key) throw new AppError('not_found', 'There is no key', { about: 'api_key' });
    const { id, name, project_id, scopes: granted, expires_at } = key;
    return { id, name, project_id, scopes: granted, expires_at };
  },
});
