import { type Change, type Written } from '../events.ts';
import type { Stored } from '../imports.ts';
import { write } from '../operation.ts';
import { formatTimestamp } from '../values/timestamp.ts';
import { contactFields } from './contact.ts';
import type { StoredContact } from './contact.ts';

export interface ContactBatch {
  chatbotId: string;
  keys: readonly string[];
  /** Chooses the contacts to store once everybody under the keys is found. */
  decide: (stored: Stored<StoredContact>) => readonly StoredContact[];
}

/** Stores one batch of an import: one transaction, and one event for each kind of change in it. */
export const importContacts = write({
  name: 'importContacts',
  scope: 'contacts:write',
  run: async ({ contacts }, { projectId }, { chatbotId, keys, decide }: ContactBatch): Promise<Written<void>> => {
    const found = await contacts.findForWriting(projectId, chatbotId, keys);
    const before = new Map([...found.values()].flat().map((contact) => [contact.id, contact]));
    const chosen = decide((key) => found.get(key) ?? []);
    const added = chosen.filter(({ id }) => !before.has(id)).map((contact) => dated(contact));
    const replaced = chosen.filter(({ id }) => before.has(id));
    await contacts.save(projectId, chatbotId, { added, replaced });
    const updated = replaced.filter((contact) => {
      const old = before.get(contact.id);
      return contactFields.some((field) => old?.[field] !== contact[field]);
    });
    return {
      output: undefined,
      changes: [...changeOf('contact.created', chatbotId, added), ...changeOf('contact.updated', chatbotId, updated)],
    };
  },
});

/** Whoever is added has a time of change. */
function dated(contact: StoredContact): StoredContact {
  return contact.updated_at === null ? { ...contact, updated_at: formatTimestamp(new Date()) } : contact;
}

function changeOf(type: Change['type'], chatbotId: string, contacts: readonly StoredContact[]): Change[] {
  if (contacts.length === 0) return [];
  return [{ type, chatbot_id: chatbotId, contact_ids: contacts.map(({ id }) => id) }];
}
