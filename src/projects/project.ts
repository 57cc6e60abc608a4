import { AppError } from '../errors.ts';
import { hasAtMost, isId, isStorable, newId } from '../values/identifier.ts';
import { formatTimestamp, type Timestamp } from '../values/timestamp.ts';

/** A tenant: everything else belongs to exactly one project. */
export interface Project {
  id: string;
  name: string;
  created_at: Timestamp;
}

export interface ProjectStore {
  /** False when the id is taken; the store is then unchanged. */
  insertProject(project: Project): Promise<boolean>;
  findProject(projectId: string): Promise<Project | undefined>;
  /** All of them, oldest first. */
  listProjects(): Promise<Project[]>;
}

/** Creates a project; throws `conflict` when its id is taken, `invalid` when name or id cannot be one. */
export async function createProject(
  store: ProjectStore,
  input: { name: string; id?: string | undefined },
  now = new Date(),
): Promise<Project> {
  const project = {
    id: requireId(input.id ?? newId(), 'project'),
    name: requireName(input.name),
    created_at: formatTimestamp(now),
  };
  if (!(await store.insertProject(project))) {
    throw new AppError(
      'conflict',
      'A project with this id exists already; choose another --id, or see "roster projects list".',
    );
  }
  return project;
}

/** The project, or `not_found` with the command that lists them. */
export async function requireProject(store: ProjectStore, projectId: string): Promise<Project> {
  const project = await store.findProject(projectId);
  if (project) return project;
  throw new AppError('not_found', 'There is no project with this id; see "roster projects list".');
}

/** A display name of 1 to 255 characters, without surrounding space; throws `invalid`. */
export function requireName(text: string): string {
  const name = text.trim();
  if (name !== '' && isStorable(name) && hasAtMost(name, 255)) return name;
  throw new AppError('invalid', 'A name has 1 to 255 characters; give another one.');
}

/** An id taken over from elsewhere; throws `invalid`. */
export function requireId(id: string, noun: string): string {
  if (isId(id)) return id;
  throw new AppError('invalid', `A ${noun} id has 1 to 64 characters; give another --id.`);
}
