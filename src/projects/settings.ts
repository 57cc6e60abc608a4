import type { Actor } from '../actor.ts';
import { nameSchema } from '../chatbots/chatbot.ts';
import { changed, unchanged } from '../events/event.ts';
import { read, write } from '../operation.ts';
import { nextRevision, revised } from '../revision.ts';
import { textSchema } from '../values/field.ts';
import { idLengthMax } from '../values/identifier.ts';
import { object } from '../values/object-schema.ts';
import { type Project, requireName } from './project.ts';
import { lockProject, requireProject } from './require.ts';
import type { ProjectReads } from './store.ts';

const settingsSchema = object(
  { project_id: textSchema(idLengthMax, 'Opaque.'), name: nameSchema },
  { title: 'ProjectSettings', description: 'The project of the key.' },
);

const example = { project_id: 'acme', name: 'Example Ltd' };

const settingsOf = ({ id, name }: Project) => ({ project_id: id, name });

async function settingsNow(projects: ProjectReads, projectId: string) {
  const project = await requireProject(projects, projectId);
  return revised(settingsOf(project), project);
}

export const retrieveProjectSettings = read({
  name: 'retrieveProjectSettings',
  scope: 'project:read',
  document: {
    tag: 'Project',
    summary: 'Retrieve project settings',
    description: 'The id and the name of the project of the key.',
    answer: 'The settings.',
  },
  input: object({}),
  output: settingsSchema,
  example,
  run: ({ projects }, { projectId }) => settingsNow(projects, projectId),
});

export const updateProjectSettings = write({
  name: 'updateProjectSettings',
  scope: 'project:write',
  document: {
    tag: 'Project',
    summary: 'Change project settings',
    description: 'Renames the project.',
    answer: 'The settings.',
  },
  input: object({ name: { ...nameSchema, examples: ['Example Ltd'] } as const }),
  output: settingsSchema,
  errors: ['precondition_failed'],
  example,
  repeat: {
    keep: () => ({}),
    render: ({ projects }, { projectId }) => settingsNow(projects, projectId),
  },
  current: async ({ projects }, actor: Actor) => (await lockProject(projects, actor.projectId)).revision,
  run: async ({ projects }, { projectId }, { name }) => {
    const before = await lockProject(projects, projectId);
    if (before.name === name) return unchanged(revised(settingsOf(before), before));
    const after = { ...before, name: requireName(name), revision: nextRevision(before.revision) };
    await projects.update(after);
    return changed(revised(settingsOf(after), after), { type: 'project.updated', changed: ['name'] });
  },
});
