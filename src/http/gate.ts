import { type Actor, covers } from '../actor.ts';
import type { Log } from '../observability/access-log.ts';
import { scopesOf } from '../operation.ts';
import type { Store } from '../store.ts';
import { challenge, HttpError, lacking } from './errors.ts';
import type { Exchange } from './exchange.ts';
import type { KnownKeys } from './known-keys.ts';
import { type Counted, type CountRefusal, type RateLimit, tooMany } from './rate-limit.ts';
import type { Route } from './routes.ts';
import type { Waiting } from './waiting.ts';

export interface GateParts {
  readonly store: Store;
  readonly log: Log;
  readonly keys: KnownKeys;
  readonly limit: RateLimit;
  readonly countRefusal: CountRefusal;
  readonly waiting: Waiting;
}

/** Identifies callers: the one difference between `/v2` and the console. */
export interface Gate {
  readonly limit: RateLimit;
  /** Identifies the caller and counts the request. Throws `unauthenticated`, `rate_limited`, and what a gate refuses. */
  admit(exchange: Exchange, route: Route): Promise<Actor>;
  /** Identifies the caller again, who may have lost the right while a body or an event was waited for. */
  confirm(exchange: Exchange, route: Route): Promise<Actor>;
  /** Whether a body may be so late that the caller is to be confirmed. */
  readonly confirmsAfterBody: boolean;
  lacking(scope: string): HttpError;
}

export async function enter(exchange: Exchange, actor: Actor, limit: RateLimit): Promise<void> {
  exchange.actor = actor;
  exchange.arrival.connection.isFlooding = false;
  await charge(exchange, limit(actor));
}

export async function charge(exchange: Exchange, counting: Promise<Counted>): Promise<void> {
  const counted = await counting;
  exchange.limitHeaders = counted.headers;
  if (!counted.isAllowed) throw tooMany(counted);
}

export function requireCovering(gate: Gate, { scopes }: Actor, operation: Route['operation']): void {
  const missing = scopesOf(operation).find((scope) => !covers(scopes, scope));
  if (missing !== undefined) throw gate.lacking(missing ?? '');
}

export function keyGate(parts: GateParts): Gate {
  return {
    limit: parts.limit,
    admit: (exchange) => admitKey(parts, exchange),
    confirm: (exchange) => identify(parts, exchange),
    confirmsAfterBody: false,
    lacking,
  };
}

export async function admitKey(parts: GateParts, exchange: Exchange): Promise<Actor> {
  const actor = await identify(parts, exchange);
  await enter(exchange, actor, parts.limit);
  return actor;
}

async function identify({ keys, countRefusal }: GateParts, exchange: Exchange): Promise<Actor> {
  const key = await keys.find(exchange.arrival);
  if (typeof key !== 'string') {
    return { type: 'key', id: key.id, projectId: key.project_id, scopes: key.scopes, requestId: exchange.id, key };
  }
  exchange.refusal = key;
  await countRefusal(exchange);
  // RFC 6750 §3.1: no error code where no credential was sent.
  const parameters = key === 'missing' ? '' : ', error="invalid_token"';
  throw new HttpError('unauthenticated', ['www-authenticate', challenge + parameters]);
}
