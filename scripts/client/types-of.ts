/** The JSON Schema keywords of the document that determine a type. */
export interface Schema {
  $ref?: string;
  anyOf?: Schema[];
  enum?: string[];
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema;
  minProperties?: number;
  maxProperties?: number;
  description?: string;
  title?: string;
}

export interface TypeOptions {
  /** For inputs, lists may be read-only, and undefined counts as missing. */
  isInput: boolean;
  /** The name of an enum's type, if it has one. */
  nameOf: (values: readonly string[]) => string | undefined;
}

const lineMax = 110;

/** The TypeScript type of a schema. Throws for an unknown schema type. */
export function typeOf(schema: Schema, options: TypeOptions): string {
  if (schema.$ref !== undefined) return schema.$ref.replace('#/components/schemas/', '');
  if (schema.anyOf) return schema.anyOf.map((one) => typeOf(one, options)).join(' | ');
  if (schema.enum) return enumOf(schema, options);
  return [schema.type ?? []]
    .flat()
    .map((kind) => typeOfKind(kind, schema, options))
    .join(' | ');
}

function typeOfKind(kind: string, schema: Schema, options: TypeOptions): string {
  switch (kind) {
    case 'string':
    case 'boolean':
    case 'null':
      return kind;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return listOf(schema, options);
    case 'object':
      return objectOf(schema, options);
    default:
      throw new Error(`no type is known for ${JSON.stringify(schema)}`);
  }
}

function listOf({ items = {}, description = '' }: Schema, options: TypeOptions): string {
  const item = typeOf(grows(description) ? { ...items, description } : items, options);
  const list = item.includes('|') ? `(${item})[]` : `${item}[]`;
  return options.isInput ? `readonly ${list}` : list;
}

/** An object type; if exactly one property is allowed, a union in which each excludes the others. */
function objectOf(schema: Schema, options: TypeOptions): string {
  const { properties, additionalProperties, minProperties, maxProperties } = schema;
  if (!properties) {
    return `Record<string, ${additionalProperties ? typeOf(additionalProperties, options) : 'unknown'}>`;
  }
  if (minProperties !== 1 || maxProperties !== 1) return `{ ${membersOf(schema, options)} }`;
  const names = Object.keys(properties);
  return Object.entries(properties)
    .map(([name, one]) => {
      const others = names.filter((other) => other !== name).map((other) => `${other}?: never`);
      return `{ ${docOf(one.description)}${name}: ${typeOf(one, options)}; ${others.join('; ')} }`;
    })
    .join(' | ');
}

/** The properties of an object, each with its description. */
export function membersOf({ properties = {}, required = [] }: Schema, options: TypeOptions): string {
  return Object.entries(properties)
    .map(([name, schema]) => {
      const isOptional = !required.includes(name);
      const type = `${typeOf(schema, options)}${isOptional && options.isInput ? ' | undefined' : ''}`;
      return `${docOf(schema.description)}${name}${isOptional ? '?' : ''}: ${type};\n`;
    })
    .join('');
}

const grows = (description: string) => description.includes('The set may grow');

function enumOf({ enum: values = [], description = '' }: Schema, { nameOf }: TypeOptions): string {
  // Null may be among them.
  const known = nameOf(values) ?? values.map((value) => JSON.stringify(value).replaceAll('"', "'")).join(' | ');
  // With `& {}` editors still suggest the known values.
  return grows(description) ? `${known} | (string & {})` : known;
}

/** A doc comment, wrapped. */
export function docOf(text = ''): string {
  if (text === '') return '';
  const lines = [''];
  for (const word of text.replaceAll('*/', '*\\/').split(/\s+/)) {
    const line = lines.at(-1) ?? '';
    if (line.length + word.length > lineMax) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.length === 1 ? `/** ${lines[0]} */\n` : `/**\n${lines.map((line) => ` * ${line}\n`).join('')} */\n`;
}
