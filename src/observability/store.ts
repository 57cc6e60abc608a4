import Gauge from 'prom-client/lib/gauge.js';
import Histogram from 'prom-client/lib/histogram.js';
import type Registry from 'prom-client/lib/registry.js';

import type { OnAsked, StoreState } from '../store.ts';
import { addGauge } from './instruments.ts';

const bucketsSeconds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** Measures the calls of the store by name and, where they failed, by the kind of error. */
export function registerAsked(registry: Registry, system: string): OnAsked {
  const durations = new Histogram({
    name: 'db_client_operation_duration_seconds',
    help: 'Duration of what the store was asked by operation; of what failed, error_type is the kind of failure.',
    buckets: bucketsSeconds,
    labelNames: ['db_system_name', 'db_operation_name', 'error_type'],
    registers: [registry],
  });
  return (operation, durationMs, error) => {
    const labels = { db_system_name: system, db_operation_name: operation };
    durations.observe(error === undefined ? labels : { ...labels, error_type: error }, durationMs / 1000);
  };
}

export function registerState(registry: Registry, read: () => StoreState): void {
  const { files, pools } = read();
  if (files) {
    const database = { name: 'roster_sqlite_database_bytes', help: 'Size of the database file.' };
    addGauge(registry, database, () => read().files?.databaseBytes ?? 0);
    const wal = {
      name: 'roster_sqlite_wal_bytes',
      help: 'Size of the write-ahead log beside the database file.',
    };
    addGauge(registry, wal, () => read().files?.walBytes ?? 0);
  }
  if (pools.length > 0) registerPools(registry, () => read().pools);
}

const pool = 'db_client_connection_pool_name';
const state = 'db_client_connection_state';

function registerPools(registry: Registry, read: () => StoreState['pools']): void {
  const registers = [registry];
  const connections: Gauge = new Gauge({
    // OpenTelemetry's db.client.connection.count; in Prometheus _count belongs to histograms.
    name: 'db_client_connections',
    help: 'Open connections to PostgreSQL by state.',
    labelNames: [pool, state],
    registers,
    collect: () => {
      for (const { name, used, idle } of read()) {
        connections.set({ [pool]: name, [state]: 'used' }, used);
        connections.set({ [pool]: name, [state]: 'idle' }, idle);
      }
    },
  });
  const most: Gauge = new Gauge({
    name: 'db_client_connection_max',
    help: 'Connections to PostgreSQL that may be open.',
    labelNames: [pool],
    registers,
    collect: () => read().forEach(({ name, max }) => most.set({ [pool]: name }, max)),
  });
  const pending: Gauge = new Gauge({
    name: 'db_client_connection_pending_requests',
    help: 'Waiting work: in the pool statements, for an answer on a shared connection; in the pool transactions, for a connection.',
    labelNames: [pool],
    registers,
    collect: () => read().forEach(({ name, waiting }) => pending.set({ [pool]: name }, waiting)),
  });
}
