import { changed, unchanged, type Written } from '../events/event.ts';
import { write } from '../operation.ts';
import { requireName } from '../projects/project.ts';
import { nextRevision, revised } from '../revision.ts';
import type { UnitOfWork } from '../store.ts';
import { object } from '../values/object-schema.ts';
import {
  type Chatbot,
  chatbotIdSchema,
  chatbotSchema,
  chatbotView,
  exampleChatbot,
  nameSchema,
  type Visibility,
  visibilitySchema,
} from './chatbot.ts';
import { lockChatbot, shownAgain } from './require.ts';

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
    const { output, changes } = await changeChatbot(unit, before, { name, visibility });
    return { output: revised(chatbotView(output), output), changes };
  },
});

export async function changeChatbot(
  { chatbots }: UnitOfWork,
  before: Chatbot,
  given: { name?: string | undefined; visibility?: Visibility | undefined },
): Promise<Written<Chatbot>> {
  const name = given.name === undefined ? before.name : requireName(given.name);
  const visibility = given.visibility ?? before.visibility;
  const after = { ...before, name, visibility, revision: nextRevision(before.revision) };
  const fields = (['name', 'visibility'] as const).filter((field) => before[field] !== after[field]);
  if (fields.length === 0) return unchanged(before);
  await chatbots.update(after);
  return changed(after, { type: 'chatbot.updated', chatbot_id: before.id, changed: fields });
}
