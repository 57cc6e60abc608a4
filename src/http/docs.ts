import { once } from '../values/once.ts';
import { type EncodedFile, encodedFile, readEncoded, sendEncoded } from './encoded.ts';
import { type HeaderList, jsonType } from './headers.ts';
import type { IsOwn } from './own-origins.ts';
import { bodyOf } from './representation.ts';
import type { Endpoint } from './router.ts';

// `scripts/reference.ts` writes it. This path is right from src/ and from dist/.
const folder = new URL('../../dist/reference/', import.meta.url);

const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const safety = ['content-security-policy', contentSecurityPolicy];

const whereToGo = bodyOf('{"status":"success","data":{"console":"/console","docs":"/docs","openapi":"/openapi.json"}}');

/**
 * Serves `/openapi.json` as committed but without spaces, `/docs`, Scalar's reference of it without foreign hosts, and
 * `/llms.txt`, an outline of it.
 */
export function docPages(isOwn: IsOwn, demoToken?: string): Endpoint[] {
  const reference = readOnce('page.html');
  return [
    page('/openapi.json', 'openapi.json', 'no-cache'),
    page('/docs/openapi.json', 'page.json', 'no-cache'),
    page('/llms.txt', 'llms.txt', 'no-cache'),
    page('/docs/js/scalar.js', 'scalar.js', 'public, max-age=3600', safety),
    page('/favicon.ico', 'icon.svg', 'public, max-age=86400'),
    {
      path: '/docs',
      serve: async (exchange) => {
        // The page loads its parts by relative paths.
        if (/^\/docs\/(\?|$)/.test(exchange.url)) return exchange.send(308, ['location', '../docs']);
        // DNS rebinding: a page under a foreign host name could read the token.
        const isOfDemo = demoToken !== undefined && isOwn(exchange);
        const file = await reference();
        sendEncoded(exchange, isOfDemo ? withToken(file, demoToken) : file, 'no-cache', safety);
      },
    },
    {
      path: '/',
      serve: async (exchange) => {
        const isPerson = exchange.arrival.request.headers.accept?.includes('text/html') === true;
        exchange.send(302, ['location', isPerson ? '/console' : '/docs', ...jsonType], whereToGo);
      },
    },
  ];
}

function page(path: string, name: string, caching: string, headers: HeaderList = []): Endpoint {
  const file = readOnce(name);
  return { path, serve: async (exchange) => sendEncoded(exchange, await file(), caching, headers) };
}

function readOnce(name: string): () => Promise<EncodedFile> {
  return once(async () => readEncoded(folder, name));
}

function withToken({ type, plain }: EncodedFile, token: string): EncodedFile {
  const scheme = '"preferredSecurityScheme":"apiKey"';
  const withKey = `${scheme},"securitySchemes":${JSON.stringify({ apiKey: { token } })}`;
  return encodedFile(type, Buffer.from(plain.toString().replace(scheme, () => withKey)));
}
