import { unavailable } from './failures.ts';
import type { Send } from './lanes.ts';

/** Together with commits in flight and four connections for reads, a process has 16 connections at most. */
const commitsMax = 4;
const lookEveryMs = 200;

/** A given-up commit that waits for a stalled standby still takes up a connection: PostgreSQL notices no closing. */
export function abandonedCommits(send: Send) {
  let sessions: number[] = [];
  let looking: Promise<void> | undefined;
  let lookedAt = -Infinity;
  const look = async (): Promise<void> => {
    lookedAt = performance.now();
    const text = "select pid from pg_stat_activity where pid = any($1) and state = 'active'";
    const [answer] = await send([{ name: 'abandoned', text, values: [sessions] }]);
    const rows = (answer?.rows ?? []) as { pid: number }[];
    const waiting = new Set(rows.map(({ pid }) => pid));
    sessions = sessions.filter((pid) => waiting.has(pid));
  };
  return {
    add: (pid: number): void => void sessions.push(pid),
    requireFew: async (): Promise<void> => {
      if (sessions.length < commitsMax) return;
      if (performance.now() - lookedAt > lookEveryMs) looking ??= look().finally(() => (looking = undefined));
      await looking;
      if (sessions.length < commitsMax) return;
      throw unavailable('PostgreSQL does not finish commits; a synchronous standby may have stalled, see its log');
    },
  };
}
