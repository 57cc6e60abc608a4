import { readFileSync } from 'node:fs';

import { Option } from 'commander';

export function jsonOption(): Option {
  return new Option('--json', 'print the result as one JSON document');
}

export function projectOption(): Option {
  return new Option('--project <id>', 'the project, by id').makeOptionMandatory();
}

/** The examples at the end of a help page. */
export function examples(...lines: string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`;
}

/** For an option that may be given several times. */
export function collect<Value>(value: Value, previous: Value[] = []): Value[] {
  return [...previous, value];
}

/** That of package.json. */
export function packageVersion(): string {
  const file = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
