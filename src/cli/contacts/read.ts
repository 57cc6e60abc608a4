import { type Command, InvalidArgumentError, Option } from 'commander';

import { listContacts, type SortOrder, sortOrders } from '../../contacts/list.ts';
import { lookUpContacts } from '../../contacts/lookup.ts';
import { retrieveContact } from '../../contacts/retrieve.ts';
import { perPageMax } from '../../values/page.ts';
import { note, printResult, UsageError } from '../output.ts';
import { collect, describe, jsonOption } from '../parts.ts';
import { readShort } from '../short-input.ts';
import {
  allInText,
  inChatbot,
  included,
  includeOption,
  oneContact,
  type Shown,
  type Target,
  targetOptions,
} from './target.ts';
import { contactsTable, contactsText, contactText } from './text.ts';

const limitDefault = 25;
const limitMax = 1_000;

type View = Record<string, unknown>;

interface ListFlags extends Target, Shown {
  sort?: SortOrder;
  limit: number;
  after: string;
  deleted?: boolean;
}

export function contactsListCommand(contacts: Command): void {
  const command = describe(contacts.command('list'), 'list contacts, newest first, or those in the bin', [
    'roster contacts list --chatbot 8839210412',
    'roster contacts list --chatbot 8839210412 --sort date_asc --limit 100 --json',
    'roster contacts list --chatbot 8839210412 --deleted',
  ]);
  targetOptions(command)
    .addOption(new Option('--sort <order>', 'by time of creation (default: date_desc)').choices(sortOrders))
    .addOption(limitOption('how many; "contacts export" has no limit'))
    .addOption(
      new Option('--after <cursor>', 'go on after this cursor, the next_cursor of an earlier list').default(
        '*',
        'the beginning',
      ),
    )
    .option('--deleted', 'those in the bin, the last deleted first')
    .addOption(includeOption('none'))
    .addOption(jsonOption())
    .action((flags: ListFlags) => list(flags));
}

async function list(flags: ListFlags): Promise<void> {
  const { sort, limit, after, deleted = false, include } = flags;
  await inChatbot(flags, async (ask) => {
    const found: View[] = [];
    let cursor: string | null = after;
    while (cursor !== null && found.length < limit) {
      const page = (await ask(listContacts, {
        cursor,
        per_page: Math.min(perPageMax, limit - found.length),
        ...(sort && { sort }),
        ...(deleted && { state: 'deleted' }),
        ...(include && { include }),
      })) as { next_cursor: string | null; contacts: View[] };
      found.push(...page.contacts);
      cursor = page.next_cursor;
    }
    printResult({ next_cursor: cursor, contacts: found }, flags, () =>
      include === undefined ? contactsTable(found, deleted) : contactsText(found),
    );
    if (cursor !== null && flags.json !== true) note(`next: --after ${cursor}`);
  });
}

export function limitOption(meaning: string): Option {
  const [what, ...more] = meaning.split('; ');
  return new Option('--limit <number>', [`${what}, 1 to ${limitMax}`, ...more].join('; '))
    .argParser(parseLimit)
    .default(limitDefault);
}

function parseLimit(value: string): number {
  const number = Number(value);
  if (/^\d{1,4}$/.test(value) && number >= 1 && number <= limitMax) return number;
  throw new InvalidArgumentError(`Allowed are whole numbers from 1 to ${limitMax}.`);
}

export function contactsShowCommand(contacts: Command): void {
  oneContact(contacts.command('show'), 'show a contact', [
    'roster contacts show 018ff844-cbc8-7a1e-9c0d-5f2b7e3a9d41 --chatbot 8839210412',
    'roster contacts show CONTACT_ID --chatbot 8839210412 --include details,tags --json',
  ])
    .addOption(includeOption(allInText))
    .addOption(jsonOption())
    .action((contactId: string, flags: Shown & Target) =>
      inChatbot(flags, async (ask) => {
        const contact = (await ask(retrieveContact, { contactId, ...included(flags) })) as View;
        printResult(contact, flags, () => contactText(contact));
      }),
    );
}

const kinds = { email: 'email', phone: 'phone', externalId: 'external_id' } as const;
const kindNames = { email: 'e-mail address', phone: 'telephone number', externalId: 'external id' } as const;
type Kind = keyof typeof kinds;
const valueCharactersMax = 4_096;

export function contactsLookupCommand(contacts: Command): void {
  const command = describe(
    contacts.command('lookup'),
    'find the contacts that have exactly this e-mail, phone or external id, or these ids',
    [
      'roster contacts lookup --email - --chatbot 8839210412 < address.txt',
      'roster contacts lookup --phone "+1 555 0100" --chatbot 8839210412',
      'roster contacts lookup --external-id crm-4711 --chatbot 8839210412 --json',
    ],
  );
  targetOptions(command)
    .addOption(kindOption('--email <address>', 'an e-mail address, in any letter case'))
    .addOption(kindOption('--phone <number>', 'a telephone number, by its digits'))
    .addOption(kindOption('--external-id <id>', 'its id in another system'))
    .addOption(kindOption('--id <id>', 'its id; may be repeated').argParser(collect<string>))
    .addOption(includeOption(allInText))
    .addOption(jsonOption())
    .addHelpText('after', '\nOther users of the machine can see a command line: - reads the value from stdin.')
    .action((flags: LookUpFlags) => lookUp(flags));
}

type LookUpFlags = Shown & Target & Partial<Record<Kind, string>> & { id?: string[] };

function kindOption(flags: string, meaning: string): Option {
  const option = new Option(flags, meaning);
  return option.conflicts([...Object.keys(kinds), 'id'].filter((kind) => kind !== option.attributeName()));
}

async function lookUp(flags: LookUpFlags): Promise<void> {
  if (flags.id) return printFound(flags, { ids: flags.id }, 'one of these ids');
  const kind = (Object.keys(kinds) as Kind[]).find((one) => flags[one] !== undefined);
  if (kind === undefined) throw new UsageError('Say whom to look up: give --email, --phone, --external-id or --id.');
  const given =
    flags[kind] === '-'
      ? await readShort('-', 'one value', valueCharactersMax, `--${kinds[kind].replace('_', '-')}`)
      : (flags[kind] ?? '');
  const value = given.trim();
  if (value === '') throw new UsageError(`There is nothing to look up in --${kinds[kind].replace('_', '-')}.`);
  return printFound(flags, { [kinds[kind]]: value }, `this ${kindNames[kind]}`);
}

async function printFound(flags: LookUpFlags, input: object, what: string): Promise<void> {
  await inChatbot(flags, async (ask) => {
    const found = await ask(lookUpContacts, { ...input, ...included(flags) });
    if (found.contacts.length === 0 && flags.json !== true) note(`No contact of this chatbot has ${what}.`);
    else printResult(found, flags, () => contactsText(found.contacts));
  });
}
