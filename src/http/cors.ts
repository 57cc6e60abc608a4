import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

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
  app.register(cors, {
    origin: [...origins],
    methods: ['GET', 'HEAD'],
    allowedHeaders: ['Authorization', 'If-None-Match', 'X-Request-Id'],
    exposedHeaders,
    maxAge: 600,
  });
}
