import type { ErrorObject, Options, ValidateFunction } from 'ajv';

import { AppError, type FieldError, type FieldErrorCode } from './errors.ts';
import { objectionToEmail } from './values/email.ts';
import { isStorable } from './values/identifier.ts';
import { once } from './values/once.ts';
import { objectionToWebsite } from './values/website.ts';

/** A JSON Schema (2020-12) as plain data; its TypeScript type comes from typebox. */
export type JsonSchema = Readonly<Record<string, unknown>>;

const errorsMax = 20;
/** More would be a body of nothing but errors, which take 2 µs each to collect. */
const examinedMax = 5_000;

interface Validator {
  /** Stops at the first error. */
  accepts: ValidateFunction;
  examine: () => ValidateFunction;
}
const validators = new WeakMap<JsonSchema, Validator>();

/**
 * Throws `invalid` with the first error of each field that the schema refuses, twenty at most, and one of an input with
 * more than 5,000 values; returns a promise only where the schema is still to be compiled.
 */
export function validate(schema: JsonSchema, input: unknown): Promise<void> | undefined {
  const validator = validators.get(schema);
  if (!validator) return compileAndValidate(schema, input);
  const { accepts, examine } = validator;
  if (accepts(input)) return undefined;
  const errors = new Map<string, FieldError>();
  for (const one of errorsOf(hasManyValues(input) ? accepts : examine(), input)) {
    const error = fieldErrorOf(one);
    if (!errors.has(error.field)) errors.set(error.field, error);
    if (errors.size === errorsMax) break;
  }
  throw invalid([...errors.values()]);
}

async function compileAndValidate(schema: JsonSchema, input: unknown): Promise<void> {
  const { first, all } = await ajv();
  const complete = withStorableTexts(schema);
  validators.set(schema, { accepts: first.compile(complete), examine: () => all.compile(complete) });
  return validate(schema, input);
}

/** The schema with a check of every text, so that no operation can forget it. */
function withStorableTexts(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (_name, value: unknown) =>
    isObject(value) && allows('string', value) ? { ...value, storable: true } : value,
  ) as JsonSchema;
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function allows(type: string, schema: JsonSchema): boolean {
  return [schema['type']].flat().includes(type);
}

function errorsOf(validator: ValidateFunction, input: unknown): ErrorObject[] {
  validator(input);
  return validator.errors ?? [];
}

function hasManyValues(input: unknown): boolean {
  let left = examinedMax;
  const isTooMuch = (value: unknown): boolean =>
    --left < 0 || (typeof value === 'object' && value !== null && Object.values(value).some(isTooMuch));
  return isTooMuch(input);
}

export function invalid(errors: readonly FieldError[]): AppError {
  return new AppError('invalid', 'The request has invalid parameters', { errors });
}

// Loaded with the first input: most commands never check one.
const ajv = once(async () => {
  const { Ajv } = await import('ajv');
  const options: Options = {
    verbose: true,
    strict: false,
    // JSON.parse reads 1e400 as Infinity.
    strictNumbers: true,
    meta: false,
    validateSchema: false,
    formats: {
      email: (text: string) => objectionToEmail(text) === undefined,
      website: (text: string) => objectionToWebsite(text) === undefined,
      // They describe numbers for clients; unknown formats would be reported on stderr.
      int32: true,
      int64: true,
      'date-time': true,
    },
    keywords: [{ keyword: 'storable', type: 'string', validate: (_: true, text: string) => isStorable(text) }],
  };
  return { first: new Ajv(options), all: new Ajv({ ...options, allErrors: true }) };
});

function fieldErrorOf(error: ErrorObject): FieldError {
  const { instancePath, params, propertyName } = error;
  const { code, says } = kindOf(error);
  const inner = String(
    propertyName ?? params['propertyName'] ?? params['missingProperty'] ?? params['additionalProperty'] ?? '',
  );
  const path = inner === '' ? instancePath : `${instancePath}/${inner}`;
  const field = fieldOf(path).slice(0, fieldLengthMax);
  return { field, code, message: says(params) };
}

const fieldLengthMax = 255;

interface Kind {
  code: FieldErrorCode;
  says: (params: Record<string, unknown>) => string;
}

function kindOf({ keyword, data, propertyName, parentSchema = {}, message = 'is wrong' }: ErrorObject): Kind {
  const schema = parentSchema as JsonSchema;
  // Ajv tells what is wrong with a name before it tells that a name is wrong.
  if (propertyName !== undefined) return { code: 'format', says: () => String(schema['description']) };
  if (keyword === 'type' && data === null && allows('string', schema)) return noText;
  if (keyword === 'type' && typeof data === 'number' && !Number.isFinite(data)) return beyondDouble;
  return kinds[keyword] ?? { code: 'format', says: () => message };
}

const noText: Kind = { code: 'required', says: () => 'must not be empty' };
const beyondDouble: Kind = { code: 'too_large', says: () => 'must be a number within the range of a double' };

const kinds: Record<string, Kind> = {
  required: { code: 'required', says: () => 'is required' },
  additionalProperties: { code: 'unknown', says: () => 'is not known' },
  type: { code: 'type', says: ({ type }) => `must be ${nameOfType(type)}` },
  enum: { code: 'not_allowed', says: ({ allowedValues }) => `must be one of ${list(allowedValues)}` },
  const: { code: 'not_allowed', says: ({ allowedValue }) => `must be ${String(allowedValue)}` },
  pattern: {
    code: 'format',
    says: ({ pattern }) => `must be ${patternNames[String(pattern)] ?? 'in the documented form'}`,
  },
  storable: { code: 'format', says: () => 'must be Unicode without U+0000 and halves of surrogate pairs' },
  format: {
    code: 'format',
    says: ({ format }) => `must be ${formatNames[String(format)] ?? 'in the documented form'}`,
  },
  minLength: {
    code: 'too_short',
    says: ({ limit }) => (limit === 1 ? 'must not be empty' : `must have at least ${String(limit)} characters`),
  },
  maxLength: { code: 'too_long', says: ({ limit }) => `must have at most ${String(limit)} characters` },
  minimum: { code: 'too_small', says: ({ limit }) => `must be at least ${String(limit)}` },
  maximum: { code: 'too_large', says: ({ limit }) => `must be at most ${String(limit)}` },
  minItems: { code: 'required', says: ({ limit }) => `must have at least ${String(limit)} entries` },
  minProperties: { code: 'required', says: ({ limit }) => `must have at least ${String(limit)} members` },
  maxItems: { code: 'too_many', says: ({ limit }) => `must have at most ${String(limit)} entries` },
  maxProperties: { code: 'too_many', says: ({ limit }) => `must have at most ${String(limit)} members` },
  uniqueItems: { code: 'not_allowed', says: () => 'must not name anything twice' },
};

/** Where the pattern alone would tell a person nothing: that of tags. */
const patternNames: Record<string, string> = { '^[^,;|\\u0000]+$': '1 to 40 characters without , ; and |' };

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

function nameOfType(type: unknown): string {
  return [type]
    .flat()
    .map((one) => typeNames[String(one)] ?? String(one))
    .join(' or ');
}

function list(values: unknown): string {
  return Array.isArray(values) ? values.join(', ') : String(values);
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
