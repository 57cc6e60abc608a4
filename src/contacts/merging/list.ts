import { chatbotIdSchema } from '../../chatbots/chatbot.ts';
import { read } from '../../operation.ts';
import { object } from '../../values/object-schema.ts';
import { formatTimestamp } from '../../values/timestamp.ts';
import { contactIdSchema } from '../contact.ts';
import { viewOf } from '../view.ts';
import { undoUntil } from './merge.ts';

/** The merges into a contact that can be undone, latest first, with the contacts as they were. */
export const listMerges = read({
  name: 'listMerges',
  scope: 'contacts:read',
  input: object({ chatbotId: chatbotIdSchema, contactId: contactIdSchema }),
  run: async ({ contacts }, { projectId }, { chatbotId, contactId }, caller) => {
    const merged = await contacts.mergedInto(projectId, chatbotId, [contactId], caller);
    const [binDays, now] = [await contacts.binDays(), formatTimestamp(new Date())];
    // Contacts that came with another one come back with it.
    const own = merged.filter((one) => one.first_into === contactId);
    const latest = own.toSorted((a, b) => (a.merged_at > b.merged_at ? -1 : 1));
    const merges = [...Map.groupBy(latest, (one) => one.merge_id)].flatMap(([merge_id, sources]) => {
      const until = undoUntil(sources[0]?.merged_at ?? now, binDays);
      const contacts = sources.map((one) => viewOf(one));
      return until === null || until < now ? [] : { merge_id, undo_until: until, contacts };
    });
    return { merges };
  },
});
