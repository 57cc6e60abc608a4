import { AppError } from '../errors.ts';
import { changed, type Written } from '../events/event.ts';
import { write } from '../operation.ts';
import { requireId, requireName } from '../projects/project.ts';
import { requireProject } from '../projects/require.ts';
import { nextRevision } from '../revision.ts';
import type { Chatbot } from './chatbot.ts';
import { changeChatbot } from './update.ts';

type Mirrored = 'created' | 'updated' | 'unchanged';

/** Creates or changes a chatbot as it is elsewhere, without a limit. Throws `not_found` (project) and `invalid`. */
export const mirrorChatbot = write({
  name: 'mirrorChatbot',
  scope: null,
  run: async (unit, { projectId }, given: Omit<Chatbot, 'project_id' | 'revision'>): Promise<Written<Mirrored>> => {
    const { projects, chatbots } = unit;
    await requireProject(projects, projectId);
    const before = await chatbots.findForUpdate(projectId, given.id);
    if (before) {
      const { changes } = await changeChatbot(unit, before, given);
      return { output: changes.length > 0 ? 'updated' : 'unchanged', changes };
    }
    const name = requireName(given.name);
    const id = requireId(given.id, 'chatbot');
    const isNew = await chatbots.insert({ ...given, id, name, project_id: projectId, revision: nextRevision() });
    if (!isNew) throw new AppError('conflict', 'This chatbot was created at the same moment; try again');
    return changed('created', { type: 'chatbot.created', chatbot_id: id });
  },
});
