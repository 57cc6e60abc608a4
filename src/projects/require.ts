import { requireFound } from '../errors.ts';
import type { LimitedProject, StoredProject } from './project.ts';
import type { ProjectReads, ProjectWrites } from './store.ts';

export async function requireProject(projects: ProjectReads, projectId: string): Promise<StoredProject> {
  return requireFound(await projects.find(projectId), 'project');
}

/** Locks the project: before members, keys and sessions, but after chatbots. Throws `not_found`. */
export async function lockProject(projects: ProjectWrites, projectId: string): Promise<LimitedProject> {
  return requireFound(await projects.findForUpdate(projectId), 'project');
}
