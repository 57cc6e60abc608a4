import { setTimeout as pause } from 'node:timers/promises';

import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';

import {
  type ApiKey,
  type ApiKeyStore,
  authenticate,
  type Caller,
  type Refusal,
  refusalOf,
  type Scope,
  touchDueAt,
} from '../api-keys/api-key.ts';
import type { Log } from '../observability/access-log.ts';
import { formatTimestamp } from '../values/timestamp.ts';
import { bearerToken } from './bearer-token.ts';
import { HttpFailure } from './failures.ts';
import { failureResponses } from './openapi/responses.ts';
import { type RateLimit, tooMany } from './rate-limit.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a key must be allowed for this route. */
    scope?: Scope;
  }
  interface FastifyRequest {
    caller: Caller | null;
  }
}

const challenge = 'Bearer realm="roster"';

export interface GuardOptions {
  limit: RateLimit;
  log: Log;
  onRefused: (refusal: Refusal) => void;
}

/**
 * Guards every route of the scope: who has no valid key, or one that lacks the route's scope, gets no
 * further than this; and says so in the route's OpenAPI operation.
 */
export function requireApiKey(
  scope: FastifyInstance,
  store: ApiKeyStore,
  { limit, log, onRefused }: GuardOptions,
): void {
  const noteUse = useNoter(store, log);
  const tellWhy = reasonTeller(store, onRefused);

  scope.addHook('onRoute', documentGuard);
  scope.addHook('onRequest', async (request, reply) => {
    const { foundOut } = request.raw;
    const token = bearerToken(request.headers.authorization);
    const key = foundOut ? foundOut.key : await authenticate(store, token);
    if (key === undefined) throw foundOut?.failure;
    if (typeof key === 'string') {
      await countRefusal(limit, request).catch((error: unknown) => {
        onRefused(key);
        throw error;
      });
      tellWhy(key, token);
      throw unauthenticated(key);
    }
    request.raw.onGoodKey?.();
    request.caller = { keyId: key.id, projectId: key.project_id };
    const counted = foundOut?.counted ?? (await limit.countRequest(key.id));
    reply.headers(counted.headers);
    if (!counted.isAllowed) throw tooMany(counted);
    noteUse(key);
    requireScope(key, request.routeOptions.config.scope);
    if (foundOut?.failure !== undefined) throw foundOut.failure;
  });
}

/** Who has hung up has no address any more, and learns nothing. */
async function countRefusal(limit: RateLimit, request: FastifyRequest): Promise<void> {
  if (request.raw.socket.remoteAddress !== undefined) await limit.countRefusal(request.ip);
}

/** The caller, in a route behind the guard. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller) return request.caller;
  throw new Error('a route outside the guarded scope asked for its caller');
}

// RFC 6750 §3.1: no error code for a caller that sent no credential.
function unauthenticated(refusal: Refusal): HttpFailure {
  return new HttpFailure('unauthenticated', {
    'www-authenticate': refusal === 'missing' ? challenge : `${challenge}, error="invalid_token"`,
  });
}

/** Tells why somebody is refused; what takes a look into the store when he has his answer, and so nothing of it. */
function reasonTeller(store: ApiKeyStore, onRefused: (refusal: Refusal) => void) {
  return (refusal: Refusal, token: string | undefined): void => {
    if (refusal !== 'unknown' || token === undefined) return onRefused(refusal);
    setImmediate(() => void refusalOf(store, token).then(onRefused, () => onRefused(refusal)));
  };
}

function requireScope(key: ApiKey, needed: Scope | undefined): void {
  if (needed !== undefined && key.scopes.includes(needed)) return;
  throw new HttpFailure('insufficient_scope', {
    'www-authenticate': `${challenge}, error="insufficient_scope", scope="${needed ?? ''}"`,
  });
}

const retryMs = 10_000;
const togetherMs = 1_000;
const togetherMax = 1_000;

/** Writes last uses, seldom, those of a second together, and never at the cost of the request. */
function useNoter(store: Pick<ApiKeyStore, 'touchApiKeys'>, log: Log) {
  const triedAt = new Map<string, number>();
  const due: Caller[] = [];
  let isWriting = false;
  const write = async () => {
    isWriting = true;
    while (due.length > 0) {
      const keys = due.splice(0, togetherMax);
      try {
        await store.touchApiKeys(keys, formatTimestamp(new Date()));
      } catch (error) {
        log.warn({ err: error, keys: keys.length }, 'the last use of keys could not be noted');
      }
      await pause(togetherMs, undefined, { ref: false });
    }
    isWriting = false;
  };
  return (key: ApiKey) => {
    const now = Date.now();
    if (now < touchDueAt(key) || Math.abs(now - (triedAt.get(key.id) ?? 0)) < retryMs) return;
    triedAt.set(key.id, now);
    due.push({ keyId: key.id, projectId: key.project_id });
    // Once the answers to what has arrived are on their way.
    if (!isWriting) setImmediate(() => void write());
    isWriting = true;
  };
}

function documentGuard(route: RouteOptions): void {
  const scope = route.config?.scope;
  if (scope === undefined) throw new Error(`${route.url} is guarded but names no scope in its config`);
  route.schema = {
    ...route.schema,
    description: `${route.schema?.description ?? ''} Needs a key with the scope \`${scope}\`.`,
    security: [{ apiKey: [] }],
    response: {
      ...(route.schema?.response as object),
      ...failureResponses('unauthenticated', 'insufficient_scope', 'rate_limited'),
    },
  };
}
