import type { Command, Option } from 'commander';

import { wordsFor } from '../taking.ts';

export interface Offer {
  /** Its words without the program, such as `keys create`. */
  words: string;
  commands: Described[];
  flags: Flag[];
  takesFile: boolean;
}

export interface Described {
  name: string;
  says: string;
}

export interface Flag extends Described {
  short?: string;
  /** Undefined if the flag takes no value; empty if it takes any text. */
  values?: readonly string[] | typeof anyFile;
}

const anyFile = '<file>';

const isFile = (flags: string) => /<file\b/.test(flags);

export function offersOf(program: Command): Offer[] {
  const everywhere = program
    .createHelp()
    .visibleOptions(program)
    .filter(({ long }) => long === '--env-file');
  return below(program, '', everywhere);
}

function below(command: Command, words: string, everywhere: readonly Option[]): Offer[] {
  const help = command.createHelp();
  const offer: Offer = {
    words,
    commands: help.visibleCommands(command).map((one) => ({ name: one.name(), says: brief(one.description()) })),
    flags: [...new Set([...help.visibleOptions(command), ...everywhere])].map(flagOf),
    takesFile: command.registeredArguments.some((one) => isFile(`<${one.name()}>`)),
  };
  return [offer, ...command.commands.flatMap((one) => below(one, `${words} ${one.name()}`.trim(), everywhere))];
}

function flagOf(option: Option): Flag {
  const { short, long, flags, description } = option;
  const flag = { name: long ?? flags, ...(short !== undefined && { short }), says: brief(description) };
  if (option.isBoolean()) return flag;
  return { ...flag, values: isFile(flags) ? anyFile : (wordsFor(option) ?? []) };
}

/** Cuts a description before defaults, lists and asides, so that it fits beside the word. */
function brief(text: string): string {
  return (/^[^;:(]+/.exec(text)?.[0] ?? text).trim();
}

export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
