import type { ErrorObject } from 'ajv';

import type { FieldError, FieldErrorCode } from './errors.ts';
import { storablePattern } from './values/field.ts';
import { nearest } from './values/nearest.ts';
import type { JsonSchema } from './values/object-schema.ts';

export function fieldErrorOf(error: ErrorObject): FieldError {
  const { instancePath, params, propertyName } = error;
  const [code, says] = kindOf(error);
  const inner = String(
    propertyName ?? params['propertyName'] ?? params['missingProperty'] ?? params['additionalProperty'] ?? '',
  );
  const path = inner === '' ? instancePath : `${instancePath}/${inner}`;
  // For a caller a list in the query is one parameter.
  const field = fieldOf(path)
    .replace(/^(include|type)\[\d+\]$/, '$1')
    .slice(0, fieldLengthMax);
  return { field, code, message: says(params, error.parentSchema ?? {}, inner, error.data) };
}

/** The first error in words, and the number of others. Never repeats an unknown name: it could be a person's. */
export function inWords([first, ...more]: readonly FieldError[]): string {
  if (!first) return 'The request has invalid parameters';
  return `${subjectOf(first)} ${first.message}${more.length === 0 ? '' : ` (and ${more.length} more)`}`;
}

function subjectOf({ field, code }: FieldError): string {
  const [place = ''] = /^(?:(?:items\[\d+\]|properties|match|tags|keep)\.)*/.exec(field) ?? [];
  if (code === 'unknown') return `A name in ${place.slice(0, -1) || 'the request'}`;
  if (place === 'keep.') return 'An entry of keep';
  return field.startsWith(`${place}attributes.`) ? `An entry of ${place}attributes` : field;
}

const fieldLengthMax = 255;

type Says = (params: Record<string, unknown>, schema: JsonSchema, name: string, data: unknown) => string;
type Kind = readonly [code: FieldErrorCode, says: Says];

function kindOf({ keyword, data, propertyName, parentSchema = {}, message = 'is wrong' }: ErrorObject): Kind {
  const schema = parentSchema as JsonSchema;
  // Ajv tells what is wrong with a name before it tells that a name is wrong.
  if (propertyName !== undefined) return ['format', () => String(schema['description'])];
  if (keyword === 'type' && data === null && allows('string', schema)) return ['required', () => 'must not be empty'];
  if (keyword === 'type' && typeof data === 'number' && !Number.isFinite(data)) return beyondDouble;
  return kinds[keyword] ?? ['format', () => message];
}

const beyondDouble: Kind = ['too_large', () => 'must be a number within the range of a double'];

const atLeast = (what: string): Says => {
  return ({ limit }) => (limit === 1 ? 'must not be empty' : `must have at least ${String(limit)} ${what}`);
};

const kinds: Record<string, Kind> = {
  required: ['required', () => 'is required'],
  additionalProperties: ['unknown', (_, schema, name) => `is not known${insteadOf(name, schema)}`],
  type: ['type', ({ type }) => `must be ${nameOfType(type)}`],
  enum: ['not_allowed', ({ allowedValues }, _schema, _name, data) => oneOf(allowedValues as string[], String(data))],
  const: ['not_allowed', ({ allowedValue }) => `must be ${String(allowedValue)}`],
  pattern: ['format', ({ pattern }) => `must be ${patternNames[String(pattern)] ?? 'in the documented form'}`],
  storable: ['format', () => 'must be Unicode without U+0000 or half of a surrogate pair'],
  format: ['format', ({ format }) => `must be ${formatNames[String(format)] ?? 'in the documented form'}`],
  minLength: ['too_short', atLeast('characters')],
  maxLength: ['too_long', ({ limit }) => `must have at most ${String(limit)} characters`],
  minimum: ['too_small', ({ limit }) => `must be at least ${String(limit)}`],
  maximum: ['too_large', ({ limit }) => `must be at most ${String(limit)}`],
  minItems: ['required', atLeast('entries')],
  minProperties: ['required', (_, schema) => `must have one of ${namesIn(schema).join(', ')}`],
  maxItems: ['too_many', ({ limit }) => `must have at most ${String(limit)} entries`],
  maxProperties: ['too_many', (_, schema) => `must have only one of ${namesIn(schema).join(', ')}`],
  uniqueItems: ['not_allowed', () => 'must not name anything twice'],
};

const patternNames: Record<string, string> = {
  [storablePattern]: 'a text without the character U+0000',
  '^[^,;|\\u0000]+$': '1 to 40 characters without , ; and |',
  '^(?:\\*|[A-Za-z0-9_-]+)$': '* or a next_cursor of this list',
  '^[1-9]\\d{0,5}[smhdw]$': 'a span from 1h to 30d, such as 7d',
  '^\\d{1,6}[smhdw]$': 'a span such as 24h or 90d',
};

const formatNames: Record<string, string> = { email: 'an e-mail address', website: 'a web address' };

const typeNames: Record<string, string> = {
  integer: 'a whole number',
  number: 'a number',
  string: 'a text',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
};

const listedMax = 10;

/** The members of a body: all but those of the path, in camelCase, and of the query. */
function namesIn({ properties = {} }: JsonSchema): string[] {
  return Object.keys(properties as object).filter((name) => !/[A-Z]|^(?:include|keep_keys|dry_run)$/.test(name));
}

function insteadOf(name: string, schema: JsonSchema): string {
  const names = namesIn(schema);
  const word = name.replaceAll(/(?<=[a-z\d])(?=[A-Z])|[- ]/g, '_').toLowerCase();
  const { properties: inner } = (schema['properties'] ?? {}) as { properties?: JsonSchema };
  const inside = inner && nearest(word, namesIn(inner));
  if (inside !== undefined) return ` here; put ${inside} inside properties`;
  const near = nearest(word, names);
  if (near !== undefined) return `; did you mean ${near}?`;
  return names.length > listedMax || names.length === 0 ? '' : `; allowed: ${names.join(', ')}`;
}

function oneOf(allowed: readonly string[], given: string): string {
  const near = allowed.length > listedMax ? nearest(given, allowed) : undefined;
  return near === undefined
    ? `must be one of ${allowed.join(', ')}`
    : `must be one of the documented words; did you mean ${near}?`;
}

function nameOfType(type: unknown): string {
  return [type]
    .flat()
    .map((one) => typeNames[String(one)] ?? String(one))
    .join(' or ');
}

/** `/items/3/op` as `items[3].op`. */
function fieldOf(path: string): string {
  return path
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((field, part) => {
      if (/^\d+$/.test(part)) return `${field}[${part}]`;
      return field === '' ? part : `${field}.${part}`;
    }, '');
}

export function allows(type: string, schema: JsonSchema): boolean {
  return [schema['type']].flat().includes(type);
}
