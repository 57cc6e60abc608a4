import type { Operation } from '../operation.ts';
import { printResult } from './output.ts';
import { type ArgumentsAndOptions, type Build, command, type Flags, type Worded } from './parts.ts';
import { at, type Here, type Place } from './places.ts';
import { optionOf, type Takes, type Taking, taking } from './taking.ts';

interface Placed<Given, Found, Prepared> extends Worded, ArgumentsAndOptions {
  /** What it takes of the input of an operation. */
  readonly taken?: Taking<unknown>;
  readonly writesMany?: true;
  /** The words of the command line for the path of a wrong field, where they are not those of `taken`. */
  nameOf?(given: Flags<Given>, field: string): string | undefined;
  /** Reads what else it needs, before the store is opened. */
  prepare?(given: Flags<Given>): Prepared | Promise<Prepared>;
  act(here: Here<Found>, given: Flags<Given>, prepared: Prepared): void | Promise<void>;
}

/** A command that works in a place of an open store. */
export function placed<Given, Found extends object, Prepared>(
  name: string,
  place: Place<Given, Found>,
  declared: Placed<NoInfer<Given>, NoInfer<Found>, Prepared>,
): Build {
  const { taken, args, options = [], writesMany } = declared;
  return command<Given>(name, {
    ...declared,
    place,
    args: { ...taken?.args, ...args },
    options: [...(taken?.options ?? []), ...options],
    act: async (given) => {
      const prepared = (await declared.prepare?.(given)) as Prepared;
      const nameOf = (field: string) => declared.nameOf?.(given, field) ?? (taken?.nameOf ?? optionOf)(field);
      const work = async (here: Here<Found>) => declared.act(here, given, prepared);
      await at(place, given, work, nameOf, writesMany && { writesMany });
    },
  });
}

interface Plain<Input, Output, Given> extends Pick<Placed<Given, never, never>, keyof Worded | 'options' | 'nameOf'> {
  readonly takes?: Takes<Input>;
  /** What the operation is told besides what is taken. */
  input?(given: Flags<Given>, taken: Partial<Input>): Partial<Input> | Promise<Partial<Input>>;
  /** With `--json` this is printed; missing means the output. */
  result?(output: Output, given: Flags<Given>): object;
  /** Missing means the result, line by line. */
  text?(output: Output, given: Flags<Given>): string;
  /** Noted where the result cannot be printed. */
  ifLost?(output: Output, given: Flags<Given>): string | undefined;
  /** Notes before or after the result. */
  before?(given: Flags<Given>): void;
  after?(output: Output, given: Flags<Given>): void;
}

/** A command that runs one operation in a place: it takes what the operation's schema says, and prints the output. */
export function plain<Input, Output, Given, Found extends object>(
  name: string,
  operation: Operation<Input, Output>,
  place: Place<Given, Found>,
  declared: Plain<NoInfer<Input>, NoInfer<Output>, NoInfer<Given>>,
): Build {
  const taken = taking(operation, declared.takes ?? {});
  return placed(name, place, {
    ...declared,
    taken,
    prepare: async (given) => {
      const own = taken.inputOf(given);
      return { ...own, ...(await declared.input?.(given, own)) } as Input;
    },
    act: async ({ ask }, given, input) => {
      const output = await ask(operation, input);
      const text = declared.text && (() => declared.text?.(output, given) ?? '');
      declared.before?.(given);
      const result = declared.result?.(output, given) ?? (output as object);
      printResult(result, given, text, declared.ifLost?.(output, given));
      declared.after?.(output, given);
    },
  });
}
