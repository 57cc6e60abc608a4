import { AppError } from '../errors.ts';
import { changed, type Written } from '../events/event.ts';
import { write } from '../operation.ts';
import { requireId, requireName } from '../projects/project.ts';
import { lockProject } from '../projects/require.ts';
import { nextRevision, revised } from '../revision.ts';
import type { UnitOfWork } from '../store.ts';
import { newChatbotId } from '../values/identifier.ts';
import { object } from '../values/object-schema.ts';
import { newMoment } from '../values/timestamp.ts';
import { type Chatbot, chatbotSchema, chatbotView, exampleChatbot, nameSchema } from './chatbot.ts';
import { shownAgain } from './require.ts';

export const createChatbot = write({
  name: 'createChatbot',
  scope: 'chatbots:write',
  document: {
    tag: 'Chatbots',
    summary: 'Create a chatbot',
    description:
      'A private chatbot without contacts. 409 `chatbots_exhausted` where the project has as many as it may.',
    answer: 'The chatbot.',
  },
  input: object({ name: nameSchema }),
  output: chatbotSchema,
  errors: ['chatbots_exhausted'],
  example: exampleChatbot,
  repeat: shownAgain,
  run: async (unit, { projectId }, { name }) => {
    const { output, changes } = await insert(unit, projectId, newChatbotId(), name);
    return { output: revised(chatbotView(output), output), changes };
  },
});

/** Under an id from elsewhere. Throws `not_found` (project), `chatbots_exhausted`, `conflict` or `invalid`. */
export const takeOverChatbot = write({
  name: 'takeOverChatbot',
  scope: null,
  run: async (unit, { projectId }, { name, id }: { name: string; id: string }) => insert(unit, projectId, id, name),
});

async function insert(unit: UnitOfWork, projectId: string, id: string, name: string): Promise<Written<Chatbot>> {
  const { chatbots_max: max } = await lockProject(unit.projects, projectId);
  if ((await unit.chatbots.count(projectId)) >= max) {
    const message = `The project may have ${max} chatbot${max === 1 ? '' : 's'}, and has them`;
    throw new AppError('chatbots_exhausted', message, { about: 'project' });
  }
  const chatbot: Chatbot = {
    id: requireId(id, 'chatbot'),
    name: requireName(name),
    project_id: projectId,
    visibility: 'private',
    created_at: newMoment(),
    revision: nextRevision(),
  };
  if (await unit.chatbots.insert(chatbot)) return changed(chatbot, { type: 'chatbot.created', chatbot_id: chatbot.id });
  throw new AppError('conflict', 'The project has a chatbot with this id already', { about: 'chatbot' });
}
