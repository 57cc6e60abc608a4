import { chatbotIdSchema } from '../../chatbots/chatbot.ts';
import { requireChatbot } from '../../chatbots/require.ts';
import { unchanged } from '../../events/event.ts';
import { doneAgain } from '../../idempotency.ts';
import { write } from '../../operation.ts';
import { object } from '../../values/object-schema.ts';
import { wasMerged } from '../change/aliases.ts';
import { noContact } from '../change/working-set.ts';
import { contactIdSchema } from '../contact.ts';

export const dismissDuplicates = write({
  name: 'dismissDuplicates',
  scope: 'contacts:write',
  queue: 'chatbot',
  document: {
    tag: 'Contacts',
    summary: 'Dismiss duplicates',
    description: 'Says that these contacts are different people: no two of them are suggested together again.',
    answer: 'It is done.',
  },
  input: object({
    chatbotId: chatbotIdSchema,
    contact_ids: {
      type: 'array',
      items: contactIdSchema,
      minItems: 2,
      maxItems: 20,
      uniqueItems: true,
      description: 'Contacts of the chatbot.',
      examples: [['qtr89df0-112d-d197-b541-3f8674663246', '018ff844-cbc8-7a1e-9c0d-5f2b7e3a9d41']],
    },
  }),
  errors: ['invalid', 'not_found', 'merged'],
  repeat: doneAgain,
  run: async ({ chatbots, contacts, duplicates }, { projectId }, { chatbotId, contact_ids: ids }) => {
    await requireChatbot(chatbots, projectId, chatbotId);
    if ((await contacts.among(projectId, chatbotId, ids)).length < ids.length) {
      const [merged] = await contacts.mergedAmong(projectId, chatbotId, ids);
      throw merged ? wasMerged(chatbotId, merged.merged_into) : noContact();
    }
    await duplicates.dismiss(projectId, chatbotId, ids);
    return unchanged(undefined);
  },
});
