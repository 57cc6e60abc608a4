import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';

import {
  type ApiKey,
  type ApiKeyStore,
  authenticate,
  type Caller,
  isTouchDue,
  type Scope,
} from '../api-keys.ts';
import { formatTimestamp } from '../timestamps.ts';
import { HttpFailure } from './failures.ts';
import { failureResponses } from './openapi-responses.ts';
import type { RateLimit } from './rate-limit.ts';

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

/**
 * Guards every route of the scope: who has no valid key, or one that lacks the route's scope, gets no
 * further than this; and says so in the route's OpenAPI operation.
 */
export function requireApiKey(scope: FastifyInstance, store: ApiKeyStore, limit: RateLimit): void {
  const noteUse = useNoter(store);

  scope.addHook('onRoute', documentGuard);
  scope.addHook('onRequest', async (request, reply) => {
    const token = bearerToken(request.headers.authorization);
    const key = token === undefined ? undefined : await authenticate(store, token);
    if (!key) return refuse(request, token, limit);
    request.caller = { keyId: key.id, projectId: key.project_id };
    await limit.countRequest(key.id, reply);
    noteUse(key, request, reply);
    requireScope(key, request.routeOptions.config.scope);
  });
}

/** The caller, in a route behind the guard. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller) return request.caller;
  throw new Error('a route outside the guarded scope asked for its caller');
}

// RFC 9110 §11.1: the scheme in any letter case. Undefined where no token was sent.
function bearerToken(header: string | undefined): string | undefined {
  return /^bearer +(\S.*)$/i.exec(header ?? '')?.[1]?.trimEnd();
}

async function refuse(request: FastifyRequest, token: string | undefined, limit: RateLimit): Promise<never> {
  await limit.countRefusal(request.ip);
  // RFC 6750 §3.1: no error code for a caller that sent no credential.
  throw new HttpFailure('unauthenticated', {
    'www-authenticate': token === undefined ? challenge : `${challenge}, error="invalid_token"`,
  });
}

function requireScope(key: ApiKey, needed: Scope | undefined): void {
  if (needed !== undefined && key.scopes.includes(needed)) return;
  throw new HttpFailure('insufficient_scope', {
    'www-authenticate': `${challenge}, error="insufficient_scope", scope="${needed ?? ''}"`,
  });
}

const retryMs = 10_000;

/** Writes the last use after the answer, seldom, and never at the cost of a request. */
function useNoter(store: ApiKeyStore) {
  const triedAt = new Map<string, number>();
  return (key: ApiKey, request: FastifyRequest, reply: FastifyReply) => {
    const now = Date.now();
    if (!isTouchDue(key, new Date(now)) || now - (triedAt.get(key.id) ?? 0) < retryMs) return;
    triedAt.set(key.id, now);
    reply.raw.once('close', () => {
      store.touchApiKey(key.project_id, key.id, formatTimestamp(new Date(now))).catch((error: unknown) => {
        request.log.warn({ err: error, key_id: key.id }, 'the last use of a key could not be noted');
      });
    });
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
