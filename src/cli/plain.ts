import { operator } from '../actor.ts';
import type { Config } from '../config/settings.ts';
import { AppError } from '../errors.ts';
import { type Operation, run } from '../operation.ts';
import type { Store } from '../store.ts';
import { UsageError } from './failures.ts';
import { publicUrlOf } from './links.ts';
import { withStore } from './open.ts';
import { outgoingOf } from './outgoing.ts';
import { either, note, noteNext, noteUnlessJson, printResult } from './output.ts';
import { type ArgumentsAndOptions, type Build, command, type Flags, type Worded } from './parts.ts';
import type { CommandPlace } from './places.ts';
import { optionOf, type Takes, type Taking, taking } from './taking.ts';

export interface Here<Input> {
  store: Store;
  config: Config;
  projectId: string;
  input: Input;
  name: string;
  /** Runs an operation in the project, on the thing of the place. */
  ask: <In, Output>(operation: Operation<In, Output>, input?: Omit<In, keyof Input> & Partial<In>) => Promise<Output>;
}

interface Placed<Given, Found, Prepared> extends Worded, ArgumentsAndOptions {
  readonly taken?: Taking<unknown>;
  readonly writesMany?: true;
  /** Refuses a call with none of its own options. */
  readonly changes?: true;
  /** The words of the command line for the path of a wrong field, where they are not those of `taken`. */
  nameOf?(given: Flags<Given>, field: string): string | undefined;
  /** Reads other input before the store is opened. */
  prepare?(given: Flags<Given>): Prepared | Promise<Prepared>;
  act(here: Here<Found>, given: Flags<Given>, prepared: Prepared): void | Promise<void>;
}

export function placed<Given, Found extends object, Prepared>(
  name: string,
  place: CommandPlace<Given, Found>,
  declared: Placed<NoInfer<Given>, NoInfer<Found>, Prepared>,
): Build {
  const { taken, args, writesMany, changes } = declared;
  const options = [...(taken?.options ?? []), ...(declared.options ?? [])];
  return command<Given>(name, {
    ...declared,
    place,
    args: { ...taken?.args, ...args },
    options,
    act: async (given) => {
      if (changes && !options.some((one) => one.attributeName() in given)) {
        throw new UsageError(`Nothing is to be changed; give ${either(options.map(({ long }) => long ?? ''))}.`);
      }
      const prepared = (await declared.prepare?.(given)) as Prepared;
      const nameOf = (field: string) => declared.nameOf?.(given, field) ?? (taken?.nameOf ?? optionOf)(field);
      await withStore(
        async (store, config) => {
          const { projectId, input, name: called = '' } = await place.find(store, given);
          const outside = { publicUrl: publicUrlOf(config), outgoing: outgoingOf(config) };
          const ask: Here<Found>['ask'] = async (operation, more) => {
            try {
              const whole = { ...input, ...more } as never;
              return (await notingSlowness(run(operation, store, operator(projectId), whole, outside))).output;
            } catch (error) {
              throw error instanceof AppError ? inWordsOf(error, input, nameOf) : error;
            }
          };
          await declared.act({ store, config, projectId, input, name: called, ask }, given, prepared);
        },
        { ...(writesMany && { writesMany }), ...(place.creates && { create: true }) },
      );
    },
  });
}

const slowAfterMs = 5_000;

/** A commit may wait for a standby without end, and then nothing else says so. */
async function notingSlowness<Done>(work: Promise<Done>): Promise<Done> {
  const timer = setTimeout(
    () => note('Still waiting; "roster doctor" says whether writes wait for a standby.'),
    slowAfterMs,
  );
  return work.finally(() => clearTimeout(timer));
}

/** The error in the words of the command line. A field `name` keeps its name. */
function inWordsOf(error: AppError, input: object, nameOf: (field: string) => string): AppError {
  const { code, about, existing } = error;
  const isOfChatbot = code === 'not_found' && (about === 'contact' || about === 'merge') && 'chatbotId' in input;
  const where = isOfChatbot ? ` in chatbot ${String(input.chatbotId)} of the database` : '';
  const errors = error.errors?.map((one) => ({ ...one, field: one.field === 'name' ? 'name' : nameOf(one.field) }));
  if (where === '' && errors === undefined) return error;
  const details = { ...(errors && { errors }), ...(about && { about }), ...(existing && { existing }), cause: error };
  return new AppError(code, `${error.message}${where}`, details);
}

interface Plain<Input, Output, Given> extends Pick<
  Placed<Given, never, never>,
  keyof Worded | 'args' | 'options' | 'nameOf' | 'changes'
> {
  readonly takes?: Takes<Input>;
  /** More input of the operation, beside `taken`. */
  input?(given: Flags<Given>, taken: Partial<Input>): Partial<Input> | Promise<Partial<Input>>;
  /** Makes what `--json` prints; if missing, that is the output. */
  result?(output: Output, given: Flags<Given>): object;
  /** Makes the text for a person; if missing, that is the result, line by line. */
  text?(output: Output, given: Flags<Given>): string;
  /** Says that the result holds a secret for the only time, and how to go on where it could not be printed. */
  secret?(output: Output, given: Flags<Given>): { says: string; ifLost?: string };
  after?(output: Output, given: Flags<Given>, here: Pick<Here<unknown>, 'store' | 'projectId'>): void | Promise<void>;
}

/** A command that runs one operation in a place: it takes what the operation's schema says, and prints the output. */
export function plain<Input, Output, Given, Found extends object>(
  name: string,
  operation: Operation<Input, Output>,
  place: CommandPlace<Given, Found>,
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
    act: async (here, given, input) => {
      const output = await here.ask(operation, input);
      const text = declared.text && (() => declared.text?.(output, given) ?? '');
      const { says, ifLost } = declared.secret?.(output, given) ?? {};
      if (says !== undefined) noteUnlessJson(given, says);
      const result = declared.result?.(output, given) ?? (output as object);
      printResult(result, given, text, ifLost);
      noteNext(taken.nameOf('cursor'), result, given);
      await declared.after?.(output, given, here);
    },
  });
}
