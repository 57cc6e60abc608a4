import type { Options, ValidateFunction } from 'ajv';

import { AppError, type FieldError } from './errors.ts';
import { allows, fieldErrorOf, inWords } from './field-error.ts';
import { objectionToEmail } from './values/email.ts';
import { objectionToWebsite } from './values/field.ts';
import type { JsonSchema } from './values/object-schema.ts';
import { once } from './values/once.ts';
import { isStorable } from './values/text.ts';

export function propertiesOf(schema: JsonSchema | undefined): Readonly<Record<string, JsonSchema>> {
  return (schema?.['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
}

const errorsMax = 20;
/** A larger input could be nothing but errors, which take 2 µs each to collect. */
const examinedMax = 5_000;

interface Validator {
  accepts: ValidateFunction;
  examine: () => ValidateFunction;
}
const validators = new WeakMap<JsonSchema, Validator>();

/** Throws `invalid`: one error a field, 20 at most; one alone beyond 5,000 values. A promise only while it compiles. */
export function validate(schema: JsonSchema, input: unknown): Promise<void> | undefined {
  const compiled = validators.get(schema);
  if (!compiled) return compileAndValidate(schema, input);
  const { accepts, examine } = compiled;
  if (accepts(input)) return undefined;
  const errors = new Map<string, FieldError>();
  const validator = hasManyValues(input) ? accepts : examine();
  validator(input);
  for (const one of validator.errors ?? []) {
    const error = fieldErrorOf(one);
    if (!errors.has(error.field)) errors.set(error.field, error);
    if (errors.size === errorsMax) break;
  }
  throw invalid([...errors.values()].toSorted((one, other) => rank(one) - rank(other)));
}

// An unknown name often explains a missing one.
const rank = ({ code }: FieldError) => Number(code !== 'unknown');

async function compileAndValidate(schema: JsonSchema, input: unknown): Promise<void> {
  const { first, all } = await ajv();
  // Another early caller may have done it.
  if (!validators.has(schema)) {
    const complete = withStorableTexts(schema);
    validators.set(schema, { accepts: first.compile(complete), examine: () => all.compile(complete) });
  }
  return validate(schema, input);
}

function withStorableTexts(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (_name, value: JsonSchema | null) =>
    value && allows('string', value) ? { ...value, storable: true } : value,
  ) as JsonSchema;
}

function hasManyValues(input: unknown): boolean {
  let left = examinedMax;
  const isTooMuch = (value: unknown): boolean =>
    --left < 0 || (typeof value === 'object' && value !== null && holdsTooMuch(value as Record<string, unknown>));
  // Reading the values of a hundred thousand names takes three times as long as the names alone.
  const holdsTooMuch = (value: Record<string, unknown>) => Object.keys(value).some((name) => isTooMuch(value[name]));
  return isTooMuch(input);
}

/** Corrects the letter case of a word of a closed list, or of a list of them. */
export function wordAsMeant(value: unknown, { enum: words, items }: JsonSchema = {}): unknown {
  if (Array.isArray(value)) return items ? value.map((one) => wordAsMeant(one, items as JsonSchema)) : value;
  if (typeof value !== 'string' || !Array.isArray(words)) return value;
  const sought = value.toLowerCase();
  return words.find((word) => String(word).toLowerCase() === sought) ?? value;
}

export function invalid(errors: readonly FieldError[]): AppError {
  return new AppError('invalid', inWords(errors), { errors });
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
