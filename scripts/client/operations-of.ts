import { inQuery } from '../../src/http/input.ts';
import type { Schema } from './types-of.ts';

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description: string;
  schema: Schema;
}

interface Content {
  content?: { 'application/json'?: { schema: Schema } };
}

export interface DocumentedOperation {
  operationId: string;
  summary: string;
  description: string;
  security?: object[];
  parameters?: Parameter[];
  requestBody?: Content;
  responses: Record<string, Content>;
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: { schemas: Record<string, Schema> };
}

/** The parameters and properties by which a list is walked. */
export interface Listing {
  /** The property of the answer that holds the items. */
  items: string;
  item: string;
  /** The cursor parameter; lists without one are walked by page number. */
  cursor?: string;
  /** The page size parameter, and its maximum. */
  size: string;
  sizeMax: number;
}

export interface ClientOperation {
  name: string;
  doc: string;
  method: string;
  path: string;
  /** Whether a retry is safe: `keyed` only with an idempotency key. */
  repeats: 'always' | 'keyed' | 'never';
  isOpen: boolean;
  takesIfMatch: boolean;
  /** Path parameters, query and body as the properties of one object. */
  input: Schema;
  /** Undefined if the answer has no data. */
  output: Schema | undefined;
  /** What `dry_run: true` answers, where that is something else. */
  dryOutput: Schema | undefined;
  list: Listing | undefined;
}

/** Every operation of the document; the client has a method for each. */
export function operationsOf(document: OpenApiDocument): ClientOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([verb, operation]) => clientOperation(verb.toUpperCase(), path, operation)),
  );
}

function clientOperation(method: string, path: string, operation: DocumentedOperation): ClientOperation {
  const input = inputOf(method, path, operation);
  const [output, dryOutput] = outputsOf(operation);
  return {
    name: operation.operationId,
    doc: `${operation.summary}. ${operation.description}`.replace(
      / (Unknown query .*?ignored|HEAD is .*? well)\./g,
      '',
    ),
    method,
    path,
    repeats: repeatsOf(method, operation),
    isOpen: (operation.security ?? []).length === 0,
    takesIfMatch: hasHeader(operation, 'If-Match'),
    input,
    output,
    dryOutput,
    list: listingOf(input, output),
  };
}

const hasHeader = ({ parameters = [] }: DocumentedOperation, name: string) =>
  parameters.some((one) => one.in === 'header' && one.name === name);

function repeatsOf(method: string, operation: DocumentedOperation): ClientOperation['repeats'] {
  if (hasHeader(operation, 'Idempotency-Key')) return 'keyed';
  if (method !== 'POST') return 'always';
  // The document lists this code for every operation that writes.
  return JSON.stringify(operation.responses['500']).includes('outcome_unknown') ? 'never' : 'always';
}

function inputOf(
  method: string,
  path: string,
  { operationId, parameters = [], requestBody }: DocumentedOperation,
): Schema {
  const body = requestBody?.content?.['application/json']?.schema ?? {};
  const given = parameters.filter((one) => one.in !== 'header');
  const hasBody = method === 'POST' || method === 'PATCH';
  for (const { name, in: place } of given) {
    // The client relies on this rule to tell path, query and body apart.
    const expected = path.includes(`{${name}}`) ? 'path' : 'query';
    if (place !== expected || (hasBody && place === 'query' && !inQuery.has(name)) || name in (body.properties ?? {})) {
      throw new Error(`the client cannot tell where ${name} of ${operationId} belongs`);
    }
  }
  return {
    properties: {
      ...Object.fromEntries(
        given.map(({ name, schema, description }) => [name, { ...schema, description: ofValue(schema, description) }]),
      ),
      ...body.properties,
    },
    required: [...given.filter(({ required }) => required).map(({ name }) => name), ...(body.required ?? [])],
  };
}

/** Callers give an array; the client adds the commas. */
const ofValue = ({ type }: Schema, description: string) =>
  type === 'array' ? description.replace(', separated by commas or by repeating the parameter', '') : description;

/** What an operation answers, and what it answers to a dry run where that is another schema. */
function outputsOf({ responses }: DocumentedOperation): [output: Schema | undefined, dryOutput?: Schema | undefined] {
  const success = responses['201'] ?? responses['200'];
  const answer = success?.content?.['application/json']?.schema;
  const data = answer?.properties?.['data'];
  if (answer?.required?.includes('data') === false) return [undefined, data];
  const [whole = {}, dry, ...more] = data?.anyOf ?? [];
  if (dry?.$ref === undefined) return [data];
  return [more.length === 0 ? whole : { anyOf: [whole, ...more] }, dry];
}

function listingOf({ properties = {} }: Schema, output: Schema | undefined): Listing | undefined {
  const answered = output?.properties ?? {};
  if (!('pages' in answered) && !('next_cursor' in answered)) return undefined;
  const [items = '', list] = Object.entries(answered).find(([, { type }]) => type === 'array') ?? [];
  const cursor = ['cursor', 'after'].find((name) => name in properties);
  const size = ['per_page', 'limit'].find((name) => name in properties);
  // A list that is always empty.
  if (size === undefined) return undefined;
  return {
    items,
    item: (list?.items?.$ref ?? '').replace('#/components/schemas/', ''),
    ...(cursor !== undefined && { cursor }),
    size,
    sizeMax: (properties[size] as { maximum?: number }).maximum ?? 0,
  };
}
