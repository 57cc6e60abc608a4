import type { HeaderList } from './headers.ts';

const exposed =
  'ETag, Location, Retry-After, Idempotent-Replayed, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id';
const allowedHeaders = 'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id';
const headersOfMcp = 'Mcp-Method, Mcp-Name, Mcp-Protocol-Version';
const maxAgeSeconds = 600;

/** Lets a page of an allowed origin read an answer; empty for any other. */
export function allowanceOf(origin: string | undefined, origins: readonly string[]): HeaderList {
  if (origin === undefined || !origins.includes(origin)) return [];
  return ['access-control-allow-origin', origin, 'access-control-expose-headers', exposed];
}

export function preflightHeaders(methods: readonly string[], url: string): HeaderList {
  const headers = /^\/mcp\/?($|\?)/.test(url) ? `${allowedHeaders}, ${headersOfMcp}` : allowedHeaders;
  const allowed = ['access-control-allow-methods', methods.join(', '), 'access-control-allow-headers', headers];
  return [...allowed, 'access-control-max-age', String(maxAgeSeconds)];
}
