import type { Command } from 'commander';

import { operator } from '../../actor.ts';
import { locateChatbot } from '../../chatbots/chatbot.ts';
import { contactImportFields } from '../../contacts/columns.ts';
import { exportContacts } from '../../contacts/export.ts';
import { contactKeys } from '../../contacts/import-keys.ts';
import { importContacts } from '../../contacts/import.ts';
import { contactMatching } from '../../contacts/matching.ts';
import { contactReader } from '../../contacts/reader.ts';
import { recordExport } from '../../contacts/record-export.ts';
import { run } from '../../operation.ts';
import { databaseFiles, withStore } from '../open.ts';
import { describe } from '../parts.ts';
import { exportFile, type ExportFlags, exportOptions } from './export-file.ts';
import { contactsFindCommand } from './find.ts';
import { importFile, type ImportFlags, importOptions } from './import-file.ts';
import { contactsListCommand, contactsLookupCommand, contactsShowCommand } from './read.ts';
import { type Target, targetOptions } from './target.ts';
import {
  contactsCreateCommand,
  contactsDeleteCommand,
  contactsPurgeCommand,
  contactsRestoreCommand,
  contactsUpdateCommand,
} from './write.ts';

export function contactsCommand(parent: Command): void {
  const contacts = describe(
    parent.command('contacts'),
    'show, find, change, import and export the contacts of a chatbot',
    [
      'roster contacts import people.csv --chatbot 8839210412',
      'roster contacts list --chatbot 8839210412',
      'roster contacts update CONTACT_ID --chatbot 8839210412 --set company="Example Ltd"',
    ],
  );
  contactsListCommand(contacts);
  contactsShowCommand(contacts);
  contactsFindCommand(contacts);
  contactsLookupCommand(contacts);
  contactsCreateCommand(contacts);
  contactsUpdateCommand(contacts);
  contactsDeleteCommand(contacts);
  contactsRestoreCommand(contacts);
  contactsPurgeCommand(contacts);

  describe(
    targetOptions(importOptions(contacts.command('import'))).option(
      '--keep-columns',
      'keep the columns that no field takes as attributes, named after their headings',
    ),
    'import contacts from a file: matched by id, else by external id, e-mail or all cells of the row',
    [
      'roster contacts import people.csv --chatbot 8839210412',
      'roster contacts import crm.csv --chatbot 8839210412 --map name="Full name" --rejects rejected.csv',
      "roster contacts import crm.csv --chatbot 8839210412 --map 'name={First} {Last}' --dry-run",
      'roster contacts import crm.csv --chatbot 8839210412 --map attributes.party=Party --keep-columns',
      'roster contacts import - --format ndjson --chatbot 8839210412 --dry-run --json < people.ndjson',
    ],
    { lists: { Fields: contactImportFields }, exits: { badData: 'bad data, such as a rejected row' } },
  ).action((file: string, flags: ImportFlags & Target) =>
    withStore(
      async (store, config) => {
        const chatbot = await locateChatbot(store.chatbots, flags.chatbot, flags.project);
        await importFile(file, flags, databaseFiles(config), {
          ...contactReader,
          command: ['roster', 'contacts', 'import', ...targetWords(flags)],
          matching: contactMatching(),
          store: async (drafts, decide) => {
            const input = { chatbotId: chatbot.id, keys: drafts.flatMap(contactKeys), decide };
            await run(importContacts, store, operator(chatbot.project_id), input);
          },
        });
      },
      { writesMany: true },
    ),
  );

  describe(
    targetOptions(exportOptions(contacts.command('export'))),
    'export contacts, in a form that can be imported',
    [
      'roster contacts export --chatbot 8839210412 > people.csv',
      'roster contacts export --chatbot 8839210412 --output people.ndjson',
    ],
  ).action((flags: ExportFlags & Target) =>
    withStore(async (store) => {
      const chatbot = await locateChatbot(store.chatbots, flags.chatbot, flags.project);
      const owner = { projectId: chatbot.project_id, chatbotId: chatbot.id };
      const count = await exportFile(flags, (format) => exportContacts(store.contacts, owner, format === 'csv'));
      await run(recordExport, store, operator(chatbot.project_id), { chatbotId: chatbot.id, count });
    }),
  );
}

function targetWords({ chatbot, project }: Target): string[] {
  return ['--chatbot', chatbot, ...(project === undefined ? [] : ['--project', project])];
}
