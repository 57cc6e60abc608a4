import { requireChatbot } from '../chatbots/chatbot.ts';
import { changed } from '../events/event.ts';
import { write } from '../operation.ts';
import { storablePattern } from '../values/field.ts';
import { idLengthMax } from '../values/identifier.ts';

interface Export {
  chatbotId: string;
  /** Number of contacts in the file. */
  count: number;
}

/** Records an export of contacts. The page does so before it offers the file. */
export const recordExport = write({
  name: 'recordExport',
  scope: 'contacts:export',
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['chatbotId', 'count'],
    properties: {
      chatbotId: { type: 'string', minLength: 1, maxLength: idLengthMax, pattern: storablePattern },
      count: { type: 'integer', minimum: 0, maximum: 2_147_483_647 },
    },
  },
  run: async ({ chatbots }, { projectId }, { chatbotId, count }: Export) => {
    await requireChatbot(chatbots, projectId, chatbotId);
    return changed({ count }, { type: 'contacts.exported', chatbot_id: chatbotId, count });
  },
});
