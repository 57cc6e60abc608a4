import type { Project } from './project.ts';

export interface ProjectReads {
  find(projectId: string): Promise<Project | undefined>;
  /** All projects, oldest first: for the operator. */
  list(): Promise<Project[]>;
}

export interface ProjectWrites {
  insert(project: Project): Promise<boolean>;
}
