import { AppError, requireFound } from '../errors.ts';
import { unchanged } from '../events/event.ts';
import { write } from '../operation.ts';

/** Returns the number of members; no event is left. Throws `not_found`, and `conflict` while it has a chatbot. */
export const deleteProject = write({
  name: 'deleteProject',
  scope: null,
  run: async ({ projects, chatbots }, { projectId }) => {
    requireFound(await projects.findForDeletion(projectId), 'project');
    if ((await chatbots.count(projectId)) > 0) {
      throw new AppError('conflict', 'The project has a chatbot again', { about: 'chatbot' });
    }
    const seats = await projects.seats(projectId);
    await projects.delete(projectId);
    return unchanged(seats?.used ?? 0);
  },
});
