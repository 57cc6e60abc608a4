import { type Change, type Written } from '../events.ts';
import type { Stored } from '../imports.ts';
import { write } from '../operation.ts';
import { formatTimestamp } from '../values/timestamp.ts';
import { changedNames } from './apply.ts';
import type { StoredContact } from './contact.ts';
import { binKey } from './matching.ts';
import type { ContactWrites } from './store.ts';
import type { Owner } from './working-set.ts';

export interface ContactBatch {
  chatbotId: string;
  keys: readonly string[];
  /** Chooses the contacts to store once everybody under the keys is found, those in the bin too. */
  decide: (stored: Stored<StoredContact>) => readonly StoredContact[];
}

/** Stores one batch of an import: one transaction, and one event for each kind of change in it. */
export const importContacts = write({
  name: 'importContacts',
  scope: 'contacts:write',
  run: async ({ contacts }, { projectId }, { chatbotId, keys, decide }: ContactBatch): Promise<Written<void>> => {
    const owner = { projectId, chatbotId };
    const found = await contacts.findForWriting(projectId, chatbotId, keys);
    const before = new Map([...found.values()].flat().map((contact) => [contact.id, contact]));
    const bin = await findInBin(contacts, owner, keys, found);
    const chosen = decide((key) => found.get(key) ?? bin.get(key) ?? []);
    const added = chosen.filter(({ id }) => !before.has(id)).map((contact) => dated(contact));
    const replaced = chosen.filter(({ id }) => before.has(id));
    const restored = added.filter(({ id }) => bin.has(binKey(id)));
    const created = added.filter(({ id }) => !bin.has(binKey(id)));
    await freeExternalIds(contacts, owner, replaced, before);
    if (restored.length > 0) await contacts.purge(projectId, chatbotId, idsOf(restored));
    await contacts.save(projectId, chatbotId, { added, replaced });
    const updated = replaced.filter((contact) => changedNames(before.get(contact.id) ?? contact, contact).length > 0);
    return {
      output: undefined,
      changes: [
        ...changeOf('contact.created', chatbotId, created),
        ...changeOf('contact.restored', chatbotId, restored),
        ...changeOf('contact.updated', chatbotId, updated),
      ],
    };
  },
});

/** Whoever is added has a time of change. */
function dated(contact: StoredContact): StoredContact {
  return contact.updated_at === null ? { ...contact, updated_at: formatTimestamp(new Date()) } : contact;
}

/** Those in the bin whose ids are among the keys, and those who have their external ids meanwhile. */
async function findInBin(
  contacts: ContactWrites,
  { projectId, chatbotId }: Owner,
  keys: readonly string[],
  found: ReadonlyMap<string, readonly StoredContact[]>,
): Promise<ReadonlyMap<string, readonly StoredContact[]>> {
  const ids = keys.filter((key) => key.startsWith('id:') && !found.has(key)).map((key) => key.slice('id:'.length));
  const deleted = ids.length === 0 ? [] : await contacts.findDeleted(projectId, chatbotId, [...new Set(ids)]);
  if (deleted.length === 0) return new Map();
  const taken = deleted.flatMap(({ external_id: id }) => (id === null ? [] : `external_id:${id}`));
  const others = await contacts.findForWriting(projectId, chatbotId, taken);
  return new Map([...others, ...deleted.map((contact) => [binKey(contact.id), [contact]] as const)]);
}

/** A statement must not meet an external id that another row of it frees. */
async function freeExternalIds(
  contacts: ContactWrites,
  { projectId, chatbotId }: Owner,
  replaced: readonly StoredContact[],
  before: ReadonlyMap<string, StoredContact>,
): Promise<void> {
  const freeing = replaced.filter(({ id, external_id: externalId }) => {
    const known = before.get(id)?.external_id ?? null;
    return known !== null && known !== externalId;
  });
  if (freeing.length === 0) return;
  const without = structuredClone(freeing);
  for (const contact of without) contact.external_id = null;
  await contacts.save(projectId, chatbotId, { added: [], replaced: without });
}

function idsOf(contacts: readonly StoredContact[]): string[] {
  return contacts.map(({ id }) => id);
}

function changeOf(type: Change['type'], chatbotId: string, contacts: readonly StoredContact[]): Change[] {
  return contacts.length === 0 ? [] : [{ type, chatbot_id: chatbotId, contact_ids: idsOf(contacts) }];
}
