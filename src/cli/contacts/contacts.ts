import { contactImportFields } from '../../contacts/columns.ts';
import type { StoredContact } from '../../contacts/contact.ts';
import { type ContactDraft, contactReader } from '../../contacts/draft.ts';
import { exportContacts, onlyWhere } from '../../contacts/export.ts';
import { rowKeys } from '../../contacts/import-keys.ts';
import { importContacts } from '../../contacts/import.ts';
import { recordExport } from '../../contacts/record-export.ts';
import { searchContacts } from '../../contacts/search.ts';
import type { Batch } from '../../imports.ts';
import { databaseFiles } from '../open.ts';
import { type Flags, group, option } from '../parts.ts';
import { inChatbot, type InChatbot } from '../places.ts';
import { placed } from '../plain.ts';
import { conditionLists, conditionsOf, whereOption } from './conditions.ts';
import { dismiss, duplicates } from './duplicates.ts';
import { exportFile, exportOptions } from './export-file.ts';
import { importFile } from './import-file.ts';
import { importArguments, type ImportFlags, importOptions } from './import-options.ts';
import { lookUp } from './look-up.ts';
import { merge, unmerge } from './merge.ts';
import { disclose, erase } from './person.ts';
import { find, list, show } from './read.ts';
import { create, purge, remove, restore, update } from './write.ts';

const importCommand = placed('import', inChatbot, {
  says: 'import contacts from a file: matched by id, else by external id, e-mail or all cells of the row',
  examples: [
    'roster contacts import people.csv --chatbot 8839210412',
    'roster contacts import crm.csv --chatbot 8839210412 --map name="Full name" --rejects rejected.csv',
    "roster contacts import crm.csv --chatbot 8839210412 --map 'name={First} {Last}' --dry-run",
    'roster contacts import crm.csv --chatbot 8839210412 --map attributes.party=Party --keep-columns',
    'roster contacts import - --format ndjson --chatbot 8839210412 --dry-run --json < people.ndjson',
  ],
  lists: { Fields: contactImportFields },
  exits: { badData: 'bad data, such as a rejected row' },
  args: importArguments,
  options: [
    ...importOptions,
    option('--keep-columns', 'keep the columns that no field takes as attributes, named after their headings'),
  ],
  writesMany: true,
  act: ({ config, ask }, given: ImportFlags & InChatbot) =>
    importFile(given, databaseFiles(config), {
      ...contactReader,
      noun: 'contacts',
      where: ['--chatbot', given.chatbot, ...(given.project === undefined ? [] : ['--project', given.project])],
      keysOf: (row) => [...rowKeys(row)],
      store: (batch: Batch<ContactDraft, StoredContact>) => ask(importContacts, batch),
    }),
});

const exportCommand = placed('export', inChatbot, {
  says: 'export contacts, in a form that can be imported',
  examples: [
    'roster contacts export --chatbot 8839210412 > people.csv',
    'roster contacts export --chatbot 8839210412 --output people.ndjson',
    'roster contacts export --where tags=vip --chatbot 8839210412 > vip.csv',
  ],
  lists: conditionLists,
  options: [...exportOptions, whereOption],
  act: async ({ store, projectId, input, ask }, given: Flags<InChatbot & { where?: string[] }>) => {
    const where = conditionsOf(given.where);
    // A search words what is wrong with a condition.
    if (where.length > 0) await ask(searchContacts, { where, limit: 1 });
    const contacts = onlyWhere(store.contacts, where);
    const owner = { projectId, ...input };
    const count = await exportFile(given, (format) => exportContacts(contacts, owner, format === 'csv'));
    await ask(recordExport, { count });
  },
});

export const contactsCommand = group(
  'contacts',
  'show, find, change, import and export the contacts of a chatbot',
  [
    'roster contacts import people.csv --chatbot 8839210412',
    'roster contacts list --chatbot 8839210412',
    'roster contacts update CONTACT_ID --chatbot 8839210412 --set company="Example Ltd"',
  ],
  [
    list,
    show,
    find,
    lookUp,
    create,
    update,
    remove,
    restore,
    purge,
    merge,
    unmerge,
    disclose,
    erase,
    duplicates,
    dismiss,
    importCommand,
    exportCommand,
  ],
);
