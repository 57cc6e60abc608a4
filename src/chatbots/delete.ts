import { purgeSome } from '../contacts/purge.ts';
import type { NewEvent } from '../events/event.ts';
import { write } from '../operation.ts';
import { object } from '../values/object-schema.ts';
import { chatbotIdSchema } from './chatbot.ts';
import { lockChatbot } from './require.ts';

const contactsOfStep = 500;

/** Purges 500 contacts of a chatbot, and with the last of them the chatbot itself. Throws `not_found`. */
export const deleteChatbot = write({
  name: 'deleteChatbot',
  scope: 'administration',
  input: object({ chatbotId: chatbotIdSchema }),
  run: async (unit, actor, { chatbotId }) => {
    const { projectId } = actor;
    await lockChatbot(unit, actor, chatbotId);
    const changes: NewEvent[] = [];
    let purged = 0;
    for (let ids = ['']; ids.length > 0 && purged < contactsOfStep;) {
      ids = await purgeSome(unit.contacts, projectId, chatbotId, contactsOfStep - purged);
      purged += ids.length;
      if (ids.length > 0) changes.push({ type: 'contact.purged', chatbot_id: chatbotId, contact_ids: ids });
    }
    const isDone = purged < contactsOfStep;
    if (isDone) {
      await unit.chatbots.delete(projectId, chatbotId);
      changes.push({ type: 'chatbot.deleted', chatbot_id: chatbotId });
    }
    return { output: { is_done: isDone, purged }, changes };
  },
});
