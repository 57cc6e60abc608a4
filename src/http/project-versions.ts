import { LRUCache } from 'lru-cache';

import type { ProjectReads } from '../projects/store.ts';

const projectsMax = 10_000;

/**
 * How long something that was read is believed while other projects change. Every write of Roster moves the version of its
 * project; what somebody changes by hand is seen after this time at the latest.
 */
export const believedMs = 10_000;

export type ProjectVersions = ReturnType<typeof projectVersions>;

/** The versions of projects, each asked for once in a data version: between two, no process has committed anything. */
export function projectVersions(projects: Pick<ProjectReads, 'version'>) {
  const known = new LRUCache<string, { at: number; version: string | undefined }>({ max: projectsMax });
  const ask = async (projectId: string, at: number): Promise<string | undefined> => {
    const version = await projects.version(projectId);
    known.set(projectId, { at, version });
    return version;
  };
  /** A promise only where the store has to be asked: this is on the way of every answer. */
  return (projectId: string, at: number): string | undefined | Promise<string | undefined> => {
    const one = known.peek(projectId);
    return one?.at === at ? one.version : ask(projectId, at);
  };
}
