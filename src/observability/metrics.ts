// Module by module: the whole package loads clients of push gateways and traces.
import Counter from 'prom-client/lib/counter.js';
import Gauge from 'prom-client/lib/gauge.js';
import Registry from 'prom-client/lib/registry.js';

import type { Refusal } from '../api-keys/api-key.ts';
import type { OnAsked, StoreState } from '../store.ts';
import type { OnAnswered } from './access-log.ts';
import { registerProcess } from './process.ts';
import { registerInFlight, registerRefusals, registerRequests } from './requests.ts';
import { registerAsked, registerState } from './store.ts';

// An import would read every export of it, and some of those load WebSockets: a tenth of a start.
const { createServer } = process.getBuiltinModule('node:http');

/** Counts that several processes hold together. */
interface SharedCounts {
  isShared(): boolean;
  fallbacks(): number;
}

export interface Metrics {
  /** Counts an answer. */
  onAnswered: OnAnswered;
  /** Counts a request without a valid key. */
  onRefused: (refusal: Refusal) => void;
  /** Counts an operation of the store. */
  onAsked: OnAsked;
  /** Each adds metrics that are read at a scrape; call it once. */
  observeInFlight: (count: () => number) => void;
  observeStore(state: () => StoreState): void;
  observeCounts(counts: SharedCounts): void;
  /** As Prometheus reads it. */
  text: () => Promise<string>;
}

/** The metrics of this process. `system` is the engine of the store, `version` the program's. */
export function openMetrics({ version, system }: { version: string; system: string }): Metrics {
  const registry = new Registry();
  registerProcess(registry, version);
  return {
    onAnswered: registerRequests(registry),
    onRefused: registerRefusals(registry),
    onAsked: registerAsked(registry, system),
    observeInFlight: (count) => registerInFlight(registry, count),
    observeStore: (state) => registerState(registry, state),
    observeCounts: (counts) => registerCounts(registry, counts),
    text: () => registry.metrics(),
  };
}

/** Serves Prometheus text at `/metrics` of the loopback. Reports a port that cannot be opened instead of throwing. */
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

function registerCounts(registry: Registry, counts: SharedCounts): void {
  const shared: Gauge = new Gauge({
    name: 'roster_rate_limit_shared',
    help: '1 while the rate limit is counted together with other processes, 0 while a process counts for itself.',
    registers: [registry],
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
