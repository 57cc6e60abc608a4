import type { Operation } from '../operation.ts';
import { propertiesOf } from '../validation.ts';
import type { JsonSchema } from '../values/object-schema.ts';
import { bare, slim } from './schemas.ts';
import { peopleWroteThis, type Result, summaryOfWritten, writtenSchema } from './written.ts';

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  readonly annotations: Readonly<Record<`${string}Hint`, boolean>>;
  readonly operation: Operation<never, unknown>;
  readonly defaults: object;
  /** A sentence about the result. It stands outside the fence, so it quotes nothing that people wrote. */
  summaryOf(result: Result): string;
}

interface Declared extends Pick<Tool, 'title' | 'description'>, Partial<Pick<Tool, 'defaults' | 'summaryOf'>> {
  readonly takes: readonly string[];
  readonly isDestructive?: boolean;
}

const otherNames: Readonly<Record<string, string>> = {
  chatbot_id: 'chatbotId',
  contact_id: 'contactId',
  limit: 'per_page',
};

function nameIn(operation: Operation<never, unknown>, argument: string): string {
  return argument in propertiesOf(operation.input) ? argument : (otherNames[argument] ?? argument);
}

/** By the name in the operation. They replace descriptions that are written for the API reference. */
const descriptions: Readonly<Record<string, string>> = {
  chatbotId: 'The id of the chatbot; list_chatbots returns the ids.',
  contactId: 'The id of the person; find_people and list_recent_people return it.',
  cursor: 'next_cursor of the last answer, to continue; leave it out to begin.',
  after: 'next_cursor of an earlier answer, to get the changes since then; leave it out for the latest changes.',
  per_page: 'How many at most; 25 if you leave it out.',
  limit: 'How many at most; 25 if you leave it out.',
};

const confirm = {
  type: 'boolean',
  default: false,
  description: 'true stores the change; ask the user first.',
} as const;

/** Makes a tool of an operation. One that writes stores nothing without `confirm`. */
export function tool(
  name: string,
  operation: Operation<never, unknown>,
  { title, description, takes, defaults = {}, isDestructive = false, summaryOf = summaryOfWritten }: Declared,
): Tool {
  const isReading = operation.kind === 'read';
  const annotations = { readOnlyHint: isReading, destructiveHint: isDestructive };
  return {
    name,
    title,
    description:
      description + (isReading ? '' : ' Without confirm: true it stores nothing and returns what would happen.'),
    inputSchema: inputSchemaOf(operation, takes),
    outputSchema: isReading ? { ...bare(operation.output ?? {}), description: peopleWroteThis } : writtenSchema,
    annotations: { ...annotations, idempotentHint: true, openWorldHint: false },
    operation,
    defaults,
    summaryOf,
  };
}

function inputSchemaOf(operation: Operation<never, unknown>, takes: readonly string[]): JsonSchema {
  const known = propertiesOf(operation.input);
  const names = takes.map((one) => [one, nameIn(operation, one)] as const);
  const properties = names.map(([argument, inOperation]) => {
    const schema = slim(known[inOperation] ?? {}, aliases);
    const description = descriptions[inOperation] ?? schema['description'];
    return [argument, { ...schema, ...(description !== undefined && { description }) }];
  });
  const needed = (operation.input?.['required'] ?? []) as string[];
  return {
    type: 'object',
    additionalProperties: false,
    required: names.flatMap(([argument, inOperation]) => (needed.includes(inOperation) ? [argument] : [])),
    properties: { ...Object.fromEntries(properties), ...(operation.kind === 'write' && { confirm }) },
  };
}

/** Aliases of properties; a model needs one name. */
const aliases = ['company_name', 'website_url'];

export function inputOf({ operation, defaults }: Tool, given: Result): object {
  const named = Object.entries(given).map(([name, value]) => [nameIn(operation, name), value]);
  return { ...defaults, ...Object.fromEntries(named) };
}

export function argumentOf({ operation, inputSchema }: Tool, field: string): string {
  return Object.keys(propertiesOf(inputSchema)).find((one) => nameIn(operation, one) === field) ?? field;
}
