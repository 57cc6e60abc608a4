import { type ClientOperation, type OpenApiDocument, operationsOf } from './operations-of.ts';
import { docOf, membersOf, type Schema, typeOf, type TypeOptions } from './types-of.ts';

const heading = '// Made of openapi.json by `npm run openapi`; do not edit.\n\n';

/** Schemas of inputs. */
const inputs = new Set(['ContactProperties', 'ContactMatch', 'BulkItem']);
/** Properties that the document leaves out, because Roster checks each item of a bulk request by itself. */
const besides: Record<string, Record<string, Schema>> = {
  BulkItem: { properties: { $ref: 'ContactProperties', description: 'As for a single contact.' } },
};

type Named = Record<string, readonly string[]>;

/** The generated files of the client by name, before formatting. */
export function clientSources(document: OpenApiDocument): Record<string, string> {
  const operations = operationsOf(document);
  const named = { ...namedEnums(document), EventPattern: patternsOf(operations) };
  return {
    'types.ts': typesOf(document, operations, named),
    'operations.ts': tableOf(operations),
    'client.ts': classOf(operations),
  };
}

function namedEnums({ components: { schemas } }: OpenApiDocument): Named {
  const of = (name: string, property: string) => {
    const found = schemas[name]?.properties?.[property];
    return found?.enum ?? found?.items?.enum ?? [];
  };
  return {
    ErrorCode: of('Failure', 'code'),
    EventType: of('Event', 'type'),
    Scope: of('ApiKey', 'scopes'),
    Role: of('Member', 'roles'),
    MemberStatus: of('Member', 'status'),
  };
}

function patternsOf(operations: readonly ClientOperation[]): readonly string[] {
  return operations.find(({ name }) => name === 'listEvents')?.input.properties?.['type']?.items?.enum ?? [];
}

function typesOf({ components }: OpenApiDocument, operations: readonly ClientOperation[], named: Named): string {
  const nameOf = (values: readonly string[]) =>
    Object.entries(named).find(([, known]) => known.join() === values.join())?.[0];
  const options = (isInput: boolean): TypeOptions => ({ isInput, nameOf });
  const literals = Object.entries(named).map(
    ([name, values]) => `export type ${name} = ${values.map((value) => `'${value}'`).join(' | ')};\n\n`,
  );
  const schemas = Object.entries(components.schemas)
    .filter(([name]) => name !== 'Failure')
    .map(([name, schema]) => declaration(name, withBesides(name, schema), options(inputs.has(name))));
  const own = operations.flatMap((operation) => [
    hasInput(operation) ? declaration(inputName(operation), operation.input, options(true)) : '',
    operation.output?.properties ? declaration(outputName(operation), operation.output, options(false)) : '',
  ]);
  return heading + [...literals, ...schemas, ...own].join('');
}

function withBesides(name: string, schema: Schema): Schema {
  return { ...schema, properties: { ...schema.properties, ...besides[name] } };
}

function declaration(name: string, schema: Schema, options: TypeOptions): string {
  const doc = docOf(schema.description);
  const isUnion = schema.maxProperties === 1;
  if (isUnion) return `${doc}export type ${name} = ${typeOf(schema, options)};\n\n`;
  return `${doc}export interface ${name} {\n${membersOf(schema, options)}}\n\n`;
}

const capitalized = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
const hasInput = ({ input }: ClientOperation) => Object.keys(input.properties ?? {}).length > 0;
const inputName = ({ name }: ClientOperation) => `${capitalized(name)}Input`;
const outputName = ({ name }: ClientOperation) => `${capitalized(name)}Result`;

function outputType(operation: ClientOperation): string {
  const { output } = operation;
  if (!output) return 'void';
  if (output.properties) return outputName(operation);
  return typeOf(output, { isInput: false, nameOf: () => undefined });
}

function tableOf(operations: readonly ClientOperation[]): string {
  const rows = operations.map(({ name, method, path, repeats, isOpen, list }) => {
    const { item: _, ...listing } = list ?? { item: '' };
    const row = { method, path, repeats, ...(isOpen && { isOpen }), ...(list && { list: listing }) };
    return `${name}: ${JSON.stringify(row)},\n`;
  });
  return `${heading}import type { Operation } from '../operation.ts';\n\nexport const operations = {\n${rows.join('')}} as const satisfies Record<string, Operation>;\n`;
}

function classOf(operations: readonly ClientOperation[]): string {
  const methods = operations.map(methodOf).join('\n');
  const types = new Set(operations.flatMap(typesNamed).toSorted());
  return `${heading}import type { Answer, List } from '../answer.ts';
import { Caller } from '../caller.ts';
import type { ChangeOptions, ClientOptions, KeyedOptions, RequestOptions } from '../options.ts';
import { operations } from './operations.ts';
import type { ${[...types].join(', ')} } from './types.ts';

/** A client of Roster, or of Chatling, with a method for each operation. It holds no connection and needs no closing. */
export class RosterClient {
  readonly #caller: Caller;

  /** Throws a TypeError where an option cannot be used. */
  constructor(options: ClientOptions) {
    this.#caller = new Caller(options);
  }

${methods}}
`;
}

function typesNamed(operation: ClientOperation): string[] {
  const answered = outputType(operation)
    .split(' | ')
    .filter((name) => name !== 'null' && name !== 'void');
  const dry = operation.dryOutput ? [dryType(operation.dryOutput)] : [];
  return [...answered, ...dry, operation.list?.item ?? [], hasInput(operation) ? inputName(operation) : []].flat();
}

const dryType = (schema: Schema) => typeOf(schema, { isInput: false, nameOf: () => undefined });

function methodOf(operation: ClientOperation): string {
  const { name, doc, input, list, repeats, takesIfMatch, dryOutput } = operation;
  const isOptional = (input.required ?? []).length === 0;
  const given = hasInput(operation) ? `input: ${inputName(operation)}${isOptional ? ' = {}' : ''}, ` : '';
  const options = takesIfMatch ? 'ChangeOptions' : repeats === 'keyed' ? 'KeyedOptions' : 'RequestOptions';
  const answer = list ? `List<${outputType(operation)}, ${list.item}>` : `Answer<${outputType(operation)}>`;
  const passed = `operations.${name}, ${given === '' ? '{}' : 'input'}, options`;
  const signature = (own: string, answered: string) =>
    `${name}(${given.replace(', ', `${own}, `)}options?: ${options}): ${answered}`;
  const overloads = dryOutput
    ? `${signature(' & { dry_run: true }', `Answer<${dryType(dryOutput)}>`)};\n${signature('', answer)};\n`
    : '';
  const all = dryOutput ? `Answer<${outputType(operation)} | ${dryType(dryOutput)}>` : answer;
  return `${docOf(doc)}${overloads}${signature('', all)} {
    return this.#caller.${list ? 'list' : 'call'}(${passed});
  }
`;
}
