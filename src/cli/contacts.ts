import type { Command } from 'commander';

import { requireChatbot } from '../chatbots/chatbot.ts';
import { contactColumns, contactFields } from '../contacts/contact.ts';
import { contactMatching, draftContact, identifyingFields } from '../contacts/import.ts';
import { exportFile, type ExportFlags, exportOptions } from './export-file.ts';
import { importFile, type ImportFlags, importOptions } from './import-file.ts';
import { databaseFiles, withStore } from './open.ts';
import { examples } from './parts.ts';

interface Target {
  chatbot: string;
  project?: string;
}

export function contactsCommand(parent: Command): void {
  const contacts = parent
    .command('contacts')
    .description('import and export the contacts of a chatbot')
    .addHelpText(
      'after',
      examples(
        'roster contacts import people.csv --chatbot 8839210412',
        'roster contacts export --chatbot 8839210412',
      ),
    );

  target(importOptions(contacts.command('import')))
    .description('import contacts from a file: matched by id, else by e-mail, else new')
    .addHelpText(
      'after',
      examples(
        'roster contacts import people.csv --chatbot 8839210412',
        'roster contacts import crm.csv --chatbot 8839210412 --map name="Full name" --rejects refused.csv',
        'roster contacts import - --format ndjson --chatbot 8839210412 --dry-run --json < people.ndjson',
      ),
    )
    .action((file: string, flags: ImportFlags & Target) =>
      withStore(
        async (store, config) => {
          const chatbot = await requireChatbot(store, flags.chatbot, flags.project);
          await importFile(
            file,
            flags,
            {
              columns: contactColumns,
              identifying: identifyingFields,
              draft: draftContact,
              matching: contactMatching(),
              store: (drafts, choose) => store.importContacts(chatbot.project_id, chatbot.id, drafts, choose),
            },
            databaseFiles(config),
          );
        },
        { writesMany: true },
      ),
    );

  target(exportOptions(contacts.command('export')))
    .description('export contacts, in a form that can be imported')
    .addHelpText(
      'after',
      examples(
        'roster contacts export --chatbot 8839210412 > people.csv',
        'roster contacts export --chatbot 8839210412 --output people.ndjson',
      ),
    )
    .action((flags: ExportFlags & Target) =>
      withStore(async (store) => {
        const chatbot = await requireChatbot(store, flags.chatbot, flags.project);
        await exportFile(store.listContacts(chatbot.project_id, chatbot.id), contactFields, flags);
      }),
    );
}

function target(command: Command): Command {
  return command
    .requiredOption('--chatbot <id>', 'the chatbot, by id')
    .option('--project <id>', 'its project, where several have a chatbot of this id');
}
