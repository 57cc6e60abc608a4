import { AppError } from '../errors.ts';
import { changed } from '../events.ts';
import { write } from '../operation.ts';
import { formatTimestamp } from '../values/timestamp.ts';
import { requireId, requireName } from './project.ts';

/** Creates the actor's project. Throws `conflict` when its id is taken, `invalid` for a wrong name or id. */
export const createProject = write({
  name: 'createProject',
  scope: null,
  run: async ({ projects }, actor, { name }: { name: string }) => {
    const project = {
      id: requireId(actor.projectId, 'project'),
      name: requireName(name),
      created_at: formatTimestamp(new Date()),
    };
    if (await projects.insert(project)) return changed(project, { type: 'project.created' });
    throw new AppError('conflict', 'A project with this id exists already', { about: 'project' });
  },
});
