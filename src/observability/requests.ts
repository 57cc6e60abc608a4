import Counter from 'prom-client/lib/counter.js';
import Gauge from 'prom-client/lib/gauge.js';
import type Registry from 'prom-client/lib/registry.js';

import { type Refusal, refusals } from '../api-keys/api-key.ts';
import type { Answered, OnAnswered } from './access-log.ts';
import { type Observe, registerDurations } from './durations.ts';

const boundsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** What callers may send and count as: any other method is one, so that nobody can make series without end. */
const methods = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'CONNECT',
  'OPTIONS',
  'TRACE',
  'PATCH',
  'QUERY',
]);
const otherMethod = '_OTHER';

const shedReasons = ['in_flight', 'event_loop'] as const satisfies readonly Answered['shed'][];

/** Counts those who are refused. */
export function registerRefusals(registry: Registry): (refusal: Refusal) => void {
  const refused = counter([registry], {
    name: 'roster_authentication_failures_total',
    help: 'Requests without a key that may be used: none, a malformed one (its checksum included), an unknown, revoked or expired one.',
    label: 'reason',
    values: refusals,
  });
  return (reason) => refused.inc({ reason });
}

/** Counts answers: by method, route pattern and status, and those that were limited or shed. */
export function registerRequests(registry: Registry): OnAnswered {
  const observe = observeDurations(registry);
  const registers = [registry];
  const limited = counter(registers, {
    name: 'roster_limited_requests_total',
    help: 'Requests answered 429: by the limit of a key, or by that of refusals to an address.',
    label: 'by',
    values: ['key', 'address'],
  });
  const shed = counter(registers, {
    name: 'roster_shed_requests_total',
    help: 'Requests answered 503 at once because too many were in flight, or the event loop was late.',
    label: 'reason',
    values: shedReasons,
  });
  return (answered) => {
    observe(answered);
    if (answered.shed !== undefined) shed.inc({ reason: answered.shed });
    // Whoever has no key is limited by where he asks from.
    if (answered.status === 429) limited.inc({ by: answered.keyId === undefined ? 'address' : 'key' });
  };
}

/** Adds how many requests are in flight; `count` tells. */
export function registerInFlight(registry: Registry, count: () => number): void {
  const active: Gauge = new Gauge({
    name: 'http_server_active_requests',
    help: 'Requests that are being answered.',
    registers: [registry],
    collect: () => active.set(count()),
  });
}

function observeDurations(registry: Registry): OnAnswered {
  const series = registerDurations(registry, {
    name: 'http_server_request_duration_seconds',
    help: 'Duration of answers by method, route pattern and status.',
    boundsSeconds,
  });
  // Three maps rather than one key, which would have to be put together for each request (0.1 µs).
  const known = new Map<string | null, Map<string, Map<number, Observe>>>();
  return ({ method, route, status, durationMs = 0 }) => {
    const name = method !== null && methods.has(method) ? method : otherMethod;
    const ofRoute = inserted(known, route, () => new Map<string, Map<number, Observe>>());
    const ofMethod = inserted(ofRoute, name, () => new Map<number, Observe>());
    const observe = inserted(ofMethod, status, () =>
      series({
        http_request_method: name,
        http_route: route ?? 'none',
        http_response_status_code: String(status),
      }),
    );
    observe(durationMs);
  };
}

function inserted<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

// Each value is there from the start, as a rate needs a number before the first event.
function counter<Label extends string>(
  registers: Registry[],
  { name, help, label, values }: { name: string; help: string; label: Label; values: readonly string[] },
): Counter<Label> {
  const made = new Counter({ name, help, registers, labelNames: [label] });
  for (const value of values) made.labels(value).inc(0);
  return made;
}
