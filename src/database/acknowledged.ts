import type { LostEvents } from '../store.ts';
import type { Database } from './database.ts';
import { inSlices } from './slices.ts';
import { inPairs, sql } from './sql.ts';

/** The last event of a commit that this process acknowledged. */
export interface Acknowledged {
  projectId: string;
  sequence: bigint;
  id: string;
}

const commitsMax = 10_000;
/** A pooler may lead an open connection to another server. */
const checkEveryMs = 60_000;

/** Remembers the last commits, to notice those that a failover loses. */
export function acknowledgedCommits(database: Pick<Database, 'all' | 'connections'>) {
  let commits: Acknowledged[] = [];
  let checked = { connections: 0, at: performance.now() };

  /** Events that retention has deleted, or that went with their project, are not lost. */
  const lostOf = async (some: readonly Acknowledged[]): Promise<Acknowledged[]> => {
    const rows = await inSlices(some, (slice) =>
      database.all<{ project_id: string; sequence: string; last: string; id: string | null }>(
        sql`select projects.id as project_id, given.column2 as sequence, cast(last_event as text) as last, events.id
          from ${inPairs(slice.map(({ projectId, sequence }) => [projectId, String(sequence)]))} as given
          join projects on projects.id = given.column1
          left join events on project_id = projects.id and sequence = cast(given.column2 as bigint)`,
      ),
    );
    const found = new Map(rows.map((row) => [`${row.project_id} ${row.sequence}`, row]));
    return some.filter(({ projectId, sequence, id }) => {
      const row = found.get(`${projectId} ${sequence}`);
      return row !== undefined && (BigInt(row.last) < sequence || (row.id !== null && row.id !== id));
    });
  };

  return {
    note: (commit: Acknowledged): void => {
      commits.push(commit);
      if (commits.length > commitsMax) commits = commits.slice(-commitsMax / 2);
    },
    /** Looks after each new connection, and once a minute. Tells of each loss once. */
    lostEvents: async (): Promise<LostEvents[]> => {
      const now = { connections: database.connections(), at: performance.now() };
      const isDue = now.connections !== checked.connections || now.at - checked.at > checkEveryMs;
      if (!isDue || commits.length === 0) return [];
      const newest = new Map(commits.map((commit) => [commit.projectId, commit]));
      const behind = new Set((await lostOf([...newest.values()])).map(({ projectId }) => projectId));
      const suspects = commits.filter(({ projectId }) => behind.has(projectId));
      const lost = new Set(await lostOf(suspects));
      commits = commits.filter((commit) => !lost.has(commit));
      checked = now;
      return [...behind].map((projectId) => {
        const own = suspects.filter((one) => one.projectId === projectId);
        const kept = own.findLast((one) => !lost.has(one));
        const from = kept ? kept.sequence + 1n : (own[0]?.sequence ?? 0n);
        return { projectId, from, to: own.at(-1)?.sequence ?? from };
      });
    },
  };
}
