import type { EventWatch } from '../events/event.ts';
import type { Database } from './database.ts';
import { sql } from './sql.ts';

const lookEveryMs = 25;
/** Looking takes a fifth of the time at most. */
const restPerMs = 4;

interface Watcher {
  after: bigint;
  settle: (isThere: boolean) => void;
}

/** Looks for commits of any process while somebody waits, and then for the projects that are waited for. */
export function eventWatch(database: Database): EventWatch {
  const watched = new Map<string, Set<Watcher>>();
  let seen: string | undefined;
  let isLooking = false;

  const lastEvent = async (projectId: string): Promise<bigint> => {
    const query = sql`select cast(last_event as text) as last from projects where id = ${projectId}`;
    const row = await database.first<{ last: string }>(query);
    // Without its project a watcher asks for itself, and is told.
    return row ? BigInt(row.last) : BigInt(Number.MAX_SAFE_INTEGER);
  };
  const look = async (): Promise<void> => {
    const moment = await database.moment();
    if (moment === seen) return;
    // Before the look: a watcher that comes meanwhile resets it.
    seen = moment;
    for (const [projectId, watchers] of watched) {
      const last = await lastEvent(projectId);
      // The number falls when a failover loses commits.
      for (const { after, settle } of watchers) if (last !== after) settle(true);
    }
  };
  const goOn = async (): Promise<void> => {
    if (watched.size === 0) {
      isLooking = false;
      return;
    }
    const startedAt = performance.now();
    try {
      await look();
    } catch {
      // Let the waiting requests ask, so that they learn why the store does not answer.
      for (const watchers of watched.values()) for (const { settle } of watchers) settle(true);
    }
    const restMs = (performance.now() - startedAt) * restPerMs;
    setTimeout(() => void goOn(), Math.max(lookEveryMs, restMs));
  };
  const add = (projectId: string, watcher: Watcher) => {
    watched.set(projectId, (watched.get(projectId) ?? new Set()).add(watcher));
    seen = undefined;
    if (isLooking) return;
    isLooking = true;
    setTimeout(() => void goOn(), lookEveryMs);
  };
  const remove = (projectId: string, watcher: Watcher) => {
    const watchers = watched.get(projectId);
    watchers?.delete(watcher);
    if (watchers?.size === 0) watched.delete(projectId);
  };
  return {
    next: async (projectId, after, signal) => {
      if (signal.aborted) return false;
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const watcher = { after, settle: resolve };
      const end = () => resolve(false);
      signal.addEventListener('abort', end);
      add(projectId, watcher);
      try {
        return await promise;
      } finally {
        signal.removeEventListener('abort', end);
        remove(projectId, watcher);
      }
    },
  };
}
