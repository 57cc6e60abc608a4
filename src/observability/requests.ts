import Histogram from 'prom-client/lib/histogram.js';
import type Registry from 'prom-client/lib/registry.js';

import { refusals } from '../api-keys/authenticate.ts';
import type { Answered, OnAnswered } from './access-log.ts';
import { addCounter } from './instruments.ts';

const bucketsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
/** Any other method counts as `_OTHER`, so that callers cannot create series without end. */
const knownMethod = /^(?:GET|HEAD|POST|PUT|DELETE|CONNECT|OPTIONS|TRACE|PATCH|QUERY)$/;
const shedReasons = ['in_flight', 'event_loop'] as const satisfies readonly Answered['shed'][];

export function registerRequests(registry: Registry): OnAnswered {
  const durations = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Duration of answers by method, route pattern and status.',
    buckets: bucketsSeconds,
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
