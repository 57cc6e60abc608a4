import { requireChatbot } from '../chatbots/require.ts';
import { changed } from '../events/event.ts';
import { write } from '../operation.ts';
import { idSchema } from '../values/field.ts';
import { object } from '../values/object-schema.ts';

export const recordExport = write({
  name: 'recordExport',
  scope: 'contacts:export',
  input: object({ chatbotId: idSchema, count: { type: 'integer', minimum: 0, maximum: 2_147_483_647 } }),
  run: async ({ chatbots }, { projectId }, { chatbotId, count }) => {
    await requireChatbot(chatbots, projectId, chatbotId);
    return changed({ count }, { type: 'contacts.exported', chatbot_id: chatbotId, count });
  },
});
