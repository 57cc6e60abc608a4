import type { Exchange } from './exchange.ts';
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

/** The answer to a preflight of an allowed origin; undefined for any other request, or where there is no path. */
export function preflightHeaders(
  { arrival, allowance }: Exchange,
  methodsOf: (url: string) => readonly string[],
  url: string,
): HeaderList | undefined {
  const { method, headers: asked } = arrival.request;
  if (method !== 'OPTIONS' || asked['access-control-request-method'] === undefined) return undefined;
  const methods = allowance.length === 0 ? [] : methodsOf(url);
  if (methods.length === 0) return undefined;
  const headers = /^\/mcp\/?($|\?)/.test(url) ? `${allowedHeaders}, ${headersOfMcp}` : allowedHeaders;
  const allowed = ['access-control-allow-methods', methods.join(', '), 'access-control-allow-headers', headers];
  return [...allowed, 'access-control-max-age', String(maxAgeSeconds)];
}
