import { readFileSync } from 'node:fs';

import swagger from '@fastify/swagger';

import { buildApp } from '../src/http/app.ts';
import type { Store } from '../src/store.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const description = `Who works on a project (its members) and whom its chatbots have met (their contacts).

Every answer is a JSON object with \`status\`: \`success\` with \`data\`, or \`error\` with a \`message\` for a person,
a \`code\` for a program and the \`request_id\` to quote. HEAD is answered wherever GET is; any other method is 405.

\`/v2\` is frozen: it gets additions only, so ignore keys that you do not know. A key may ask 300 times a minute
unless the operator chose otherwise; the path has at most 2 KiB (414), all headers together 16 KiB (431).`;

/** The OpenAPI document of the routes as they are registered. */
export async function buildDocument(): Promise<object> {
  const noStore = {} as Store;
  const settings = { rateLimit: 300, corsOrigins: [], trustProxy: [] };
  const app = buildApp(noStore, settings, {
    beforeRoutes: (instance) => {
      void instance.register(swagger, {
        openapi: {
          openapi: '3.1.0',
          info: {
            title: 'Roster',
            version,
            description,
            license: { name: 'MIT', identifier: 'MIT' },
            contact: { name: 'The operator of this installation' },
          },
          servers: [{ url: '/', description: 'The installation that serves this document.' }],
          tags: [
            { name: 'Members', description: 'Who works on the project.' },
            { name: 'Contacts', description: 'Whom its chatbots have met.' },
            { name: 'Health', description: 'For whoever keeps the service running.' },
          ],
          components: {
            securitySchemes: {
              apiKey: {
                type: 'http',
                scheme: 'bearer',
                description:
                  'An API key of the project, from "roster keys create". Needs the scope of the operation.',
              },
            },
          },
        },
        exposeHeadRoutes: false,
        transform: ({ schema, url }) => ({ schema: withCondition(schema), url }),
      });
    },
  });
  await app.ready();
  const document = app.swagger();
  await app.close();
  return nameSchemas(JSON.parse(JSON.stringify(document)) as Json & { components: { schemas?: Json } });
}

type Json = { [key: string]: unknown };

// For the document alone: as a schema of the route it would turn an odd header into a 422.
const ifNoneMatch = {
  type: 'string',
  maxLength: 8_192,
  pattern: '^.*$',
  description: 'ETags of answers that the caller has; with one of them the answer is 304.',
};

function withCondition<Schema>(schema: Schema): Schema {
  const { response } = schema as { response?: object };
  if (!response || !('304' in response)) return schema;
  return { ...schema, headers: { type: 'object', properties: { 'If-None-Match': ifNoneMatch } } };
}

/**
 * Moves every schema with a title to `components.schemas`, once, and leaves references to it. Objects are
 * left open: `/v2` promises additions, so no client should be told to refuse a key that it does not know.
 */
function nameSchemas(document: Json & { components: { schemas?: Json } }): object {
  const schemas: Json = {};
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== 'object' || value === null) return value;
    const { 'x-expected': _, additionalProperties: __, ...own } = value as Json;
    const visited = Object.fromEntries(Object.entries(own).map(([key, inner]) => [key, visit(inner)]));
    const { title } = visited;
    if (typeof title !== 'string' || visited['type'] !== 'object') return visited;
    // Each response describes its own failure; the schema they share is any of them.
    const description = title === 'Failure' ? 'Every answer that is not a success.' : visited['description'];
    schemas[title] ??= { ...visited, description };
    return { $ref: `#/components/schemas/${title}` };
  };
  const paths = visit(document['paths']);
  return { ...document, paths, components: { ...document.components, schemas } };
}
