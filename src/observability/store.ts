import Gauge from 'prom-client/lib/gauge.js';
import type Registry from 'prom-client/lib/registry.js';

import type { OnAsked, StoreState } from '../store.ts';
import { type Observe, registerDurations } from './durations.ts';

const boundsSeconds = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5,
];

/** Measures what the store is asked: by operation, and by the kind of its failure where it failed. */
export function registerAsked(registry: Registry, system: string): OnAsked {
  const series = registerDurations(registry, {
    name: 'db_client_operation_duration_seconds',
    help: 'Duration of what the store was asked by operation; of what failed, error_type is the kind of failure.',
    boundsSeconds,
  });
  const known = new Map<string, Observe>();
  return (operation, durationMs, failure) => {
    const name = failure === undefined ? operation : `${operation} ${failure}`;
    let observe = known.get(name);
    if (!observe) {
      const labels = { db_system_name: system, db_operation_name: operation };
      observe = series(failure === undefined ? labels : { ...labels, error_type: failure });
      known.set(name, observe);
    }
    observe(durationMs);
  };
}

/** Adds what the engine tells of itself: its files or its connections. */
export function registerState(registry: Registry, read: () => StoreState): void {
  const { files, pools } = read();
  if (files) registerFiles(registry, () => read().files);
  if (pools.length > 0) registerPools(registry, () => read().pools);
}

// Workers see the same files, so their sizes are not added up.
function registerFiles(registry: Registry, read: () => StoreState['files']): void {
  const registers = [registry];
  const database: Gauge = new Gauge({
    name: 'roster_sqlite_database_bytes',
    help: 'Size of the database file.',
    registers,
    aggregator: 'max',
    collect: () => database.set(read()?.databaseBytes ?? 0),
  });
  const wal: Gauge = new Gauge({
    name: 'roster_sqlite_wal_bytes',
    help: 'Size of the write-ahead log beside the database file.',
    registers,
    aggregator: 'max',
    collect: () => wal.set(read()?.walBytes ?? 0),
  });
}

const pool = 'db_client_connection_pool_name';
const state = 'db_client_connection_state';

function registerPools(registry: Registry, read: () => StoreState['pools']): void {
  const registers = [registry];
  const connections: Gauge<typeof pool | typeof state> = new Gauge({
    // OpenTelemetry's db.client.connection.count; _count is a histogram's in Prometheus.
    name: 'db_client_connections',
    help: 'Open connections to PostgreSQL by state; of workers, of all together.',
    labelNames: [pool, state],
    registers,
    collect: () => {
      for (const { name, used, idle } of read()) {
        connections.set({ [pool]: name, [state]: 'used' }, used);
        connections.set({ [pool]: name, [state]: 'idle' }, idle);
      }
    },
  });
  const most: Gauge<typeof pool> = new Gauge({
    name: 'db_client_connection_max',
    help: 'Connections to PostgreSQL that may be open; of workers, of all together.',
    labelNames: [pool],
    registers,
    collect: () => read().forEach(({ name, max }) => most.set({ [pool]: name }, max)),
  });
  const pending: Gauge<typeof pool> = new Gauge({
    name: 'db_client_connection_pending_requests',
    help: 'What waits: of the pool statements, for an answer on a connection that many share; of transactions, for a connection.',
    labelNames: [pool],
    registers,
    collect: () => read().forEach(({ name, waiting }) => pending.set({ [pool]: name }, waiting)),
  });
}
