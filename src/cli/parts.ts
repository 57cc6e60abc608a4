import { readFileSync } from 'node:fs';

import { type Command, InvalidArgumentError, Option } from 'commander';

import type { settings } from '../config/settings.ts';
import type { exitCodes } from './output.ts';

/** The options of a command that has `--json` and those in `Own`. */
export type Flags<Own = object> = Own & { json?: boolean };

/** Parts of a command's help, besides its options. */
export interface HelpDetails {
  /** The settings that it reads; by default DATABASE_URL only. */
  settings?: 'all' | readonly (keyof typeof settings)[];
  /** Its source, unless a file may be named as well. */
  settingsFrom?: string;
  /** Meanings of exit codes for this command. */
  exits?: Partial<Record<keyof typeof exitCodes, string>>;
  /** Words that it takes, by the name of what they are. */
  lists?: Readonly<Record<string, readonly string[]>>;
}

const helps = new WeakMap<Command, HelpDetails & { examples: readonly string[] }>();

export function describe(
  command: Command,
  description: string,
  examples: readonly string[],
  details: HelpDetails = {},
): Command {
  helps.set(command, { ...details, examples });
  return command.description(description);
}

export function helpOf(command: Command): HelpDetails & { examples?: readonly string[] } {
  return helps.get(command) ?? {};
}

export function jsonOption(): Option {
  return new Option('--json', 'print the result as one JSON document');
}

export function projectOption(): Option {
  return new Option('--project <id>', 'the project, by id').makeOptionMandatory();
}

/** Answers those who look for the settings among the options. */
export function settingsAsOptions(command: Command): Command {
  for (const name of ['port', 'host']) {
    const variable = name.toUpperCase();
    const option = new Option(`--${name} <value>`).hideHelp().argParser(() => {
      throw new InvalidArgumentError(`It is a setting; set ${variable} in the environment instead.`);
    });
    command.addOption(option);
  }
  return command;
}

/** Parses an option that may be repeated. */
export function collect<Value>(value: Value, previous: Value[] = []): Value[] {
  return [...previous, value];
}

export function packageVersion(): string {
  const file = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
