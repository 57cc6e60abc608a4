import type { HeaderList } from './headers.ts';

const exposed =
  'ETag, Location, Retry-After, Idempotent-Replayed, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id';
const allowedHeaders = 'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id';
const maxAgeSeconds = 600;

export const forNoOrigin: HeaderList = ['vary', 'Authorization'];

/** Lets a page of an allowed origin read an answer; `forNoOrigin` for any other. */
export function allowanceOf(origin: string | undefined, origins: readonly string[]): HeaderList {
  if (origin === undefined || !origins.includes(origin)) return forNoOrigin;
  const allowance = ['access-control-allow-origin', origin, 'access-control-expose-headers', exposed];
  return [...allowance, 'vary', 'Authorization, Origin'];
}

export function preflightHeaders(methods: readonly string[]): HeaderList {
  const allowed = ['access-control-allow-methods', methods.join(', '), 'access-control-allow-headers', allowedHeaders];
  return [...allowed, 'access-control-max-age', String(maxAgeSeconds)];
}
