// One by one, as the whole loads what talks to push gateways and traces.
import Counter from 'prom-client/lib/counter.js';
import Gauge from 'prom-client/lib/gauge.js';
import Histogram from 'prom-client/lib/histogram.js';
import Registry from 'prom-client/lib/registry.js';

import type { OnAnswered } from './access-log.ts';
import { createServer } from './node-http.ts';
import type { SharedCounts } from './shared-counts.ts';

const secondsBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** What a process has measured, as it can be told to another. */
export type Snapshot = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

export interface Metrics {
  /** Counts an answer. */
  observe: OnAnswered;
  /** Adds whether the rate limit is shared; call it once. */
  observeCounts(counts: SharedCounts): void;
  /** As Prometheus reads it. */
  text: () => Promise<string>;
  snapshot(): Promise<Snapshot>;
}

/** What a process that answers measures of itself. */
export function openMetrics(): Metrics {
  const registry = new Registry();
  const duration = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Duration of answers by method, route pattern and status.',
    labelNames: ['http_request_method', 'http_route', 'http_response_status_code'],
    buckets: secondsBuckets,
    registers: [registry],
  });
  registerMemory(registry);
  return {
    observe: ({ method, route, status, durationMs = 0 }) => {
      duration.labels(method ?? 'none', route ?? 'none', String(status)).observe(durationMs / 1000);
    },
    observeCounts: (counts) => registerCounts(registry, counts),
    text: () => registry.metrics(),
    snapshot: () => registry.getMetricsAsJSON(),
  };
}

/**
 * Serves Prometheus text at `/metrics` of the loopback. A port that cannot be opened is reported, not
 * thrown: people are served without metrics rather than not at all.
 */
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

export function registerMemory(registry: Registry): void {
  const memory: Gauge = new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Resident memory; of all processes together where there are workers.',
    registers: [registry],
    collect: () => memory.set(process.memoryUsage.rss()),
  });
}

function registerCounts(registry: Registry, counts: SharedCounts): void {
  const shared: Gauge = new Gauge({
    name: 'roster_rate_limit_shared',
    help: '1 while the rate limit is counted together with other processes, 0 while a process counts for itself.',
    registers: [registry],
    aggregator: 'min',
    collect: () => shared.set(counts.isShared() ? 1 : 0),
  });
  const fallbacks: Counter = new Counter({
    name: 'roster_rate_limit_fallbacks_total',
    help: 'Requests that a process counted for itself because the shared counts were away.',
    registers: [registry],
    collect: () => {
      fallbacks.reset();
      fallbacks.inc(counts.fallbacks());
    },
  });
}
