import Histogram from 'prom-client/lib/histogram.js';
import type Registry from 'prom-client/lib/registry.js';

import type { OnAsked, StoreState } from '../store.ts';
import { addGauge, addGauges } from './instruments.ts';

const askedSeconds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

export function registerAsked(registry: Registry, system: string): OnAsked {
  const durations = new Histogram({
    name: 'db_client_operation_duration_seconds',
    help: 'Duration of database operations; error_type is the kind of failure, on failed ones only.',
    buckets: askedSeconds,
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
    const database = () => read().files?.databaseBytes ?? 0;
    addGauge(registry, 'roster_sqlite_database_bytes', 'Size of the database file.', database);
    const log = () => read().files?.walBytes ?? 0;
    addGauge(registry, 'roster_sqlite_wal_bytes', 'Size of the write-ahead log beside the database file.', log);
  }
  if (pools.length > 0) registerPools(registry, () => read().pools);
}

const pool = 'db_client_connection_pool_name';
const state = 'db_client_connection_state';

function registerPools(registry: Registry, read: () => StoreState['pools']): void {
  const connections = 'Open connections to PostgreSQL by state.';
  // OpenTelemetry's db.client.connection.count; Prometheus reserves _count for histograms.
  addGauges(registry, 'db_client_connections', connections, [pool, state], () =>
    read().flatMap(({ name, used, idle }) => [
      [{ [pool]: name, [state]: 'used' }, used],
      [{ [pool]: name, [state]: 'idle' }, idle],
    ]),
  );
  addGauges(registry, 'db_client_connection_max', 'Connections to PostgreSQL that may be open.', [pool], () =>
    read().map(({ name, max }) => [{ [pool]: name }, max]),
  );
  const pending =
    'Waiting work: in the pool statements, for an answer on a shared connection; in the pool transactions, for a connection.';
  addGauges(registry, 'db_client_connection_pending_requests', pending, [pool], () =>
    read().map(({ name, waiting }) => [{ [pool]: name }, waiting]),
  );
}
