import { changed, unchanged } from '../events/event.ts';
import { write } from '../operation.ts';
import { nextRevision } from '../revision.ts';
import { type LimitedProject, lockProject } from './project.ts';

/** A limit may be below what is used: then nothing is added. */
export const limitProject = write({
  name: 'limitProject',
  scope: null,
  run: async ({ projects }, { projectId }, limits: Partial<Pick<LimitedProject, 'seats_max' | 'chatbots_max'>>) => {
    const before = await lockProject(projects, projectId);
    const after = { ...before, ...limits, revision: nextRevision(before.revision) };
    const fields = (['seats_max', 'chatbots_max'] as const).filter((field) => before[field] !== after[field]);
    if (fields.length === 0) return unchanged(after);
    await projects.update(after);
    return changed(after, { type: 'project.updated', changed: fields });
  },
});
