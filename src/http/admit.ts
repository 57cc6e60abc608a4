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
export function keyGate(parts: AdmissionParts, version: () => number | undefined): Gate<ApiKey> {
  return {
    limit: parts.limit,
    admit: (exchange, _route, known) => admit(parts, exchange, known),
    readmit: (exchange) => identify(parts, exchange, version()),
    actorOf,
    lacking,
  };
}

/** Identifies the caller and counts the request. Throws `unauthenticated` or `rate_limited`. */
export async function admit(parts: AdmissionParts, exchange: Exchange, version: number | undefined): Promise<ApiKey> {
  const { identification, limit } = parts;
  const { connection, tokenHash } = exchange.arrival;
  const recalled = identification.recall(tokenHash, version);
  const key = (recalled instanceof Promise ? await recalled : recalled) ?? (await identify(parts, exchange, version));
  exchange.key = key;
  connection.isFlooding = false;
  const counted = await limit.countRequest(key);
  exchange.limitHeaders = counted.headers;
  if (!counted.isAllowed) throw tooMany(counted);
  return key;
}

/** The key of the request; throws `unauthenticated`, or `rate_limited` where an address was refused too often. */
export async function identify(
  { identification, limit, addressOf }: AdmissionParts,
  exchange: Exchange,
  version: number | undefined,
): Promise<ApiKey> {
  const key = await identification.keyOf(exchange.arrival, version);
  if (typeof key !== 'string') return key;
  exchange.refusal = key;
  const address = addressOf(exchange);
  if (address !== undefined) await limit.countRefusal(address);
  throw unauthenticated(key);
}

export function actorOf(key: ApiKey, requestId: string): Actor {
  return { type: 'key', id: key.id, projectId: key.project_id, scopes: key.scopes, requestId, key };
}
