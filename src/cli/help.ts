import { type Command, Help, type Option } from 'commander';

import { type Setting, settings } from '../config/settings.ts';
import { exitCodes } from './failures.ts';
import { helpOf } from './parts.ts';

const helpWidth = 80;
const indent = 2;

export const exitMeanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  done: 'done',
  failed: 'failed',
  usage: 'wrong usage',
  badData: 'bad data',
  unavailable: 'something needed is unavailable',
  software: 'a mistake in the program',
  inputOutput: 'input or output failed',
  settings: 'bad settings',
  interrupted: 'interrupted',
};

const required = new WeakSet<Option>();

/** Adds exit codes, settings and examples to the help of every command, and reports all missing options at once. */
export function completeCommands(program: Command): void {
  for (const command of everyCommand(program)) {
    const path = pathOf(command);
    command.showHelpAfterError(`See: ${path} --help`);
    command.addHelpText('after', () => `\n${sectionsOf(command, path).join('\n\n')}`);
    command.configureHelp({ ...command.configureHelp(), optionDescription });
    for (const option of command.options.filter(({ mandatory }) => mandatory)) {
      // Commander would stop at the first one, before it has looked for a mistyped one.
      required.add(option.makeOptionMandatory(false));
    }
  }
  program.hook('preAction', (_, command) => {
    const missing = command.options.filter(
      (option) => required.has(option) && command.getOptionValue(option.attributeName()) === undefined,
    );
    if (missing.length === 0) return;
    const [these, are] = missing.length === 1 ? ['option', 'is'] : ['options', 'are'];
    command.error(`error: required ${these} ${missing.map(({ flags }) => `'${flags}'`).join(', ')} ${are} missing`);
  });
}

function optionDescription(option: Option): string {
  return `${new Help().optionDescription(option)}${required.has(option) ? ' (required)' : ''}`;
}

function sectionsOf(command: Command, path: string): string[] {
  const { examples, lists = {}, exits = {}, settings: read = ['databaseUrl'], settingsFrom } = helpOf(command);
  const help = command.createHelp();
  const shown = `Examples:\n${examples.map(example).join('\n')}`;
  const meanings = Object.entries({ ...exitMeanings, ...exits });
  const codes = meanings.map(([name, meaning]) => `${exitCodes[name as keyof typeof exitCodes]} ${meaning}`);
  const exitCodesText = paragraph(help, `Exit codes: ${codes.join('; ')}`);
  const isGroup = command.commands.length > 0 && command.registeredArguments.length === 0;
  if (isGroup) return [exitCodesText, shown, `More about one of them: ${path} COMMAND --help`];
  const known = Object.entries(lists).map(([name, words]) => paragraph(help, `${name}: ${words.join(', ')}`));
  const names = read === 'all' ? (Object.keys(settings) as (keyof typeof settings)[]) : read;
  const rows = names.map((name) => {
    const { variable, fallback, meaning, isSecret }: Setting = settings[name];
    const more = isSecret ? `; ${variable}_FILE names a file that holds it` : '';
    return [variable, `${meaning}${more}${fallback === '' ? '' : ` (default: ${fallback})`}`] as const;
  });
  const from = settingsFrom ?? 'the environment or --env-file FILE';
  const listed = rows.length === 0 ? [] : [`Settings, from ${from}:\n${itemsOf(help, rows)}`];
  return [...(known.length === 0 ? [] : [known.join('\n')]), ...listed, exitCodesText, shown];
}

function paragraph(help: Help, text: string): string {
  return help.boxWrap(text, helpWidth - indent).replaceAll('\n', `\n${' '.repeat(indent)}`);
}

function itemsOf(help: Help, rows: readonly (readonly [string, string])[]): string {
  const termWidth = Math.max(...rows.map(([term]) => term.length));
  return rows.map(([term, meaning]) => help.formatItem(term, termWidth, meaning, help)).join('\n');
}

function example(line: string): string {
  const shown = `  $ ${line}`;
  if (shown.length <= helpWidth) return shown;
  const end = shown.lastIndexOf(' --', helpWidth - indent);
  return `${shown.slice(0, end)} \\\n     ${shown.slice(end)}`;
}

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}
