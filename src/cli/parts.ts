import { type Command, InvalidArgumentError, Option } from 'commander';

import type { settings } from '../config/settings.ts';
import type { exitCodes } from './failures.ts';

/** Arguments and options of a command that has `--json`, by their names in camelCase. */
export type Flags<Own = object> = Own & { json?: boolean };

interface HelpDetails {
  examples: readonly string[];
  /** The settings that it reads; by default DATABASE_URL only. */
  settings?: 'all' | readonly (keyof typeof settings)[];
  /** Where it reads them, unless a file may be named as well. */
  settingsFrom?: string;
  exits?: Partial<Record<keyof typeof exitCodes, string>>;
  /** Words that it takes, by the name of what they are. */
  lists?: Readonly<Record<string, readonly string[]>>;
}

const helps = new WeakMap<Command, HelpDetails>();

export function helpOf(command: Command): HelpDetails {
  return helps.get(command) ?? { examples: [] };
}

export function describe(made: Command, says: string, details: HelpDetails): Command {
  helps.set(made, details);
  return made.description(says);
}

export type Build = (parent: Command) => void;

export function group(name: string, says: string, examples: readonly string[], commands: readonly Build[]): Build {
  return (parent) => {
    const made = describe(parent.command(name), says, { examples });
    for (const build of commands) build(made);
  };
}

export interface Worded extends HelpDetails {
  says: string;
  /** Stands in the help after the options. */
  more?: string;
}

export interface ArgumentsAndOptions {
  readonly args?: Readonly<Record<string, string>>;
  readonly options?: readonly Option[];
}

interface Declared<Given> extends Worded, ArgumentsAndOptions {
  /** Its arguments and options stand before those of the command. */
  place?: ArgumentsAndOptions;
  usage?: string;
  commands?: readonly Build[];
  /** Set where the command has no result; it then has no `--json`. */
  json?: false;
  act(given: Flags<Given>): void | Promise<void>;
}

export function command<Given>(name: string, declared: Declared<Given>): Build {
  const { says, more, place, args, options = [], usage, commands = [], json = true } = declared;
  return (parent) => {
    const made = describe(parent.command(name), says, declared);
    if (usage !== undefined) made.usage(usage);
    for (const [words, meaning] of Object.entries({ ...place?.args, ...args })) made.argument(words, meaning);
    for (const one of [...(place?.options ?? []), ...options]) made.addOption(one);
    if (json) made.addOption(option('--json', 'print the result as one JSON document'));
    if (more !== undefined) made.addHelpText('after', `\n${more}`);
    made.action(async () => {
      const given: Flags<Given> = { ...argumentsOf(made), ...made.opts() };
      await declared.act(given);
    });
    for (const build of commands) build(made);
  };
}

function argumentsOf({ registeredArguments, processedArgs }: Command): object {
  return Object.fromEntries(registeredArguments.map((one, place) => [inCamelCase(one.name()), processedArgs[place]]));
}

export function inCamelCase(words: string): string {
  return words.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

export function option(flags: string, says: string): Option {
  return new Option(flags, says);
}

export function required(flags: string, says: string): Option {
  return option(flags, says).makeOptionMandatory();
}

export function repeated(flags: string, says: string): Option {
  return option(flags, says).argParser((value, previous?: readonly string[]) => [...(previous ?? []), value]);
}

/** Settings are environment variables: help points there. */
export const settingsAsOptions = ['port', 'host'].map((name) =>
  option(`--${name} <value>`, '')
    .hideHelp()
    .argParser(() => {
      throw new InvalidArgumentError(`It is a setting; set ${name.toUpperCase()} in the environment instead.`);
    }),
);
