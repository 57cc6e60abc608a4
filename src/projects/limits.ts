import { changed, unchanged } from '../events/event.ts';
import { write } from '../operation.ts';
import { nextRevision } from '../revision.ts';
import { type LimitedProject, limits } from './project.ts';
import { lockProject } from './require.ts';

/** A limit may be below what is used: then nothing is added. Writes that are under way may not know it yet. */
export const limitProject = write({
  name: 'limitProject',
  scope: null,
  run: async ({ projects }, { projectId }, given: Partial<Pick<LimitedProject, (typeof limits)[number]>>) => {
    const before = await lockProject(projects, projectId);
    const after = { ...before, ...given, revision: nextRevision(before.revision) };
    const fields = limits.filter((field) => before[field] !== after[field]);
    if (fields.length === 0) return unchanged(after);
    await projects.update(after);
    return changed(after, { type: 'project.updated', changed: fields });
  },
});
