import type { JsonSchema } from '../validation.ts';

type Schemas = Readonly<Record<string, JsonSchema>>;

/** What costs a model's context and tells it nothing: the operation checks it. */
const neverShown = ['examples', 'title', 'pattern', 'format', 'minLength', 'maxLength', 'default'];

/** The schema of an input as a model reads it, without these properties. */
export function slim(schema: JsonSchema, without: readonly string[] = []): JsonSchema {
  return reduced(schema, new Set(neverShown), new Set(without));
}

/** The schema of an output as a model reads it: names, types and choices. */
export function bare(schema: JsonSchema): JsonSchema {
  return reduced(schema, new Set([...neverShown, 'description', 'maxItems', 'maxProperties']), new Set());
}

function reduced(schema: JsonSchema, keywords: ReadonlySet<string>, names: ReadonlySet<string>): JsonSchema {
  const inner = (one: unknown) => reduced(one as JsonSchema, keywords, names);
  const valueOf = (keyword: string, value: unknown): unknown => {
    if (keyword === 'anyOf') return (value as JsonSchema[]).map(inner);
    if (keyword === 'properties') {
      const kept = Object.entries(value as Schemas).filter(([name]) => !names.has(name));
      return Object.fromEntries(kept.map(([name, one]) => [name, inner(one)]));
    }
    const isSchema = keyword === 'items' || keyword === 'additionalProperties';
    return isSchema && typeof value === 'object' ? inner(value) : value;
  };
  const kept = Object.entries(schema).filter(([keyword]) => !keywords.has(keyword));
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, valueOf(keyword, value)]));
}

/** The properties of a schema of an object. */
export function propertiesOf(schema: JsonSchema | undefined): Schemas {
  return (schema?.['properties'] ?? {}) as Schemas;
}
