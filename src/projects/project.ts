import { AppError } from '../errors.ts';
import { hasAtMost, isId, isStorable } from '../values/identifier.ts';
import type { Timestamp } from '../values/timestamp.ts';
import type { ProjectReads } from './store.ts';

/** A tenant: everything else belongs to exactly one project. */
export interface Project {
  id: string;
  name: string;
  created_at: Timestamp;
}

export async function requireProject(projects: ProjectReads, projectId: string): Promise<Project> {
  const project = await projects.find(projectId);
  if (project) return project;
  throw new AppError('not_found', 'There is no project with this id', { about: 'project' });
}

/** A display name of 1 to 255 characters, without surrounding space; throws `invalid`. */
export function requireName(text: string): string {
  const name = text.trim();
  if (name !== '' && isStorable(name) && hasAtMost(name, 255)) return name;
  throw new AppError('invalid', 'A name has 1 to 255 characters');
}

export function requireId(id: string, noun: 'project' | 'chatbot'): string {
  if (isId(id)) return id;
  throw new AppError('invalid', `A ${noun} id has 1 to 64 characters`);
}
