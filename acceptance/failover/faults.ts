import { setTimeout as pause } from 'node:timers/promises';

import type { Cluster } from './cluster.ts';
import { kill } from './processes.ts';
import type { Roster } from './rosters.ts';

export interface Fault {
  name: string;
  /** Causes the fault, and ends it. */
  run(cluster: Cluster, rosters: readonly Roster[]): Promise<void>;
}

/** A primary without etcd steps down in less. */
const longMs = 25_000;
const shortMs = 5_000;

export const faults: readonly Fault[] = [
  {
    name: 'kill -9 of the primary',
    run: async (cluster) => {
      const primary = await cluster.primary();
      primary.signal('SIGKILL');
      await cluster.replaced('primary', primary);
      primary.start();
    },
  },
  {
    name: 'SIGSTOP of the primary',
    run: async (cluster) => stopUntilReplaced(cluster, 'primary'),
  },
  {
    name: 'switchover',
    run: async (cluster) => {
      const [leader, candidate] = [await cluster.primary(), await cluster.standby()];
      await cluster.ask('/switchover', { leader: leader.name, candidate: candidate.name });
    },
  },
  {
    name: 'kill -9 of the synchronous standby',
    run: async (cluster) => {
      const standby = await cluster.standby();
      standby.signal('SIGKILL');
      await pause(shortMs);
      standby.start();
    },
  },
  {
    name: 'SIGSTOP of the synchronous standby',
    run: async (cluster) => stopUntilReplaced(cluster, 'standby'),
  },
  {
    name: 'kill -9 of HAProxy, and its return',
    run: async (cluster) => {
      await kill(cluster.proxy);
      await pause(shortMs);
      cluster.startProxy();
    },
  },
  {
    name: 'kill -9 of a Roster, and its return',
    run: async (_, [roster]) => {
      await roster?.kill();
      await roster?.start();
    },
  },
  {
    name: 'SIGSTOP of etcd',
    run: async ({ etcd }) => {
      etcd.kill('SIGSTOP');
      await pause(longMs);
      etcd.kill('SIGCONT');
    },
  },
  {
    name: 'primary cut off from etcd and the standbys',
    run: async (cluster) => {
      const primary = await cluster.primary();
      primary.cutOff();
      await cluster.replaced('primary', primary);
      primary.join();
    },
  },
  {
    name: 'planned restart of the primary',
    run: async (cluster) => cluster.ask('/restart', {}),
  },
];

async function stopUntilReplaced(cluster: Cluster, role: 'primary' | 'standby'): Promise<void> {
  const node = await cluster[role]();
  node.signal('SIGSTOP');
  await cluster.replaced(role, node);
  node.signal('SIGCONT');
}
