import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

import { methodNotAllowed } from './failures.ts';

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
  app.register(cors, {
    strictPreflight: false,
    origin: [...origins],
    methods: ['GET', 'HEAD'],
    allowedHeaders: ['Authorization', 'If-None-Match', 'X-Request-Id'],
    exposedHeaders,
    maxAge: 600,
  });
}
