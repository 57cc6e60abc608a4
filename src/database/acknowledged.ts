import type { LostEvents } from '../store.ts';
import type { Database } from './database.ts';
import { inSlices } from './slices.ts';
import { inPairs, sql } from './sql.ts';

export interface Acknowledged {
  projectId: string;
  /** Differs if the project was deleted and created again. */
  feed: string;
  /** Sequence and id of its last event. */
  sequence: bigint;
  id: string;
  count: number;
}

/** Commits kept at least; at most twice as many. */
const commitsMin = 10_000;
/** A pooler may switch an open connection to another server. */
const checkEveryMs = 60_000;

/** Remembers the last commits of this process, to notice those that a failover loses. */
export function acknowledgedCommits(database: Pick<Database, 'all' | 'connections'>) {
  let commits: Acknowledged[] = [];
  const found = new WeakSet<Acknowledged>();
  let checked = { connections: 0, at: performance.now() };

  /** Events that retention has deleted, or that went with their project, are not lost. */
  const lostOf = async (some: readonly Acknowledged[]): Promise<Acknowledged[]> => {
    const rows = await inSlices(some, (slice) =>
      database.all<{ project_id: string; sequence: string; last: string; feed: string; id: string | null }>(
        sql`select projects.id as project_id, given.column2 as sequence, feed, cast(last_event as text) as last, events.id
          from ${inPairs(slice.map(({ projectId, sequence }) => [projectId, String(sequence)]))} as given
          join projects on projects.id = given.column1
          left join events on project_id = projects.id and sequence = cast(given.column2 as bigint)`,
      ),
    );
    const stored = new Map(rows.map((row) => [`${row.project_id} ${row.sequence}`, row]));
    return some.filter(({ projectId, feed, sequence, id }) => {
      const row = stored.get(`${projectId} ${sequence}`);
      return row?.feed === feed && (BigInt(row.last) < sequence || (row.id !== null && row.id !== id));
    });
  };

  return {
    note: (commit: Acknowledged): void => {
      commits.push(commit);
      if (commits.length > 2 * commitsMin) commits = commits.slice(-commitsMin);
    },
    /** Checks after a new connection or each minute; reports each loss once. */
    lostEvents: async (): Promise<LostEvents[]> => {
      const now = { connections: database.connections(), at: performance.now() };
      const isDue = now.connections !== checked.connections || now.at - checked.at > checkEveryMs;
      if (!isDue || commits.length === 0) return [];
      // Commits of a project may be acknowledged out of order.
      const inOrder = commits.toSorted((a, b) => Number(a.sequence - b.sequence));
      // A failover loses the newest commits, but some since the last check may be later than the failover.
      const since = inOrder.filter((commit) => !found.has(commit));
      const newest = new Map(inOrder.filter((commit) => found.has(commit)).map((commit) => [commit.feed, commit]));
      const behind = new Set((await lostOf([...newest.values(), ...since])).map(({ projectId }) => projectId));
      const lost = new Set(await lostOf(inOrder.filter(({ projectId }) => behind.has(projectId))));
      commits = commits.filter((commit) => !lost.has(commit));
      for (const commit of since) found.add(commit);
      checked = now;
      return [...Map.groupBy(lost, ({ projectId }) => projectId)].map(([projectId, own]) => ({
        projectId,
        from: firstOf(own[0]),
        to: own.at(-1)?.sequence ?? 0n,
        count: own.reduce((sum, { count }) => sum + count, 0),
      }));
    },
  };
}

function firstOf(commit: Acknowledged | undefined): bigint {
  return commit ? commit.sequence - BigInt(commit.count) + 1n : 0n;
}
