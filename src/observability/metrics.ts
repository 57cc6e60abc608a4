// Module by module: the whole package loads clients for push gateways and traces.
import Histogram from 'prom-client/lib/histogram.js';
import Registry from 'prom-client/lib/registry.js';

import { refusals } from '../api-keys/authenticate.ts';
import type { StoreState } from '../store.ts';
import type { WebhooksState } from '../upkeep.ts';
import { outcomeOf, type Tried } from '../webhooks/attempts.ts';
import type { Answered, OnAnswered } from './access-log.ts';
import { addCounter, addGauge, addGauges, addTotal } from './instruments.ts';
import { registerProcess } from './process.ts';
import { registerAsked, registerState } from './store-metrics.ts';

// An import would load its WebSockets, which take a tenth of the start.
const { createServer } = process.getBuiltinModule('node:http');

const inFlight = 'Requests that are being answered.';
const purged = 'Rows that were too old, deleted by a job.';
const shared = '1 while the rate limit is counted together with other processes, 0 while a process counts for itself.';
const lastBackup = 'Time of the newest backup in ROSTER_BACKUP_DIR; 0 is none.';
const everySeconds = 'Time from one backup to the next, as set by ROSTER_BACKUP_EVERY.';
const backupFailures = 'Failures of backups (backup) and of ROSTER_BACKUP_COMMAND (command) in this process.';
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
    onLost: registerLosses(registry),
    onDeleted: addCounter(registry, 'roster_purged_rows_total', purged, ['by', jobs]),
    // These add metrics; call each once.
    observeInFlight: (count: () => number) => addGauge(registry, 'http_server_active_requests', inFlight, count),
    observeStore: (state: () => StoreState) => registerState(registry, state),
    observeCounts: (counts: SharedCounts) => {
      addGauge(registry, 'roster_rate_limit_shared', shared, () => Number(counts.isShared()));
      addTotal(registry, 'roster_rate_limit_fallbacks_total', fallbacks, () => counts.fallbacks());
    },
    observeBackups: (every: number) => {
      let last = 0;
      addGauge(registry, 'roster_last_backup_timestamp_seconds', lastBackup, () => last);
      addGauge(registry, 'roster_backup_every_seconds', everySeconds, () => every);
      const steps = ['backup', 'command'] as const;
      const onFailed = addCounter(registry, 'roster_backup_failures_total', backupFailures, ['step', steps]);
      return { onFailed, onLooked: (newest: Date | undefined) => void (last = (newest?.getTime() ?? 0) / 1_000) };
    },
    observeWebhooks: () => registerWebhooks(registry),
    text: () => registry.metrics(),
  };
}

/** Serves `/metrics`; an address that cannot be opened is reported, not thrown. */
export async function serveMetrics(
  { host, port }: { host: string; port: number },
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
    server.listen(port, host, resolve);
  });
  server.unref();
  return {
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const answerSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
/** Any other method counts as `_OTHER`, so that callers cannot create series without end. */
const knownMethod = /^(?:GET|HEAD|POST|PUT|DELETE|CONNECT|OPTIONS|TRACE|PATCH|QUERY)$/;
const shedReasons = ['in_flight', 'event_loop'] as const satisfies readonly Answered['shed'][];

function registerRequests(registry: Registry): OnAnswered {
  const durations = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Duration of answers by method, route pattern and status.',
    buckets: answerSeconds,
    labelNames: ['http_request_method', 'http_route', 'http_response_status_code'],
    registers: [registry],
  });
  const refused =
    'Requests without a key that may be used: none, a malformed one (its checksum included), an unknown, revoked or expired one.';
  const countRefused = addCounter(registry, 'roster_authentication_failures_total', refused, ['reason', refusals]);
  const limited = 'Requests answered with 429, by limit: key (of a key or its project) or address (of rejected keys).';
  const countLimited = addCounter(registry, 'roster_limited_requests_total', limited, ['by', ['key', 'address']]);
  const shed = 'Requests answered 503 at once because too many were in flight, or the event loop was late.';
  const countShed = addCounter(registry, 'roster_shed_requests_total', shed, ['reason', shedReasons]);
  return (answered) => {
    const { method, route, status, durationMs = 0 } = answered;
    const labels = {
      http_request_method: method !== null && knownMethod.test(method) ? method : '_OTHER',
      http_route: route ?? 'none',
      http_response_status_code: String(status),
    };
    durations.observe(labels, durationMs / 1000);
    if (answered.shed !== undefined) countShed(answered.shed);
    if (answered.refusal !== undefined) countRefused(answered.refusal);
    // Without a usable key the limit is that of the address.
    const isOfKey = answered.keyId !== undefined && answered.refusal === undefined;
    if (answered.status === 429) countLimited(isOfKey ? 'key' : 'address');
  };
}

const attempts = 'Attempts of this process to deliver an event to a webhook, by what came of them.';
const outcomes = ['delivered', 'retrying', 'given_up'] as const;
const webhooks = 'Webhooks that fail, or that Roster has disabled; 0 in a process that does not send.';
const oldest = 'Age of the oldest event that an enabled webhook has not got; 0 in a process that does not send.';

function registerWebhooks(registry: Registry) {
  let known: WebhooksState | undefined;
  const count = addCounter(registry, 'roster_webhook_deliveries_total', attempts, ['outcome', outcomes]);
  addGauges(registry, 'roster_webhooks', webhooks, ['state'], () => [
    [{ state: 'failing' }, known?.failing ?? 0],
    [{ state: 'disabled' }, known?.disabled ?? 0],
  ]);
  addGauge(registry, 'roster_webhook_oldest_event_age_seconds', oldest, () => {
    const since = known?.oldestEvent ?? null;
    return since === null ? 0 : Math.max(0, (Date.now() - Date.parse(since)) / 1_000);
  });
  return {
    onTried: (tried: Tried) => count(outcomeOf(tried)),
    onMeasured: (state: WebhooksState | undefined) => void (known = state),
  };
}

const losses = 'Acknowledged events of this process that a failover has lost.';

function registerLosses(registry: Registry): (events: number) => void {
  let lost = 0;
  addTotal(registry, 'roster_lost_events_total', losses, () => lost);
  return (events) => void (lost += events);
}
