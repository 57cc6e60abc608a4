import { type Command, InvalidArgumentError, Option } from 'commander';

import { operator } from '../../actor.ts';
import { locateChatbot } from '../../chatbots/chatbot.ts';
import type { Config } from '../../config/settings.ts';
import { type Include, includes } from '../../contacts/view.ts';
import { AppError } from '../../errors.ts';
import { type Operation, run } from '../../operation.ts';
import type { Store } from '../../store.ts';
import { withStore } from '../open.ts';
import { describe, type Flags, type HelpDetails } from '../parts.ts';

/** The chatbot that a command is about. */
export interface Target {
  chatbot: string;
  project?: string;
}

export type Shown = Flags<{ include?: Include[] }>;

export function targetOptions(command: Command): Command {
  return command
    .requiredOption('--chatbot <id>', 'the chatbot, by id')
    .option('--project <id>', 'its project, where several have a chatbot of this id');
}

/** A command about one contact. */
export function oneContact(
  command: Command,
  description: string,
  examples: readonly string[],
  details?: HelpDetails,
): Command {
  const described = describe(command, description, examples, details);
  return targetOptions(described.argument('<contact-id>', 'its id, as "contacts list" shows it'));
}

export function includeOption(otherwise: string): Option {
  const words = `what to show beside the eight fields: ${includes.join(', ')}, or all; separated by commas (default: ${otherwise})`;
  return new Option('--include <names>', words).argParser(parseIncludes);
}

export const allInText = 'all; none with --json';

/** Without --include, a person is shown the whole contact, and a program what HTTP answers. */
export function included({ include, json }: Shown): { include?: Include[] } {
  if (include !== undefined) return { include };
  return json === true ? {} : { include: [...includes] };
}

function parseIncludes(value: string, previous: Include[] = []): Include[] {
  const named = value.split(',').map((name) => name.trim());
  const unknown = named.filter((name) => name !== 'all' && !includes.some((one) => one === name));
  if (unknown.length > 0) throw new InvalidArgumentError(`Allowed are ${includes.join(', ')} and all.`);
  return includes.filter((one) => named.includes('all') || named.includes(one) || previous.includes(one));
}

type InChatbot<Input> = Omit<Input, 'chatbotId'>;
export type Ask = <Input extends { chatbotId: string }, Output>(
  operation: Operation<Input, Output>,
  input: InChatbot<Input>,
) => Promise<Output>;

/** Runs operations in the chatbot; `nameOf` turns the path of a wrong field into the words of the command line. */
export function inChatbot(
  flags: Target,
  work: (ask: Ask, config: Config, store: Store) => Promise<void>,
  nameOf: (field: string) => string = optionOf,
): Promise<void> {
  return withStore(async (store, config) => {
    const chatbot = await locateChatbot(store.chatbots, flags.chatbot, flags.project);
    const ask: Ask = async (operation, input) => {
      try {
        const whole = { ...input, chatbotId: chatbot.id } as Parameters<typeof operation.run>[2];
        return (await run(operation, store, operator(chatbot.project_id), whole)).output;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        if (error.code === 'not_found' && error.about === 'contact') {
          const message = `${error.message} in chatbot ${chatbot.id} of the database`;
          throw new AppError(error.code, message, { about: error.about, cause: error });
        }
        if (error.errors === undefined) throw error;
        const errors = error.errors.map((one) => ({ ...one, field: nameOf(one.field) }));
        throw new AppError(error.code, error.message, { errors, cause: error });
      }
    };
    await work(ask, config, store);
  });
}

export function optionOf(field: string): string {
  if (field === 'contactId') return '<contact-id>';
  if (field === 'query') return 'the query';
  return `--${field === 'cursor' ? 'after' : field.replaceAll('_', '-')}`;
}
