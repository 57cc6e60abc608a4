import { InvalidArgumentError, Option } from 'commander';

import type { Operation } from '../operation.ts';
import { propertiesOf, wordAsMeant } from '../validation.ts';
import type { JsonSchema } from '../values/object-schema.ts';
import { inCamelCase, option, repeated } from './parts.ts';

/** The meaning of a property, with its flags or argument if the name does not give them; or a whole option. */
export type TakenOption = string | readonly [flags: string, says: string] | Option;
export type Takes<Input> = Partial<Record<keyof Input & string, TakenOption>>;

export interface Taking<Input> {
  readonly args: Readonly<Record<string, string>>;
  readonly options: readonly Option[];
  inputOf(given: object): Partial<Input>;
  nameOf(this: void, field: string): string;
}

/** The part of an operation's input that a command takes. The schema lists the values; the operation checks them. */
export function taking<Input>(operation: Operation<Input, unknown>, takes: Takes<Input>): Taking<Input> {
  const all = Object.entries<TakenOption | undefined>(takes).flatMap(([property, one]) =>
    one === undefined ? [] : [takenAs(property, one, operation.input)],
  );
  return {
    args: Object.fromEntries(all.flatMap(({ argument }) => argument ?? [])),
    options: all.flatMap((one) => one.option ?? []),
    inputOf: (given: object): Partial<Input> => {
      const entries = all.map(({ property, key }) => [property, (given as Record<string, unknown>)[key]]);
      return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Partial<Input>;
    },
    nameOf: (field) => all.find(({ property }) => property === /^\w+/.exec(field)?.[0])?.words ?? optionOf(field),
  };
}

function takenAs(property: string, one: TakenOption, input: JsonSchema | undefined) {
  const own = propertiesOf(input)[property] ?? {};
  const [flags, says] =
    one instanceof Option ? [one.flags, ''] : typeof one === 'string' ? [flagsOf(property, own), one] : one;
  if (/^[<[]/.test(flags)) {
    return { property, key: inCamelCase(flags.slice(1, -1)), words: flags, argument: [[flags, says]] as const };
  }
  const made = one instanceof Option ? one : optionFor(flags, says, own);
  if (((input?.['required'] ?? []) as string[]).includes(property)) made.makeOptionMandatory();
  return { property, key: made.attributeName(), words: made.long ?? flags, option: made };
}

function flagsOf(property: string, { type }: JsonSchema): string {
  const value = type === 'integer' ? ' <number>' : type === 'boolean' ? '' : ` <${property}>`;
  return `${optionOf(property)}${value}`;
}

/** `--per-page` for `per_page`, `--where` for `where[0].field`, and `<chatbot-id>` for the id of a thing. */
export function optionOf(field: string): string {
  const words = field
    .replace(/\[.*/, '')
    .replaceAll('_', '-')
    .replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return /[a-z]Id$/.test(field) ? `<${words}>` : `--${words}`;
}

/** An option for the type in the schema: words of a list (`hasAll`: or `all`), a whole number, texts, or no value. */
export function optionFor(flags: string, says: string, schema: JsonSchema, hasAll = false): Option {
  const made = option(flags, says);
  const { type, items, enum: single } = schema;
  const words = (items === undefined ? single : (items as JsonSchema)['enum']) as readonly string[] | undefined;
  if (words) allowed.set(made, hasAll ? [...words, 'all'] : words);
  if (type === 'boolean') return made;
  if (type === 'integer') return made.argParser(wholeNumber(schema));
  if (items !== undefined) return words ? made.argParser(wordsOf(words, hasAll)) : repeated(flags, says);
  if (words === undefined) return made.argParser((text) => text.trim());
  // Commander names the choices where the text does not.
  return says.includes(words.join(', ')) ? made.argParser(wordOf(words)) : made.choices(words);
}

/** Without --include, a person is shown all that there is, and a program what HTTP answers. */
export function includedOf<Word extends string>(all: readonly Word[]) {
  return ({ include, json }: { include?: Word[]; json?: boolean }): { include?: Word[] } => {
    if (include !== undefined) return { include };
    return json === true ? {} : { include: [...all] };
  };
}

const allowed = new WeakMap<Option, readonly string[]>();

/** The allowed words of an option; undefined if it takes any text. */
export function wordsFor(made: Option): readonly string[] | undefined {
  return made.argChoices ?? allowed.get(made);
}

function wholeNumber({ minimum, maximum }: { minimum?: number; maximum?: number }): (text: string) => number {
  const [least, most] = [minimum ?? 0, maximum ?? Infinity];
  return (text) => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`Allowed are whole numbers from ${least}${most === Infinity ? '' : ` to ${most}`}.`);
  };
}

function wordOf(words: readonly string[]): (text: string) => string {
  return (text) => {
    const meant = String(wordAsMeant(text.trim(), { enum: words }));
    if (words.includes(meant)) return meant;
    throw new InvalidArgumentError(`Allowed are ${words.join(', ')}.`);
  };
}

function wordsOf(words: readonly string[], hasAll: boolean): (text: string, previous?: readonly string[]) => string[] {
  const known = hasAll ? [...words, 'all'] : words;
  return (text, previous = []) => {
    const meant = text.split(',').map((word) => String(wordAsMeant(word.trim(), { enum: known })));
    if (!meant.every((one) => known.includes(one))) {
      throw new InvalidArgumentError(`Allowed are ${words.join(', ')}${hasAll ? ' and all' : ''}.`);
    }
    return words.filter((one) => meant.includes('all') || meant.includes(one) || previous.includes(one));
  };
}
