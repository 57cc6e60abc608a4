import { type Command, Option } from 'commander';

import { type SortOrder, sortOrders } from '../../contacts/list.ts';
import { searchContacts } from '../../contacts/search.ts';
import { note, printResult } from '../output.ts';
import { describe, jsonOption } from '../parts.ts';
import { limitOption } from './read.ts';
import { includeOption, inChatbot, type Shown, type Target, targetOptions } from './target.ts';
import { contactsTable, contactsText } from './text.ts';

const pageMax = 100;

type View = Record<string, unknown>;

interface FindFlags extends Target, Shown {
  sort?: SortOrder;
  limit: number;
  after: string;
  tag?: string;
  createdAfter?: string;
  createdBefore?: string;
}

export function contactsFindCommand(contacts: Command): void {
  const command = describe(
    contacts.command('find').argument('[query...]', 'beginnings of words, in any order'),
    'find contacts by beginnings of words of their name, e-mail, company, job title, external id, tags or phone',
    [
      'roster contacts find ana fer --chatbot 8839210412',
      'roster contacts find 0100 --chatbot 8839210412 --limit 100 --json',
      'roster contacts find --tag vip --created-after 2026-01-01 --chatbot 8839210412',
    ],
  );
  targetOptions(command)
    .option('--tag <tag>', 'only those with this tag')
    .option('--created-after <time>', 'only those created later')
    .option('--created-before <time>', 'only those created earlier')
    .addOption(new Option('--sort <order>', 'by time of creation (default: date_desc)').choices(sortOrders))
    .addOption(limitOption('how many'))
    .addOption(
      new Option('--after <cursor>', 'go on after this cursor, the next_cursor of the same search').default(
        '*',
        'the beginning',
      ),
    )
    .addOption(includeOption('none'))
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nLetter case, accents and ligatures do not matter. Other users of the machine can\nsee a command line.',
    )
    .action((words: string[], flags: FindFlags) => find(words.join(' ').trim(), flags));
}

async function find(query: string, flags: FindFlags): Promise<void> {
  const { sort, limit, after, tag, createdAfter, createdBefore, include } = flags;
  await inChatbot(flags, async (ask) => {
    const found: View[] = [];
    let cursor: string | null = after;
    while (cursor !== null && found.length < limit) {
      const page = (await ask(searchContacts, {
        query: query === '' ? null : query,
        cursor,
        limit: Math.min(pageMax, limit - found.length),
        ...(sort && { sort }),
        ...(tag !== undefined && { tag }),
        ...(createdAfter !== undefined && { created_after: createdAfter }),
        ...(createdBefore !== undefined && { created_before: createdBefore }),
        ...(include && { include }),
      })) as { next_cursor: string | null; contacts: View[] };
      found.push(...page.contacts);
      cursor = page.next_cursor;
    }
    if (found.length === 0 && flags.json !== true) {
      note('No contact of this chatbot is found.');
      return;
    }
    printResult({ contacts: found, next_cursor: cursor }, flags, () =>
      include === undefined ? contactsTable(found, false) : contactsText(found),
    );
    if (cursor !== null && flags.json !== true) note(`next: --after ${cursor}`);
  });
}
