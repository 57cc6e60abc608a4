import { expect, it } from 'vitest';

import { committed, document } from '../support/document.ts';

interface Schema extends Record<string, unknown> {
  type?: string | string[];
}

/** Every schema with the place where it stands. An example may look like one, and is none. */
function* schemasIn(node: unknown, place = ''): Generator<[place: string, schema: Schema]> {
  if (typeof node !== 'object' || node === null) return;
  const isSchema = 'type' in node && (typeof node.type === 'string' || Array.isArray(node.type));
  if (isSchema) yield [place, node as Schema];
  for (const [name, value] of Object.entries(node))
    if (!/^examples?$/.test(name) || place.endsWith('/properties')) yield* schemasIn(value, `${place}/${name}`);
}

/** Those of a type that lack what they need, which is one of each group. */
function lacking(type: string, ...groups: string[][]): string[] {
  return [...schemasIn(committed)]
    .filter(([, schema]) => [schema.type].flat().includes(type))
    .filter(([, schema]) => groups.some((group) => !group.some((name) => name in schema)))
    .map(([place]) => place);
}

const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
const guarded = operations.filter(({ security }) => security.length > 0);

it('limits the length of every list and every text, and says what a text looks like', () => {
  expect(lacking('array', ['maxItems'])).toEqual([]);
  expect(lacking('string', ['maxLength', 'enum', 'const'], ['format', 'pattern', 'enum', 'const'])).toEqual([]);
});

it('gives every number a format, a least and a most', () => {
  expect(lacking('integer', ['format'], ['minimum', 'exclusiveMinimum'], ['maximum', 'exclusiveMaximum'])).toEqual([]);
});

it.each(operations)('$operationId documents what any caller may be told', ({ security, responses }) => {
  const ofKeys = security.length > 0 ? ['401', '429'] : [];
  expect(Object.keys(responses)).toEqual(expect.arrayContaining(['400', '500', '503', ...ofKeys]));
});

it.each(guarded)(
  '$operationId documents the rate limit with every answer that a key is counted for',
  ({ responses }) => {
    // These come before a key is known.
    const counted = Object.entries(responses).filter(([status]) => /^[234](?!00|01|08|14|31)|^20/.test(status));
    for (const [status, { headers }] of counted)
      expect(Object.keys(headers ?? {}), status).toEqual(
        expect.arrayContaining(['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']),
      );
    expect(responses['429']?.headers).toHaveProperty('Retry-After');
  },
);

it('has keys in the header alone, and no server without encryption', () => {
  const { components, servers } = committed as unknown as {
    components: { securitySchemes: Record<string, { type: string; scheme: string }> };
    servers: { url: string }[];
  };
  const schemes = Object.values(components.securitySchemes);
  expect(schemes.map(({ type, scheme }) => [type, scheme])).toEqual([['http', 'bearer']]);
  expect(servers.filter(({ url }) => url.startsWith('http:'))).toEqual([]);
});
