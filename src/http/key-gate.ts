import type { Actor } from '../actor.ts';
import type { ApiKey } from '../api-keys/api-key.ts';
import { challenge, HttpError, lacking } from './errors.ts';
import type { Exchange } from './exchange.ts';
import { enter, type Gate } from './gate.ts';
import type { KnownKeys } from './known-keys.ts';
import type { CountRefusal, RateLimit } from './rate-limit.ts';

export interface KeyGateParts {
  readonly keys: KnownKeys;
  readonly limit: RateLimit;
  readonly countRefusal: CountRefusal;
}

/** The gate of `/v2`: API keys. */
export function keyGate(parts: KeyGateParts): Gate {
  return {
    limit: parts.limit,
    admit: (exchange) => admitKey(parts, exchange),
    confirm: (exchange) => identify(parts, exchange),
    confirmsAfterBody: false,
    lacking,
  };
}

/** Identifies the key and counts the request. Throws `unauthenticated` or `rate_limited`. */
export async function admitKey(parts: KeyGateParts, exchange: Exchange): Promise<Actor> {
  const actor = await identify(parts, exchange);
  await enter(exchange, actor, parts.limit);
  return actor;
}

async function identify({ keys, countRefusal }: KeyGateParts, exchange: Exchange): Promise<Actor> {
  const key = await keys.find(exchange.arrival);
  if (typeof key !== 'string') return actorOf(key, exchange.id);
  exchange.refusal = key;
  await countRefusal(exchange);
  // RFC 6750 §3.1: no error code where no credential was sent.
  const parameters = key === 'missing' ? '' : ', error="invalid_token"';
  throw new HttpError('unauthenticated', ['www-authenticate', challenge + parameters]);
}

function actorOf(key: ApiKey, requestId: string): Actor {
  return { type: 'key', id: key.id, projectId: key.project_id, scopes: key.scopes, requestId, key };
}
