import type { FastifyTypeProvider } from 'fastify';

declare const described: unique symbol;

/** The words of JSON Schema that we use: what is not among them, nothing here would heed. */
interface Keywords {
  readonly title?: string;
  readonly description?: string;
  readonly format?: 'date-time' | 'int32' | 'int64';
  readonly default?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly additionalProperties?: false;
  /** For the message to who sends another value: "must be …". */
  readonly 'x-expected'?: string;
  /** Of the response, for the document. */
  readonly headers?: object;
  readonly examples?: readonly unknown[];
}

type Type = 'string' | 'integer' | 'boolean' | 'array' | 'object';
type Properties = Readonly<Record<string, Schema>>;
type Values<Of extends Properties> = { -readonly [Name in keyof Of]: ValueOf<Of[Name]> };

/** A JSON Schema as the document prints it; only the compiler knows which values it describes. */
export interface Schema<Value = unknown> extends Keywords {
  readonly type: Type | readonly ['string', 'null'];
  readonly const?: string;
  readonly enum?: readonly string[];
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly properties?: Properties;
  readonly [described]?: Value;
}

type ValueOf<Of> = Of extends Schema<infer Value> ? (unknown extends Value ? never : Value) : never;

/** Holds a route's handler against its schemas: the query and the path that it reads, the answer that it gives. */
export interface SchemaTypes extends FastifyTypeProvider {
  readonly validator: ValueOf<this['schema']>;
  readonly serializer: ValueOf<this['schema']>;
}

/** What is not named is not sent. */
export const closed = { additionalProperties: false } as const;

export function text(keywords: Keywords): Schema<string> {
  return { type: 'string', ...keywords };
}

export function integer(keywords: Keywords): Schema<number> {
  return { type: 'integer', ...keywords };
}

export function boolean(): Schema<boolean> {
  return { type: 'boolean' };
}

export function literal<const Word extends string>(word: Word): Schema<Word> {
  return { type: 'string', const: word };
}

/** One of a closed set of words. */
export function oneOf<const Word extends string>(words: readonly Word[], keywords: Keywords): Schema<Word> {
  return { type: 'string', enum: words, ...keywords };
}

/** A text that is null when unknown. */
export function nullableText(keywords: Keywords): Schema<string | null> {
  return { type: ['string', 'null'], ...keywords };
}

export function list<Item>(items: Schema<Item>, keywords: Keywords): Schema<Item[]> {
  return { type: 'array', items, ...keywords };
}

/** An object that has all of these. */
export function object<Of extends Properties>(properties: Of, keywords: Keywords = {}): Schema<Values<Of>> {
  return { type: 'object', required: Object.keys(properties), properties, ...keywords };
}

/** An object that may have any of these. */
export function partial<Of extends Properties>(properties: Of): Schema<Partial<Values<Of>>> {
  return { type: 'object', properties };
}
