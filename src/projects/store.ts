import type { LimitedProject, Project, StoredProject } from './project.ts';

export interface Usage {
  used: number;
  max: number;
}

export interface ProjectReads {
  find(projectId: string): Promise<StoredProject | undefined>;
  /** Active and Pending members, the Owner too. This and the next two are undefined without the project. */
  seats(projectId: string): Promise<Usage | undefined>;
  chatbots(projectId: string): Promise<Usage | undefined>;
  /** Of all chatbots, without the bin. */
  contacts(projectId: string): Promise<Usage | undefined>;
  /** Oldest first. */
  list(): Promise<Project[]>;
}

export interface ProjectWrites {
  insert(project: Project): Promise<boolean>;
  /** Locks the project against changes and new chatbots until the transaction ends. */
  findForUpdate(projectId: string): Promise<LimitedProject | undefined>;
  /** Like `findForUpdate`, and also locks out new rows of the project. */
  findForDeletion(projectId: string): Promise<LimitedProject | undefined>;
  delete(projectId: string): Promise<void>;
  /** Stores name, limits and revision. */
  update(project: LimitedProject): Promise<void>;
}
