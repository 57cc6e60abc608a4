import { purgedAll, purgeSome } from '../contacts/purge.ts';
import { type Change, changed } from '../events/event.ts';
import { write } from '../operation.ts';
import { object } from '../values/object-schema.ts';
import { chatbotIdSchema, lockChatbot } from './chatbot.ts';

const idsOfEventMax = 1_000;

/**
 * Deletes a chatbot with the contacts that it still has, and returns their number: many are purged before, in steps of
 * their own. Nobody adds one meanwhile. Throws `not_found`.
 */
export const deleteChatbot = write({
  name: 'deleteChatbot',
  scope: 'administration',
  run: async (unit, actor, { chatbotId }: { chatbotId: string }) => {
    const { projectId } = actor;
    await lockChatbot(unit, actor, chatbotId);
    const changes: Change[] = [];
    let purged = 0;
    for (let ids = ['']; ids.length > 0;) {
      ids = await purgeSome(unit.contacts, projectId, chatbotId, idsOfEventMax);
      purged += ids.length;
      if (ids.length > 0) changes.push(purgedAll(chatbotId, ids));
    }
    await unit.chatbots.delete(projectId, chatbotId);
    return { output: purged, changes: [...changes, { type: 'chatbot.deleted', chatbot_id: chatbotId }] };
  },
});

/**
 * Deletes up to 1,000 contacts of a chatbot for good, and the chatbot once it has none: many are too long for one request.
 * Throws `not_found`.
 */
export const deleteChatbotInPart = write({
  name: 'deleteChatbotInPart',
  scope: 'administration',
  input: object({ chatbotId: chatbotIdSchema }),
  run: async (unit, actor, { chatbotId }, options) => {
    await lockChatbot(unit, actor, chatbotId);
    const ids = await purgeSome(unit.contacts, actor.projectId, chatbotId, idsOfEventMax);
    if (ids.length > 0) return changed({ is_done: false, purged: ids.length }, purgedAll(chatbotId, ids));
    const { changes } = await deleteChatbot.run(unit, actor, { chatbotId }, options);
    return { output: { is_done: true, purged: 0 }, changes };
  },
});
