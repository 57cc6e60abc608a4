type Json = { [key: string]: unknown };

interface Operation {
  operationId: string;
  parameters?: Json[];
  responses: Record<string, { headers?: Json }>;
}

/** What is read of an OpenAPI document here. */
export interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Json };
}

/** Where a part stands, and what it may be called in `components`. */
interface Place {
  holder: Json;
  key: string;
  name: string;
  operationId: string;
}

/**
 * The document with what stands more than once in `components`, once, and references to it. Every schema with a title
 * is there too. Objects stay open: `/v2` promises additions, so no client should refuse a key that it does not know.
 */
export function shareComponents(document: Document): object {
  const schemas = { ...document.components.schemas };
  const paths = nameSchemas(document.paths, schemas) as Document['paths'];
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  // From the inside out: responses are alike once their headers are references.
  const headers = share('headers', operations.flatMap(headersOf));
  const responses = share('responses', operations.flatMap(responsesOf));
  const parameters = share('parameters', operations.flatMap(parametersOf));
  return { ...document, paths, components: { ...document.components, schemas, responses, headers, parameters } };
}

/** The document with a copy of each shared response, header and parameter wherever a reference names it. */
export function withoutReferences<D extends object>(document: D): D {
  const { components } = document as { components?: Record<string, Json> };
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref } = value as { $ref?: string };
    const [, kind = '', name = ''] = /^#\/components\/(responses|headers|parameters)\/(.+)$/.exec($ref ?? '') ?? [];
    if (kind !== '') return visit(components?.[kind]?.[name]);
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, visit(one)]));
  };
  return visit(document) as D;
}

function nameSchemas(value: unknown, schemas: Json): unknown {
  if (Array.isArray(value)) return value.map((one) => nameSchemas(one, schemas));
  if (typeof value !== 'object' || value === null) return value;
  const own = Object.entries(value).filter(([key, inner]) => key !== 'additionalProperties' || inner !== false);
  const named = Object.fromEntries(own.map(([key, inner]) => [key, nameSchemas(inner, schemas)]));
  const { title } = named;
  if (typeof title !== 'string' || named['type'] !== 'object') return named;
  schemas[title] ??= named;
  return { $ref: `#/components/schemas/${title}` };
}

/** Moves what stands in several of these places out of them. */
function share(kind: string, places: readonly Place[]): Json {
  const components: Json = {};
  const references = new Map<string, object>();
  const textOf = ({ holder, key }: Place) => JSON.stringify(holder[key]);
  const times = Map.groupBy(places, textOf);
  for (const place of places) {
    const { holder, key, name, operationId } = place;
    const text = textOf(place);
    if (times.get(text)?.length === 1) continue;
    if (!references.has(text)) {
      const free = name in components ? `${name}-${operationId}` : name;
      components[free] = holder[key];
      references.set(text, { $ref: `#/components/${kind}/${free}` });
    }
    holder[key] = references.get(text);
  }
  return components;
}

function headersOf({ operationId, responses }: Operation): Place[] {
  return Object.values(responses).flatMap(({ headers = {} }) =>
    Object.keys(headers).map((key) => ({ holder: headers, key, name: key, operationId })),
  );
}

function parametersOf({ operationId, parameters = [] }: Operation): Place[] {
  const holder = parameters as unknown as Json;
  return parameters.map(({ name }, index) => ({ holder, key: String(index), name: String(name), operationId }));
}

function responsesOf({ operationId, responses }: Operation): Place[] {
  return Object.entries(responses).map(([status, response]) => {
    const [, codes] = /"code":\{"type":"string","enum":(\[.*?\])/.exec(JSON.stringify(response)) ?? [];
    const words = codes === undefined ? operationId : (JSON.parse(codes) as string[]).join('_or_');
    const name =
      status === '304' ? 'NotModified' : words.replaceAll(/(?:^|_)(\w)/g, (_, first: string) => first.toUpperCase());
    return { holder: responses, key: status, name, operationId };
  });
}
