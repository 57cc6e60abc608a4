import formats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';

import { withoutReferences } from '../../scripts/openapi-components.ts';
import type { Asked } from '../parts/api.ts';
import type { Reply } from '../parts/caller.ts';

type Schema = Readonly<Record<string, unknown>>;

interface Response {
  headers?: Record<string, unknown>;
  content?: Record<string, { schema: Schema }>;
}

interface Operation {
  operationId?: string;
  responses: Record<string, Response>;
}

/** An OpenAPI document, as far as a client reads it. */
export interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** Those of any answer and of the connection, and what the interface promises beside the document. */
const standing = new Set([
  ...'cache-control vary x-content-type-options x-request-id date connection keep-alive'.split(' '),
  ...'content-type content-length www-authenticate x-ratelimit-limit x-ratelimit-remaining x-ratelimit-reset'.split(
    ' ',
  ),
  'idempotent-replayed',
  'etag',
]);

/** A client that was generated from the document and accepts nothing else: no other key, type, order, status or header. */
export function strictClient(given: Document) {
  const document = withoutReferences(given);
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv, ['date-time', 'int32', 'int64']);
  ajv.addSchema({ $id: 'roster', components: closed(document.components) as object });
  const met = new Set<string>();
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
      const { operationId, responses } = operation;
      return { method: method.toUpperCase(), pattern, isFixed: !path.includes('{'), operationId, responses };
    }),
  );
  const operationOf = ({ method, path }: Asked) => {
    const [bare = ''] = path.split('?');
    const found = operations.filter((one) => one.method === method && one.pattern.test(bare));
    return found.toSorted((one, other) => Number(other.isFixed) - Number(one.isFixed))[0];
  };
  return {
    /** `operationId status` of every answer that was judged. */
    met: met as ReadonlySet<string>,
    /** Every success that the document names. */
    successes: operations.flatMap(({ operationId, responses }) =>
      Object.keys(responses).flatMap((status) => (Number(status) < 400 ? [`${operationId} ${status}`] : [])),
    ),
    objections: (asked: Asked, { status, head, body }: Reply): string[] => {
      const operation = operationOf(asked);
      const response = operation?.responses[String(status)];
      if (!operation || !response) return [`${status} is not documented: ${body}`];
      met.add(`${operation.operationId} ${status}`);
      const wrong = headerObjections(head, Object.keys(response.headers ?? {}));
      const { schema } = response.content?.['application/json'] ?? {};
      if (!schema) return body === '' ? wrong : [...wrong, `a body where none is documented: ${body}`];
      const value = JSON.parse(body) as unknown;
      const validate = ajv.compile(closed(absolute(schema)) as object);
      if (!validate(value)) wrong.push(`${ajv.errorsText(validate.errors)}: ${body}`);
      // Nothing but the order of keys, escapes and spaces can differ.
      else if (JSON.stringify(ordered(value, schema)) !== body) wrong.push(`its keys are in another order: ${body}`);
      return wrong;
    },
  };

  /** The value with its keys in the order of the schema. */
  function ordered(value: unknown, schema: Schema): unknown {
    const { $ref, anyOf, items, properties } = schema as {
      $ref?: string;
      anyOf?: Schema[];
      items?: Schema;
      properties?: Record<string, Schema>;
    };
    if ($ref !== undefined) return ordered(value, document.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {});
    if (typeof value !== 'object' || value === null) return value;
    if (anyOf) return ordered(value, anyOf.find((one) => one['type'] !== 'null') ?? {});
    if (Array.isArray(value)) return value.map((one) => ordered(one, items ?? {}));
    if (!properties) return value;
    const own = value as Record<string, unknown>;
    const names = Object.keys(properties).filter((name) => name in own);
    return Object.fromEntries(names.map((name) => [name, ordered(own[name], properties[name] ?? {})]));
  }
}

function headerObjections(head: readonly string[], documented: readonly string[]): string[] {
  const expected = new Set(documented.map((name) => name.toLowerCase()));
  const found = new Set(head.map((line) => line.slice(0, line.indexOf(':')).toLowerCase()));
  // What is gone has no revision, so the answer to a repeat has no ETag.
  const isGone = (name: string) => name === 'etag' && found.has('idempotent-replayed');
  const missing = [...expected].filter((name) => !found.has(name) && !isGone(name));
  const more = [...found].filter((name) => !expected.has(name) && !standing.has(name));
  return [
    ...missing.map((name) => `the header ${name} is missing`),
    ...more.map((name) => `the header ${name} is not documented`),
  ];
}

// The document leaves objects open for additions; what is sent today must be exactly what it names.
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, closed(one)]));
  return inner['type'] === 'object' && inner['properties'] ? { ...inner, additionalProperties: false } : inner;
}

function absolute(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"roster#/components')) as object;
}
