import type { Command } from 'commander';

import { createContact } from '../../contacts/create.ts';
import { deleteContact } from '../../contacts/delete.ts';
import { restoreContact } from '../../contacts/restore.ts';
import { updateContact } from '../../contacts/update.ts';
import { AppError } from '../../errors.ts';
import { confirmForGood } from '../confirm.ts';
import { listing, note, printResult } from '../output.ts';
import { describe, type Flags, jsonOption } from '../parts.ts';
import { noteCopies } from '../upkeep/copies.ts';
import { mergeIndexBriefly } from '../upkeep/merge-index.ts';
import {
  changeOptions,
  type PropertyFlags,
  propertyLists,
  propertyOptionOf,
  readProperties,
  setOptions,
} from './properties.ts';
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
import { contactText } from './text.ts';

const writing = { lists: propertyLists, exits: { badData: 'bad data, such as a wrong value' } };
const noBin = 'With ROSTER_BIN_DAYS=0 nothing can be restored from the bin of the database';
const usesBin = { settings: ['databaseUrl', 'binDays'] } as const;

export function contactsCreateCommand(contacts: Command): void {
  const command = describe(
    contacts.command('create'),
    'create a contact, even if another one has its e-mail',
    [
      'roster contacts create --chatbot 8839210412 --set first_name=Bo --set email=bo@example.com',
      'roster contacts create --chatbot 8839210412 --set name=Bo --set tags=vip,lead --set attributes.party=Liberal',
      'roster contacts create --chatbot 8839210412 --properties - --json < bo.json',
    ],
    writing,
  );
  setOptions(targetOptions(command))
    .addOption(jsonOption())
    .action(async (flags: Flags<PropertyFlags & Target>) => {
      const properties = await readProperties(flags);
      await inChatbot(
        flags,
        async (ask) => {
          const created = await ask(createContact, { properties });
          printResult(created, flags, () => listing(created));
        },
        propertyOptionOf(flags),
      );
    });
}

export function contactsUpdateCommand(contacts: Command): void {
  const command = oneContact(
    contacts.command('update'),
    'change a contact; properties that are not named stay',
    [
      'roster contacts update CONTACT_ID --chatbot 8839210412 --set company="Example Ltd" --unset phone',
      'roster contacts update CONTACT_ID --chatbot 8839210412 --add-tag vip --remove-tag lead',
      'roster contacts update CONTACT_ID --chatbot 8839210412 --properties - --json < bo.json',
    ],
    writing,
  );
  changeOptions(command)
    .addOption(includeOption(allInText))
    .addOption(jsonOption())
    .action(async (contactId: string, flags: Shown & Target & PropertyFlags) => {
      const properties = await readProperties(flags);
      await inChatbot(
        flags,
        async (ask) => {
          const contact = await ask(updateContact, { contactId, properties, ...included(flags) });
          printResult(contact, flags, () => contactText(contact));
        },
        propertyOptionOf(flags),
      );
    });
}

export function contactsDeleteCommand(contacts: Command): void {
  oneContact(
    contacts.command('delete'),
    'put a contact into the bin, from which it can be restored',
    [
      'roster contacts delete CONTACT_ID --chatbot 8839210412',
      'roster contacts delete CONTACT_ID --chatbot 8839210412 --json',
    ],
    usesBin,
  )
    .option('--yes', 'ask nothing where there is no bin, and the contact is deleted for good')
    .addOption(jsonOption())
    .action((contactId: string, flags: Removal) => remove(contactId, flags, false));
}

export function contactsPurgeCommand(contacts: Command): void {
  oneContact(contacts.command('purge'), 'delete a contact for good, also from the bin', [
    'roster contacts purge CONTACT_ID --chatbot 8839210412',
    'roster contacts purge CONTACT_ID --chatbot 8839210412 --yes --json',
  ])
    .option('--yes', 'do not ask for its id')
    .addOption(jsonOption())
    .action((contactId: string, flags: Removal) => remove(contactId, flags, true));
}

type Removal = Flags<Target & { yes?: boolean }>;

async function remove(contactId: string, flags: Removal, purge: boolean): Promise<void> {
  await inChatbot(flags, async (ask, config, store) => {
    const { binDays } = config;
    const isForGood = purge || binDays === 0;
    if (isForGood) await confirmForGood('contact', contactId, flags);
    await ask(deleteContact, { contactId, purge });
    if (isForGood) await mergeIndexBriefly(store);
    const result = { id: contactId, outcome: isForGood ? 'purged' : 'deleted' };
    printResult(result, flags, () => listing(result));
    if (isForGood) noteCopies(config);
    else note(`It is in the bin for ${binDays} days; "roster contacts restore" brings it back.`);
  });
}

export function contactsRestoreCommand(contacts: Command): void {
  oneContact(
    contacts.command('restore'),
    'bring a contact back from the bin, under the same id',
    [
      'roster contacts restore CONTACT_ID --chatbot 8839210412',
      'roster contacts restore CONTACT_ID --chatbot 8839210412 --json',
    ],
    usesBin,
  )
    .addOption(includeOption(allInText))
    .addOption(jsonOption())
    .action((contactId: string, flags: Shown & Target) =>
      inChatbot(flags, async (ask, { binDays }) => {
        if (binDays === 0) throw new AppError('not_found', noBin);
        const contact = await ask(restoreContact, { contactId, ...included(flags) });
        printResult(contact, flags, () => contactText(contact));
      }),
    );
}
