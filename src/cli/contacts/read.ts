import type { Option } from 'commander';

import { listContacts } from '../../contacts/list.ts';
import { lookUpAllContacts, lookUpContacts } from '../../contacts/lookup.ts';
import { retrieveContact } from '../../contacts/retrieve.ts';
import { searchContacts, searchAllContacts } from '../../contacts/search.ts';
import type { Include } from '../../contacts/view.ts';
import { perPageMax } from '../../values/page.ts';
import { note, printResult, UsageError } from '../output.ts';
import { type Flags, option } from '../parts.ts';
import { inChatbot, inChatbotOrAll, type InChatbot, type InChatbotOrAll, theContact } from '../places.ts';
import { placed, plain } from '../plain.ts';
import { readShort } from '../short-input.ts';
import { optionFor, optionOf, taking } from '../taking.ts';
import { conditionLists, conditionsOf, whereOption } from './conditions.ts';
import { allInText, contactsTable, contactsText, contactText, included, includeOption, type View } from './shown.ts';

type Page = { next_cursor: string | null; contacts: View[] };

type Walk = Flags<InChatbot & { limit: number; after: string; include?: Include[] }>;

interface Counted {
  value: number;
  exact: boolean;
}

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

/** As many contacts as are wanted, page by page. */
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
  const { contacts, next_cursor } = found;
  const text = () => (given.include === undefined ? contactsTable(contacts, isBin) : contactsText(contacts));
  printResult(found, given, text);
  if (next_cursor !== null && given.json !== true) note(`next: --after ${next_cursor}`);
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
    let counted: Counted | undefined;
    const found = await walk(given, async (cursor, limit) => {
      // One count is enough.
      const count = given.count === true && !counted;
      const wanted = { ...sought.inputOf(given), query, cursor, limit, where, count };
      const page =
        chatbotId === undefined
          ? await ask(searchAllContacts, wanted)
          : await ask(searchContacts, { chatbotId, ...wanted });
      counted ??= page.count;
      return page;
    });
    if (counted && given.json !== true) note(`${counted.exact ? '' : 'more than '}${counted.value} found`);
    const owner = chatbotId === undefined ? 'project' : 'chatbot';
    if (found.contacts.length === 0 && given.json !== true) note(`No contact of this ${owner} is found.`);
    else
      printWalk(
        { contacts: found.contacts, next_cursor: found.next_cursor, ...(counted && { count: counted }) },
        given,
      );
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

const kinds = { email: 'e-mail address', phone: 'telephone number', external_id: 'external id' } as const;
type Kind = keyof typeof kinds;
const valueCharactersMax = 4_096;
const either = new Intl.ListFormat('en-GB', { type: 'disjunction' });

export const valueOptions = {
  email: ['--email <address>', 'an e-mail address, in any letter case'],
  phone: ['--phone <number>', 'a telephone number, by its digits'],
  external_id: ['--external-id <id>', 'its id in another system'],
} as const;

const looked = taking(lookUpContacts, {
  ...valueOptions,
  ids: ['--id <id>', 'its id; may be repeated'],
  include: allInText,
});
onlyOneOf(looked.options.slice(0, -1));

/** Refuses two of these options together. */
export function onlyOneOf(options: readonly Option[]): void {
  for (const one of options) {
    one.conflicts(options.filter((other) => other !== one).map((other) => other.attributeName()));
  }
}

export const lookUp = placed('lookup', inChatbotOrAll, {
  says: 'find the contacts that have exactly this e-mail, phone or external id, or these ids',
  examples: [
    'roster contacts lookup --email - --chatbot 8839210412 < address.txt',
    'roster contacts lookup --phone "+1 555 0100" --chatbot 8839210412',
    'roster contacts lookup --external-id crm-4711 --chatbot 8839210412 --json',
    'roster contacts lookup --email ana@example.com --all-chatbots',
  ],
  more: 'Other users of the machine can see a command line: - reads the value from stdin.',
  taken: looked,
  prepare: (given) => soughtBy(looked.inputOf(given)),
  act: async ({ ask, input: { chatbotId } }, given, { input, what }) => {
    const whom = { ...input, ...included(given) };
    const found =
      chatbotId === undefined ? await ask(lookUpAllContacts, whom) : await ask(lookUpContacts, { chatbotId, ...whom });
    const owner = chatbotId === undefined ? 'project' : 'chatbot';
    if (found.contacts.length === 0 && given.json !== true) note(`No contact of this ${owner} has ${what}.`);
    else printResult(found, given, () => contactsText(found.contacts));
  },
});

async function soughtBy({ ids, ...given }: ReturnType<typeof looked.inputOf>) {
  if (ids) return { input: { ids }, what: 'one of these ids' };
  return valueFrom(given, '--id');
}

/** The value that names a person; - reads it from stdin. */
export async function valueFrom(
  given: Partial<Record<Kind, string | number | undefined>>,
  ...others: readonly string[]
) {
  const kind = (Object.keys(kinds) as Kind[]).find((one) => given[one] !== undefined);
  if (kind === undefined)
    throw new UsageError(`Say whom: give ${either.format([...Object.keys(kinds).map(optionOf), ...others])}.`);
  const text = String(given[kind]);
  const value = text === '-' ? (await readShort('-', 'one value', valueCharactersMax, optionOf(kind))).trim() : text;
  if (value === '') throw new UsageError(`There is nothing to look up in ${optionOf(kind)}.`);
  return { input: { [kind]: value }, what: `this ${kinds[kind]}` };
}
