import type { Store } from '../store.ts';
import { once } from '../values/once.ts';
import { addSeconds, formatTimestamp } from '../values/timestamp.ts';
import { type EncodedFile, readEncoded, sendEncoded } from './encoded.ts';
import { etagOf, type HeaderList, jsonType } from './headers.ts';
import type { IsOwn } from './origins.ts';
import type { Endpoint } from './router.ts';

// `scripts/reference.ts` writes it.
const folder = 'reference/';

const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const safety = ['content-security-policy', contentSecurityPolicy];

const whereToGo = '{"status":"success","data":{"console":"/console","docs":"/docs","openapi":"/openapi.json"}}';

export function healthPages(store: Pick<Store, 'ready'>): Endpoint[] {
  let asked: Promise<void> | undefined;
  // Probes are never shed, so those that come together share one question to the store.
  const ready = () => (asked ??= store.ready().finally(() => (asked = undefined)));
  return [
    { path: '/livez', serve: async (exchange) => exchange.sendData(200, { live: true }) },
    {
      path: '/readyz',
      serve: async (exchange) => {
        await ready();
        exchange.sendData(200, { ready: true });
      },
    },
  ];
}

export function docPages(isOwn: IsOwn, demoToken?: string): Endpoint[] {
  const reference = once(async () => readEncoded(`${folder}page.html`));
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
        await sendEncoded(exchange, isOfDemo ? await withToken(file, demoToken) : file, 'no-cache', safety);
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
  const file = once(async () => readEncoded(folder + name));
  return { path, serve: async (exchange) => sendEncoded(exchange, await file(), caching, headers) };
}

async function withToken({ type, plain: without }: EncodedFile, token: string): Promise<EncodedFile> {
  const scheme = '"preferredSecurityScheme":"apiKey"';
  const withKey = `${scheme},"securitySchemes":${JSON.stringify({ apiKey: { token } })}`;
  const plain = Buffer.from((await without()).toString().replace(scheme, () => withKey));
  return { type, plain: async () => plain, encoded: new Map(), etag: etagOf(plain) };
}

const validSeconds = 180 * 86_400;

export function securityPages(contact: string): Endpoint[] {
  const page: Endpoint = {
    path: '/.well-known/security.txt',
    serve: async (exchange) => {
      const expires = formatTimestamp(addSeconds(new Date(), validSeconds));
      const text = `Contact: ${contact}\nExpires: ${expires}\nPreferred-Languages: en\n`;
      exchange.send(200, ['content-type', 'text/plain; charset=utf-8'], text);
    },
  };
  return contact === '' ? [] : [page];
}
