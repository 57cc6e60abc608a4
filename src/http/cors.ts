const exposed =
  'ETag, Location, Retry-After, Idempotent-Replayed, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id';
const allowedHeaders = 'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id';
const maxAgeSeconds = 600;

/** Lets a page of an allowed origin read an answer; empty for any other. */
export function allowanceOf(origin: string | undefined, origins: readonly string[]): Readonly<Record<string, string>> {
  if (origin === undefined || !origins.includes(origin)) return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': exposed,
    vary: 'Authorization, Origin',
  };
}

export function preflightHeaders(methods: readonly string[]): Readonly<Record<string, string>> {
  return {
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': allowedHeaders,
    'access-control-max-age': String(maxAgeSeconds),
  };
}
