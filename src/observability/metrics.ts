// Module by module: the whole package loads clients for push gateways and traces.
import Registry from 'prom-client/lib/registry.js';

import type { StoreState } from '../store.ts';
import { addCounter, addGauge, addTotal } from './instruments.ts';
import { registerProcess } from './process.ts';
import { registerRequests } from './requests.ts';
import { registerAsked, registerState } from './store.ts';

// An import would load its WebSockets, which take a tenth of the start.
const { createServer } = process.getBuiltinModule('node:http');

const inFlight = 'Requests that are being answered.';
const purged = 'Rows that were too old, deleted by a job.';
const shared = '1 while the rate limit is counted together with other processes, 0 while a process counts for itself.';
const fallbacks = 'Requests that a process counted by itself because Redis was unreachable.';

interface SharedCounts {
  isShared(): boolean;
  fallbacks(): number;
}

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics({ version, system, jobs }: { version: string; system: string; jobs: readonly string[] }) {
  const registry = new Registry();
  registerProcess(registry, version);
  return {
    onAnswered: registerRequests(registry),
    onAsked: registerAsked(registry, system),
    onDeleted: addCounter(registry, 'roster_purged_rows_total', purged, ['by', jobs]),
    // These three add metrics that are read at each scrape; call each once.
    observeInFlight: (count: () => number) => addGauge(registry, 'http_server_active_requests', inFlight, count),
    observeStore: (state: () => StoreState) => registerState(registry, state),
    observeCounts: (counts: SharedCounts) => {
      addGauge(registry, 'roster_rate_limit_shared', shared, () => Number(counts.isShared()));
      addTotal(registry, 'roster_rate_limit_fallbacks_total', fallbacks, () => counts.fallbacks());
    },
    text: () => registry.metrics(),
  };
}

/** Serves `/metrics` on the loopback; a port that cannot be opened is reported, not thrown. */
export async function serveMetrics(
  port: number,
  text: () => Promise<string>,
  onUnavailable: (reason: string) => void,
): Promise<AsyncDisposable> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    text().then(
      (body) => response.writeHead(200, { 'content-type': Registry.PROMETHEUS_CONTENT_TYPE }).end(body),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      onUnavailable(error.code ?? 'unknown');
      resolve();
    });
    server.listen(port, '127.0.0.1', resolve);
  });
  server.unref();
  return {
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
