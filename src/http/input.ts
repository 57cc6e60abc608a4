import { hash } from 'node:crypto';

import type { FieldError } from '../errors.ts';
import type { IdempotentRequest } from '../idempotency.ts';
import { invalid, propertiesOf, wordAsMeant } from '../validation.ts';
import type { JsonSchema } from '../values/object-schema.ts';
import type { RequestBody } from './body.ts';
import type { Exchange } from './exchange.ts';
import type { Params, Route } from './routes.ts';

/** Merges path, query and body. A list in the query has commas, repeats its name, or is `name[]`. Throws `invalid`. */
export function inputOf(
  { method, operation }: Route,
  params: Params,
  url: string,
  body: object | undefined,
): Record<string, unknown> {
  const errors: FieldError[] = [...Object.keys(params), ...inQuery]
    .filter((name) => body && Object.hasOwn(body, name))
    .map((field) => ({
      field,
      code: 'unknown',
      message: `is not known in a body; it belongs in the ${inQuery.has(field) ? 'query' : 'path'}`,
    }));
  if (errors.length > 0) throw invalid(errors);
  // Merge into the body itself: copying a hundred thousand names takes 50 ms.
  const input: Record<string, unknown> = Object.assign(body ?? {}, params);
  if (body) takeAsMeant(method, input, operation.input);
  const queryStart = url.indexOf('?');
  if (queryStart === -1) return input;
  const hasBody = method === 'POST' || method === 'PATCH';
  const query = new URLSearchParams(url.slice(queryStart + 1));
  for (const [name, schema] of Object.entries(propertiesOf(operation.input))) {
    if (name in params || (hasBody && !inQuery.has(name))) continue;
    const isList = schema['type'] === 'array';
    if (schema['type'] === 'boolean' && inQuery.has(name) && isMisspelt(name, query)) {
      errors.push({ field: name, code: 'format', message: 'must be in lower case with an underscore' });
    }
    const texts = [...query.getAll(name), ...(isList ? query.getAll(`${name}[]`) : [])];
    if (texts.length === 0) continue;
    if (texts.length > 1 && !isList) errors.push({ field: name, code: 'too_many', message: 'must be given once' });
    input[name] = valueOf(texts.join(','), schema);
  }
  if (errors.length > 0) throw invalid(errors);
  return input;
}

/** Accepts words of a closed list in any letter case. In a POST an optional null counts as missing; in a PATCH it clears. */
function takeAsMeant(method: Route['method'], input: Record<string, unknown>, schema: JsonSchema | undefined): void {
  const required = (schema?.['required'] ?? []) as string[];
  // Loop over the known names: a body may have a hundred thousand.
  for (const [name, property] of Object.entries(propertiesOf(schema))) {
    if (!Object.hasOwn(input, name)) continue;
    const isMissing = method === 'POST' && input[name] === null && !required.includes(name);
    if (isMissing) delete input[name];
    else input[name] = wordAsMeant(input[name], property);
  }
}

/** Parameters that stay in the query even if there is a body. */
export const inQuery: ReadonlySet<string> = new Set(['include', 'keep_keys', 'dry_run']);

/** Other unknown parameters are ignored. Ignoring a misspelt flag would delete people or keys for good. */
function isMisspelt(flag: string, query: URLSearchParams): boolean {
  return [...query.keys()].some((name) => name !== flag && bareName(name) === bareName(flag));
}

function bareName(name: string): string {
  return name.replaceAll(/[^a-z]/gi, '').toLowerCase();
}

const digits = /^(?:0|[1-9]\d{0,15})$/;

function valueOf(text: string, schema: JsonSchema): unknown {
  const { type } = schema;
  if (type === 'array') return text.split(',').map((one) => valueOf(one.trim(), schema['items'] as JsonSchema));
  if (type === 'boolean') return text === 'true' || (text === 'false' ? false : text);
  if (type === 'integer') return digits.test(text) ? Number(text) : text;
  return wordAsMeant(text, schema);
}

const keyPattern = /^[\x21-\x7e]{1,255}$/;

export function idempotencyOf({ arrival }: Exchange, body: RequestBody | undefined): IdempotentRequest | undefined {
  const { headers, method = '', url = '' } = arrival.request;
  const given = headers['idempotency-key'];
  if (given === undefined) return undefined;
  const key = /^"(.*)"$/.exec(String(given))?.[1] ?? String(given);
  if (!keyPattern.test(key)) {
    const message = 'must be 1 to 255 visible ASCII characters';
    throw invalid([{ field: 'Idempotency-Key', code: key.length > 255 ? 'too_long' : 'format', message }]);
  }
  const asked = Buffer.from(`${method} ${targetOf(url)}\n`);
  const requestDigest = hash('sha256', Buffer.concat([asked, body?.bytes ?? Buffer.of()]), 'base64url');
  return { keyHash: hash('sha256', key, 'base64url'), requestDigest };
}

/** The parts of a request that a repeat must have too, all but `include`, which only chooses what is shown. */
function targetOf(url: string): string {
  const [path = '', ...rest] = url.split('?');
  const query = new URLSearchParams(rest.join('?'));
  for (const name of ['include', 'include[]']) query.delete(name);
  return [path.replace(/\/$/, ''), ...(query.size > 0 ? [query] : [])].join('?');
}
