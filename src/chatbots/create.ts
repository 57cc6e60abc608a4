import { AppError } from '../errors.ts';
import { changed } from '../events.ts';
import { write } from '../operation.ts';
import { requireId, requireName, requireProject } from '../projects/project.ts';
import { newChatbotId } from '../values/identifier.ts';
import { formatTimestamp } from '../values/timestamp.ts';

/** Creates a chatbot, with a new id or one taken over. Throws `not_found` (project), `conflict` or `invalid`. */
export const createChatbot = write({
  name: 'createChatbot',
  scope: 'chatbots:write',
  run: async ({ chatbots, projects }, actor, input: { name: string; id?: string | undefined }) => {
    const chatbot = {
      id: requireId(input.id ?? newChatbotId(), 'chatbot'),
      name: requireName(input.name),
      project_id: (await requireProject(projects, actor.projectId)).id,
      created_at: formatTimestamp(new Date()),
    };
    if (await chatbots.insert(chatbot)) {
      return changed(chatbot, { type: 'chatbot.created', chatbot_id: chatbot.id });
    }
    throw new AppError('conflict', 'The project has a chatbot with this id already', { about: 'chatbot' });
  },
});
