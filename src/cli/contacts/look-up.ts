import type { Option } from 'commander';

import { lookUpAllContacts, lookUpContacts } from '../../contacts/lookup.ts';
import { UsageError } from '../failures.ts';
import { either, note, printResult } from '../output.ts';
import { inChatbotOrAll } from '../places.ts';
import { placed } from '../plain.ts';
import { readShort } from '../short-input.ts';
import { optionOf, taking } from '../taking.ts';
import { allInText, contactsText, included } from './shown.ts';

const kinds = { email: 'e-mail address', phone: 'telephone number', external_id: 'external id' } as const;
type Kind = keyof typeof kinds;
const valueCharactersMax = 4_096;

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
    const isOfAll = chatbotId === undefined;
    const lookUpIn = isOfAll ? lookUpAllContacts : (lookUpContacts as unknown as typeof lookUpAllContacts);
    const found = await ask(lookUpIn, { ...input, ...included(given) });
    if (found.contacts.length > 0 || given.json === true) {
      return printResult(found, given, () => contactsText(found.contacts));
    }
    note(`No contact of this ${isOfAll ? 'project' : 'chatbot'} has ${what}.`);
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
    throw new UsageError(`Say whom: give ${either([...Object.keys(kinds).map(optionOf), ...others])}.`);
  const text = String(given[kind]);
  const value = text === '-' ? (await readShort('-', 'one value', valueCharactersMax, optionOf(kind))).trim() : text;
  if (value === '') throw new UsageError(`There is nothing to look up in ${optionOf(kind)}.`);
  return { input: { [kind]: value }, what: `this ${kinds[kind]}` };
}
