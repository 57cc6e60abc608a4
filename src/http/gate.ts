import { type Actor, covers, type RequiredScope } from '../actor.ts';
import type { HttpError } from './errors.ts';
import type { Exchange } from './exchange.ts';
import { type Counted, type RateLimit, tooMany } from './rate-limit.ts';
import type { Route } from './routes.ts';

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

/** Notes who is calling, and counts the request. Throws `rate_limited`. */
export async function enter(exchange: Exchange, actor: Actor, limit: RateLimit): Promise<void> {
  exchange.actor = actor;
  exchange.arrival.connection.isFlooding = false;
  await charge(exchange, limit.countRequest(actor));
}

/** Shows what is left of the limit; throws `rate_limited` where nothing is. */
export async function charge(exchange: Exchange, counting: Promise<Counted>): Promise<void> {
  const counted = await counting;
  exchange.limitHeaders = counted.headers;
  if (!counted.isAllowed) throw tooMany(counted);
}

export function requireCovering(gate: Gate, { scopes }: Actor, scope: RequiredScope): void {
  if (!covers(scopes, scope)) throw gate.lacking(scope ?? '');
}
