import { AppError } from '../errors.ts';
import { changed, unchanged, type Written } from '../events/event.ts';
import { write } from '../operation.ts';
import { requireId, requireName, requireProject } from '../projects/project.ts';
import { nextRevision } from '../revision.ts';
import type { Chatbot } from './chatbot.ts';

export type MirroredChatbot = Omit<Chatbot, 'project_id' | 'revision'>;

/** Creates or changes a chatbot as it is elsewhere, without a limit. Throws `not_found` (project) and `invalid`. */
export const mirrorChatbot = write({
  name: 'mirrorChatbot',
  scope: null,
  run: async (
    { projects, chatbots },
    { projectId },
    given: MirroredChatbot,
  ): Promise<Written<'created' | 'updated' | 'unchanged'>> => {
    await requireProject(projects, projectId);
    const before = await chatbots.findForUpdate(projectId, given.id);
    const revision = nextRevision(before?.revision);
    const after = { ...given, ...before, name: requireName(given.name), visibility: given.visibility, revision };
    const subject = { chatbot_id: after.id };
    if (!before) {
      const isNew = await chatbots.insert({ ...after, id: requireId(given.id, 'chatbot'), project_id: projectId });
      if (!isNew) throw new AppError('conflict', 'This chatbot was created at the same moment; try again');
      return changed('created', { type: 'chatbot.created', ...subject });
    }
    const fields = (['name', 'visibility'] as const).filter((field) => before[field] !== after[field]);
    if (fields.length === 0) return unchanged('unchanged');
    await chatbots.update({ ...before, ...after });
    return changed('updated', { type: 'chatbot.updated', ...subject, changed: fields });
  },
});
