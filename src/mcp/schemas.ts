import type { JsonSchema } from '../values/object-schema.ts';

type Schemas = Readonly<Record<string, JsonSchema>>;

/** Keywords that only cost a model context: the operation checks them. */
const neverShown = ['examples', 'title', 'pattern', 'format', 'minLength', 'maxLength', 'default'];

export function slim(schema: JsonSchema, without: readonly string[] = []): JsonSchema {
  return reduced(schema, new Set(neverShown), new Set(without));
}

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
