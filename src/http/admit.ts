import type { Actor } from '../actor.ts';
import type { ApiKey } from '../api-keys/api-key.ts';
import { lacking } from './errors.ts';
import type { Exchange } from './exchange.ts';
import { type Identification, unauthenticated } from './identify.ts';
import type { Gate } from './pipeline.ts';
import { type RateLimit, tooMany } from './rate-limit.ts';

export interface AdmissionParts {
  identification: Identification;
  limit: RateLimit;
  /** The address of the caller, behind trusted proxies too; undefined once the caller has hung up. */
  addressOf: (exchange: Exchange) => string | undefined;
}

/** The gate of `/v2`: API keys. */
export function keyGate(parts: AdmissionParts): Gate<ApiKey> {
  return {
    limit: parts.limit,
    admit: (exchange) => admit(parts, exchange),
    readmit: (exchange) => identify(parts, exchange),
    actorOf,
    lacking,
  };
}

/** Identifies the caller and counts the request. Throws `unauthenticated` or `rate_limited`. */
export async function admit(parts: AdmissionParts, exchange: Exchange): Promise<ApiKey> {
  const key = await identify(parts, exchange);
  exchange.key = key;
  exchange.arrival.connection.isFlooding = false;
  const counted = await parts.limit.countRequest(key);
  exchange.limitHeaders = counted.headers;
  if (!counted.isAllowed) throw tooMany(counted);
  return key;
}

/** The key of the request; throws `unauthenticated`, or `rate_limited` where an address was refused too often. */
async function identify({ identification, limit, addressOf }: AdmissionParts, exchange: Exchange): Promise<ApiKey> {
  const key = await identification.keyOf(exchange.arrival);
  if (typeof key !== 'string') return key;
  exchange.refusal = key;
  const address = addressOf(exchange);
  if (address !== undefined) await limit.countRefusal(address);
  throw unauthenticated(key);
}

export function actorOf(key: ApiKey, requestId: string): Actor {
  return { type: 'key', id: key.id, projectId: key.project_id, scopes: key.scopes, requestId, key };
}
