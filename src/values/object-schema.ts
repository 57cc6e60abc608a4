import type { XStatic } from 'typebox/schema';

export type JsonSchema = Readonly<Record<string, unknown>>;

type Schemas = Readonly<Record<string, JsonSchema>>;

export type Partly<Properties extends Schemas> = XStatic<{ type: 'object'; properties: Properties }>;

export function object<const Required extends Schemas, const Optional extends Schemas = Required>(
  properties: Required,
  { optional, ...about }: { title?: string; description?: string; optional?: Optional } = {},
) {
  // Typebox reads the names in tuples alone.
  const required = Object.keys(properties) as [keyof Required & string];
  return {
    type: 'object',
    ...about,
    additionalProperties: false,
    ...((required.length > 0 && { required }) as { required: typeof required }),
    properties: { ...properties, ...(optional as Optional) },
  } as const;
}
