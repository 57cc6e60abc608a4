import type { EventWatch } from '../events/event.ts';
import type { Connection } from './database.ts';
import { slicesOf } from './slices.ts';
import { inList, sql } from './sql.ts';

const lookEveryMs = 25;
const restPerMs = 4;

interface Watcher {
  projectId: string;
  after: bigint;
  settle: (isThere: boolean) => void;
}

/** While somebody waits, reads the last event of the projects that are waited for. */
export function eventWatch(connection: Pick<Connection, 'all'>): EventWatch {
  const watchers = new Set<Watcher>();
  let isLooking = false;

  const look = async (): Promise<void> => {
    const waiting = [...watchers];
    const last = new Map<string, bigint>();
    for (const some of slicesOf([...new Set(waiting.map(({ projectId }) => projectId))])) {
      const rows = await connection.all<{ id: string; last: string }>(
        sql`select id, cast(last_event as text) as last from projects where id in ${inList(some)}`,
      );
      for (const row of rows) last.set(row.id, BigInt(row.last));
    }
    // The number falls when a failover loses commits. If the project is gone, the request asks and learns that.
    for (const { projectId, after, settle } of waiting) if (last.get(projectId) !== after) settle(true);
  };
  const goOn = async (): Promise<void> => {
    if (watchers.size === 0) {
      isLooking = false;
      return;
    }
    const startedAt = performance.now();
    try {
      await look();
    } catch {
      // Let the waiting requests ask, so that they learn why the store does not answer.
      for (const { settle } of watchers) settle(true);
    }
    const restMs = (performance.now() - startedAt) * restPerMs;
    setTimeout(() => void goOn(), Math.max(lookEveryMs, restMs));
  };
  return {
    next: async (projectId, after, signal) => {
      if (signal.aborted) return false;
      const { promise, resolve: settle } = Promise.withResolvers<boolean>();
      const watcher = { projectId, after, settle };
      const end = () => settle(false);
      signal.addEventListener('abort', end);
      watchers.add(watcher);
      if (!isLooking) {
        isLooking = true;
        setTimeout(() => void goOn(), lookEveryMs);
      }
      try {
        return await promise;
      } finally {
        signal.removeEventListener('abort', end);
        watchers.delete(watcher);
      }
    },
  };
}
