import type { FastifyInstance } from 'fastify';

import { methodNotAllowed } from './failures.ts';

const allowedOrigin = 'access-control-allow-origin';
const exposedHeaders = [
  'ETag',
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
];

/** Lets browsers on these origins call; without one, CORS is off and no answer speaks of it. */
export function registerCors(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  // What only looks like a pre-flight is a wrong method, as it is without CORS.
  app.addHook('onRequest', async ({ method, headers }) => {
    if (method !== 'OPTIONS' || (headers.origin && headers['access-control-request-method'])) return;
    throw methodNotAllowed();
  });
  app.register(import('@fastify/cors'), {
    strictPreflight: false,
    origin: [...origins],
    methods: ['GET', 'HEAD'],
    allowedHeaders: ['Authorization', 'If-None-Match', 'X-Request-Id'],
    exposedHeaders,
    maxAge: 600,
  });
  // Refusals that come before the plugin has its turn (an unknown path, two Hosts) should be readable too.
  app.addHook('onSend', async ({ headers }, reply, payload) => {
    if (!reply.hasHeader(allowedOrigin)) reply.headers(allowanceOf(headers.origin, origins));
    return payload;
  });
}

/** What lets a page of this origin read an answer; empty where it may not. */
export function allowanceOf(
  origin: string | undefined,
  origins: readonly string[],
): Readonly<Record<string, string>> {
  if (origin === undefined || !origins.includes(origin)) return {};
  return {
    [allowedOrigin]: origin,
    'access-control-expose-headers': exposedHeaders.join(', '),
    vary: 'Authorization, Origin',
  };
}
