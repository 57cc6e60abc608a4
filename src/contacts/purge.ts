import { changed, unchanged, type Written } from '../events/event.ts';
import { write } from '../operation.ts';
import type { UnitOfWork } from '../store.ts';
import type { Timestamp } from '../values/timestamp.ts';

export const purgeBin = write({
  name: 'purgeBin',
  scope: null,
  queue: 'chatbot',
  run: async (
    { contacts },
    { projectId },
    { chatbotId, before, limit }: { chatbotId: string; before: Timestamp; limit: number },
  ): Promise<Written<number>> => {
    const found = await contacts.after(projectId, chatbotId, { list: 'deleted', isWhole: false }, [before, ''], limit);
    const ids = found.map(({ id }) => id);
    if (ids.length === 0) return unchanged(0);
    await contacts.purgeDeleted(projectId, chatbotId, ids);
    return changed(ids.length, { type: 'contact.purged', chatbot_id: chatbotId, contact_ids: ids });
  },
});

/** Purges some contacts, those of the bin last; returns their ids. */
export async function purgeSome(
  contacts: UnitOfWork['contacts'],
  projectId: string,
  chatbotId: string,
  limit: number,
): Promise<string[]> {
  for (const list of ['oldest', 'deleted'] as const) {
    const found = await contacts.after(projectId, chatbotId, { list, isWhole: false }, undefined, limit);
    const ids = found.map(({ id }) => id);
    if (ids.length > 0) {
      await contacts.purge(projectId, chatbotId, ids);
      return ids;
    }
  }
  return [];
}
