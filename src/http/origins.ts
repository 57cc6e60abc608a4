import { HttpError } from './errors.ts';
import type { Exchange } from './exchange.ts';
import type { HeaderList } from './headers.ts';

const exposed =
  'ETag, Location, Retry-After, Idempotent-Replayed, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id';
const allowedHeaders = 'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id';
const headersOfMcp = 'Mcp-Method, Mcp-Name, Mcp-Protocol-Version';
const maxAgeSeconds = 600;

export function allowanceOf(origin: string | undefined, origins: readonly string[]): HeaderList {
  if (origin === undefined || !origins.includes(origin)) return [];
  return ['access-control-allow-origin', origin, 'access-control-expose-headers', exposed];
}

/** The answer to a preflight of an allowed origin; undefined for any other request or an unknown path. */
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

export type IsOwn = (exchange: Exchange) => boolean;

const loopback = ['localhost', '127.0.0.1', '[::1]'];

/** Whether Host names this service and Origin is no foreign page (DNS rebinding). Loopback names count as its own. */
export function ownOrigins(host: string, corsOrigins: readonly string[]): IsOwn {
  const bound = URL.parse(`http://${host.includes(':') ? `[${host}]` : host}`)?.hostname;
  return ({ arrival, publicUrl }) => {
    const { headers, socket } = arrival.request;
    const home = URL.parse(publicUrl);
    const named = URL.parse(`http://${headers.host ?? ''}`);
    const reached = socket.localAddress?.replace(/^::ffff:/, '') ?? '';
    const own = [...loopback, bound, home?.hostname, reached.includes(':') ? `[${reached}]` : reached];
    if (!named || !own.includes(named.hostname)) return false;
    const { origin } = headers;
    if (origin === undefined || corsOrigins.includes(origin)) return true;
    // By HTTPS there is one origin; a page of plain HTTP may come from somebody on the way.
    if (home?.protocol === 'https:' && named.hostname === home.hostname) return origin === home.origin;
    return origin === home?.origin || URL.parse(origin)?.host === named.host;
  };
}

/** Refuses what another site sends, by headers no page can change; a write needs one. Throws `forbidden_origin`. */
export function requireSameOrigin(exchange: Exchange, isOwn: IsOwn): void {
  const { request } = exchange.arrival;
  const { origin, 'sec-fetch-site': site } = request.headers;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const isOwnSite = site === undefined || site === 'same-origin' || (isRead && site === 'none');
  const isKnown = isRead || origin !== undefined || site !== undefined;
  if (!isOwnSite || !isKnown || !isOwn(exchange)) throw new HttpError('forbidden_origin');
}
