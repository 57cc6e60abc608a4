import type { Option } from 'commander';

import { listContacts } from '../../contacts/list.ts';
import { retrieveContact } from '../../contacts/retrieve.ts';
import { searchAllContacts, searchContacts } from '../../contacts/search.ts';
import type { Include, View } from '../../contacts/view.ts';
import { perPageMax } from '../../values/page.ts';
import { note, noteNext, noteUnlessJson, printResult } from '../output.ts';
import { type Flags, option } from '../parts.ts';
import { inChatbot, type InChatbot, inChatbotOrAll, type InChatbotOrAll, theContact } from '../places.ts';
import { placed, plain } from '../plain.ts';
import { optionFor, taking } from '../taking.ts';
import { conditionLists, conditionsOf, whereOption } from './conditions.ts';
import { allInText, contactsTable, contactsText, contactText, included, includeOption } from './shown.ts';

type Page = { next_cursor: string | null; contacts: View[] };

type Walk = Flags<InChatbot & { limit: number; after: string; include?: Include[] }>;

type Found = Walk & Omit<InChatbotOrAll, 'chatbot'> & { query: string[]; where?: string[]; count?: boolean };

const limitMax = 1_000;
const sort = ['--sort <order>', 'by time of creation (default: date_desc)'] as const;
const include = includeOption('none');

function limitOption(says: string): Option {
  return optionFor('--limit <number>', says, { type: 'integer', minimum: 1, maximum: limitMax }).default(25);
}

function afterOption(of: string): Option {
  const says = `go on after this cursor, the next_cursor of ${of}`;
  return optionFor('--after <cursor>', says, {}).default('*', 'the beginning');
}

async function walk({ limit, after }: Walk, pageOf: (cursor: string, some: number) => Promise<unknown>) {
  const contacts: View[] = [];
  let next: string | null = after;
  while (next !== null && contacts.length < limit) {
    const page = (await pageOf(next, Math.min(perPageMax, limit - contacts.length))) as Page;
    contacts.push(...page.contacts);
    next = page.next_cursor;
  }
  return { next_cursor: next, contacts };
}

function printWalk(found: Page, given: Walk, isBin = false): void {
  const { contacts } = found;
  const text = () => (given.include === undefined ? contactsTable(contacts, isBin) : contactsText(contacts));
  printResult(found, given, text);
  noteNext('--after', found, given);
}

const listed = taking(listContacts, {
  sort,
  per_page: limitOption(`how many, 1 to ${limitMax}; "contacts export" has no limit`),
  cursor: afterOption('an earlier list'),
  state: option('--deleted', 'those in the bin, the last deleted first').preset('deleted'),
  include,
});

export const list = placed('list', inChatbot, {
  says: 'list contacts, newest first, or those in the bin',
  examples: [
    'roster contacts list --chatbot 8839210412',
    'roster contacts list --chatbot 8839210412 --sort date_asc --limit 100 --json',
    'roster contacts list --chatbot 8839210412 --deleted',
  ],
  taken: listed,
  act: async ({ ask }, given: Walk & { deleted?: 'deleted' }) => {
    const found = await walk(given, (cursor, per_page) =>
      ask(listContacts, { ...listed.inputOf(given), cursor, per_page }),
    );
    printWalk(found, given, given.deleted !== undefined);
  },
});

const sought = taking(searchContacts, {
  query: ['[query...]', 'beginnings of words, in any order'],
  tag: 'only those with this tag',
  created_after: ['--created-after <time>', 'only those created later'],
  created_before: ['--created-before <time>', 'only those created earlier'],
  updated_after: ['--updated-after <time>', 'only those changed then or later'],
  updated_before: ['--updated-before <time>', 'only those changed earlier'],
  sort: ['--sort <order>', 'by the order in which they were added (default: added_desc), or were changed'],
  limit: limitOption(`how many, 1 to ${limitMax}`),
  cursor: afterOption('the same search'),
  where: whereOption,
  count: 'count all that are found, up to 10,000',
  include,
});

export const find = placed('find', inChatbotOrAll, {
  says: 'find contacts by beginnings of words of their name, e-mail, company, job title, external id, tags or phone',
  examples: [
    'roster contacts find ana fer --chatbot 8839210412',
    'roster contacts find 0100 --chatbot 8839210412 --limit 100 --json',
    'roster contacts find --tag vip --created-after 2026-01-01 --chatbot 8839210412',
    'roster contacts find ana --all-chatbots --where company=Acme --where attributes.plan=pro,team --count',
  ],
  lists: conditionLists,
  more: 'Letter case, accents and ligatures do not matter. Other users of the machine can\nsee a command line.',
  taken: sought,
  act: async ({ ask, input: { chatbotId } }, given: Found) => {
    const query = given.query.join(' ').trim() || null;
    const where = conditionsOf(given.where);
    const isOfAll = chatbotId === undefined;
    const search = isOfAll ? searchAllContacts : (searchContacts as unknown as typeof searchAllContacts);
    let count: { value: number; exact: boolean } | undefined;
    const found = await walk(given, async (cursor, limit) => {
      const isCounting = given.count === true && !count;
      const page = await ask(search, { ...sought.inputOf(given), query, cursor, limit, where, count: isCounting });
      count ??= page.count;
      return page;
    });
    if (count) noteUnlessJson(given, `${count.exact ? '' : 'more than '}${count.value} found`);
    const { contacts, next_cursor } = found;
    if (contacts.length > 0 || given.json === true) {
      return printWalk({ contacts, next_cursor, ...(count && { count }) }, given);
    }
    if (!count) note(`No contact of this ${isOfAll ? 'project' : 'chatbot'} is found.`);
  },
});

export const show = plain('show', retrieveContact, theContact, {
  says: 'show a contact',
  examples: [
    'roster contacts show 018ff844-cbc8-7a1e-9c0d-5f2b7e3a9d41 --chatbot 8839210412',
    'roster contacts show CONTACT_ID --chatbot 8839210412 --include details,tags --json',
  ],
  takes: { include: allInText },
  input: included,
  text: (contact) => contactText(contact as View),
});
