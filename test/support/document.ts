import { readFileSync } from 'node:fs';

import formats from 'ajv-formats';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'vitest';

import { withoutReferences } from '../../scripts/openapi-components.ts';

interface Operation {
  responses: Record<string, { headers?: Record<string, unknown>; content?: Record<string, { schema: object }> }>;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: object;
  example?: unknown;
}

interface Document {
  paths: Record<
    string,
    Record<
      string,
      Operation & { operationId: string; summary: string; security: { apiKey: string[] }[]; parameters?: Parameter[] }
    >
  >;
  components: Record<'schemas' | 'responses' | 'headers' | 'parameters', Record<string, object>>;
}

/** The committed OpenAPI document. */
export const committed = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as Document;

/** The same with its shared responses, headers and parameters in their places. */
export const document = withoutReferences(committed);

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv, ['date-time', 'int32', 'int64']);
ajv.addSchema({ $id: 'roster', components: closed(document.components) as object });

export interface Answer {
  method: string;
  /** With or without query. */
  path: string;
  status: number;
  headers: Record<string, unknown>;
  body: string;
}

/** Fails unless the answer is one that the OpenAPI document describes: status, type, headers and body. */
export function expectDocumented({ method, path, status, headers, body }: Answer): void {
  const context = `${method} ${path} -> ${status} ${body}`;
  expect(headers['x-request-id'], context).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
  if (status === 304 || method === 'HEAD') {
    expect(body, context).toBe('');
    return;
  }
  expect(headers['content-type'], context).toBe('application/json; charset=utf-8');
  const operation = status === 405 ? undefined : findOperation(method, path);
  const response = operation?.responses[String(status)];
  // Outside the operations (unknown paths, other methods, broken requests) every answer is a Failure.
  const schema = response?.content?.['application/json']?.schema ?? failure;
  if (operation) expect(Object.keys(operation.responses), context).toContain(String(status));
  for (const name of Object.keys(response?.headers ?? {})) {
    // Absent where the limit is switched off; its own test covers them.
    if (/^x-ratelimit-/i.test(name)) continue;
    // What is gone has no revision, so the answer to a repeat has none.
    if (name === 'ETag' && headers['idempotent-replayed'] !== undefined) continue;
    expect(headers, context).toHaveProperty(name.toLowerCase());
  }
  const value = JSON.parse(body) as unknown;
  const validate = validatorOf(schema);
  expect(validate(value), `${context}\n${ajv.errorsText(validate.errors)}`).toBe(true);
  expect(body, context).toBe(JSON.stringify(inOrder(value, schema)));
}

interface Schema {
  $ref?: string;
  type?: string;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
}

/** The value with its keys in the order of the document. */
function inOrder(value: unknown, { $ref, anyOf, items = {}, properties }: Schema): unknown {
  if ($ref !== undefined) return inOrder(value, document.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {});
  if (typeof value !== 'object' || value === null) return value;
  if (anyOf) {
    const orders = anyOf.filter(({ type }) => type !== 'null').map((one) => inOrder(value, one));
    return orders.find((one) => JSON.stringify(one) === JSON.stringify(value)) ?? orders[0];
  }
  if (Array.isArray(value)) return value.map((one) => inOrder(one, items));
  if (!properties) return value;
  const own = value as Record<string, unknown>;
  const names = Object.keys(properties).filter((name) => name in own);
  return Object.fromEntries(names.map((name) => [name, inOrder(own[name], properties[name] ?? {})]));
}

const failure = { $ref: '#/components/schemas/Failure' };
const validators = new Map<object, ValidateFunction>();

// To compile one takes longer than the answer.
function validatorOf(schema: object): ValidateFunction {
  const validate = validators.get(schema) ?? ajv.compile(closed(absolute(schema)) as object);
  validators.set(schema, validate);
  return validate;
}

const patterns = Object.entries(document.paths).map(
  ([template, item]) => [new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`), item] as const,
);

function findOperation(method: string, path: string): Operation | undefined {
  const bare = path.replace(/\/?(\?.*)?$/, '');
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
  return patterns.find(([pattern, item]) => verb in item && pattern.test(bare))?.[1][verb];
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
