import { readFileSync } from 'node:fs';

import { type Command, Option } from 'commander';

/** The options of a command that has `--json` and those in `Own`. */
export type Flags<Own = object> = Own & { json?: boolean };

export function describe(command: Command, description: string, examples: readonly string[]): Command {
  const lines = examples.map((example) => `\n  $ ${example}`);
  return command.description(description).addHelpText('after', `\nExamples:${lines.join('')}`);
}

export function jsonOption(): Option {
  return new Option('--json', 'print the result as one JSON document');
}

export function projectOption(): Option {
  return new Option('--project <id>', 'the project, by id').makeOptionMandatory();
}

/** Parses an option that may be repeated. */
export function collect<Value>(value: Value, previous: Value[] = []): Value[] {
  return [...previous, value];
}

export function packageVersion(): string {
  const file = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
