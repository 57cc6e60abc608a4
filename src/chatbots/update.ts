import { changed, unchanged } from '../events/event.ts';
import { write } from '../operation.ts';
import { requireName } from '../projects/project.ts';
import { nextRevision, revised } from '../revision.ts';
import { object } from '../values/object-schema.ts';
import {
  chatbotIdSchema,
  chatbotSchema,
  exampleChatbot,
  lockChatbot,
  nameSchema,
  shownAgain,
  chatbotView,
  visibilitySchema,
} from './chatbot.ts';

export const updateChatbot = write({
  name: 'updateChatbot',
  scope: 'chatbots:write',
  document: {
    tag: 'Chatbots',
    summary: 'Change a chatbot',
    description: 'Changes its name, its visibility or both; what is missing stays.',
    answer: 'The chatbot.',
  },
  input: object({ chatbotId: chatbotIdSchema }, { optional: { name: nameSchema, visibility: visibilitySchema } }),
  output: chatbotSchema,
  errors: ['not_found', 'precondition_failed'],
  example: exampleChatbot,
  repeat: shownAgain,
  current: async (unit, actor, { chatbotId }) => (await lockChatbot(unit, actor, chatbotId)).revision,
  run: async (unit, actor, { chatbotId, name, visibility }) => {
    const before = await lockChatbot(unit, actor, chatbotId);
    const after = {
      ...before,
      revision: nextRevision(before.revision),
      name: name === undefined ? before.name : requireName(name),
      visibility: visibility ?? before.visibility,
    };
    const fields = (['name', 'visibility'] as const).filter((field) => before[field] !== after[field]);
    if (fields.length === 0) return unchanged(revised(chatbotView(before), before));
    await unit.chatbots.update(after);
    return changed(revised(chatbotView(after), after), {
      type: 'chatbot.updated',
      chatbot_id: chatbotId,
      changed: fields,
    });
  },
});
