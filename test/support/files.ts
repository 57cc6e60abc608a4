import { operator } from '../../src/actor.ts';
import type { StoredContact } from '../../src/contacts/contact.ts';
import { type ContactDraft, contactReader } from '../../src/contacts/draft.ts';
import { exportContacts } from '../../src/contacts/export.ts';
import { rowKeys } from '../../src/contacts/import-keys.ts';
import { importContacts } from '../../src/contacts/import.ts';
import { type Account, emptyAccount } from '../../src/files/account.ts';
import type { Format } from '../../src/files/formats.ts';
import { importPeople } from '../../src/files/import.ts';
import { openReading, type ReadingOptions } from '../../src/files/reading.ts';
import { exportPeople } from '../../src/files/writing.ts';
import type { Batch, ConflictPolicy } from '../../src/imports.ts';
import { run } from '../../src/operation.ts';
import type { Store } from '../../src/store.ts';

interface Desk {
  store: Store;
  projectId: string;
  chatbotId: string;
}

/** What became of a file, and why rows were rejected, by line. */
export interface Imported extends Account {
  reasons: Record<number, string>;
}

/** Imports a file as the command does; its format is detected. */
export async function importText(
  { store, projectId, chatbotId }: Desk,
  text: string,
  given: Partial<ReadingOptions> & { policy?: ConflictPolicy; dryRun?: boolean } = {},
): Promise<Imported> {
  const { policy = 'update', dryRun = false, ...options } = given;
  const bytes = (async function* () {
    yield Buffer.from(text);
  })();
  const reading = await openReading(bytes, contactReader, {
    format: undefined,
    mapping: new Map(),
    givesBack: false,
    ...options,
  });
  const account = emptyAccount();
  const reasons: Record<number, string> = {};
  await importPeople(
    reading,
    {
      keysOf: (row) => [...rowKeys(row)],
      store: async (batch: Batch<ContactDraft, StoredContact>) =>
        (await run(importContacts, store, operator(projectId), { ...batch, chatbotId })).output,
    },
    {
      policy,
      dryRun,
      rejects: undefined,
      wording: ({ refused }) => refused,
      advice: '',
      onRejected: (line, reasonsOfRow) => {
        reasons[line] = reasonsOfRow.map(({ reason }) => reason).join('; ');
      },
      onBatch: () => undefined,
    },
    account,
  );
  return { ...account, reasons };
}

/** The file that an export makes. */
export async function exportText({ store, projectId, chatbotId }: Desk, format: Format): Promise<string> {
  const { pages, fields } = await exportContacts(store.contacts, { projectId, chatbotId }, format === 'csv');
  return (await Array.fromAsync(exportPeople(pages, fields, format))).join('');
}
