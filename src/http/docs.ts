import { readFile } from 'node:fs/promises';

import { once } from '../values/once.ts';
import { compressed, type EncodedFile, sendEncoded } from './encoded.ts';
import { bodyOf, type Sender } from './exchange.ts';
import { type HeaderList, jsonType } from './headers.ts';
import { llmsText } from './llms.ts';
import type { IsOwn } from './own-origins.ts';
import type { Page } from './router.ts';

const documentUrl = new URL('../../openapi.json', import.meta.url);
// This path is right from src/ and from dist/.
const scriptUrl = new URL('../../dist/reference/scalar.js', import.meta.url);

// The page may load and call nothing but this host, whatever the reference would like to.
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

// An open book.
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#2563eb" d="M8 4C6 2.5 3.5 2 1 2v10c2.5 0 5 .5 7 2 2-1.5 4.5-2 7-2V2c-2.5 0-5 .5-7 2z"/></svg>';

/**
 * Serves `/openapi.json` as committed but without spaces, `/docs`, Scalar's reference of it without foreign hosts, and
 * `/llms.txt`, an outline of it.
 */
export function docPages({ send }: Pick<Sender, 'send'>, isOwn: IsOwn, demoToken?: string): Page[] {
  const page = (path: string, caching: string, load: () => Promise<EncodedFile>, headers: HeaderList = []): Page => {
    const loaded = once(load);
    return {
      path,
      serve: async (exchange) => {
        exchange.caching = ['cache-control', caching];
        sendEncoded(send, exchange, await loaded(), headers);
      },
    };
  };
  const json = (path: string, load: () => Promise<string>) =>
    page(path, 'no-cache', async () => compressed(jsonType[1] ?? '', await load()));
  const safety = ['content-security-policy', contentSecurityPolicy];
  const html = (token?: string) =>
    page('/docs', 'no-cache', () => compressed('text/html; charset=utf-8', pageOfReference(token)), safety);
  const [reference, demo] = [html(), html(demoToken)];
  return [
    json('/openapi.json', async () => JSON.stringify(JSON.parse(await readFile(documentUrl, 'utf8')))),
    json('/docs/openapi.json', documentOfReference),
    page('/llms.txt', 'no-cache', async () =>
      compressed('text/plain; charset=utf-8', llmsText(await readFile(documentUrl, 'utf8'))),
    ),
    {
      path: '/docs',
      serve: async (exchange) => {
        const { request } = exchange.arrival;
        // The page loads its parts by relative paths.
        if (/^\/docs\/(\?|$)/.test(request.url ?? '')) return send(exchange, 308, ['location', '../docs']);
        // DNS rebinding: a page under a foreign host name could read the token.
        const isOfDemo = demoToken !== undefined && isOwn(request, exchange);
        return (isOfDemo ? demo : reference).serve(exchange);
      },
    },
    page('/docs/js/scalar.js', 'public, max-age=3600', scriptOfReference, safety),
    {
      path: '/',
      serve: async (exchange) => {
        // A person comes with a browser.
        const isPerson = exchange.arrival.request.headers.accept?.includes('text/html') === true;
        send(exchange, 302, ['location', isPerson ? '/console' : '/docs', ...jsonType], whereToGo);
      },
    },
    page('/favicon.ico', 'public, max-age=86400', () => compressed('image/svg+xml', icon)),
  ];
}

const whereToGo = bodyOf('{"status":"success","data":{"console":"/console","docs":"/docs","openapi":"/openapi.json"}}');

type Parameter = { in: string; required: boolean; example: unknown };

/** The document as Scalar reads it, which sends what has an example: here only what a request must have. */
async function documentOfReference(): Promise<string> {
  const document: unknown = JSON.parse(await readFile(documentUrl, 'utf8'), (_, value: unknown) =>
    isParameter(value) ? offered(value) : value,
  );
  return JSON.stringify(document);
}

// Inline, or in the components.
function isParameter(value: unknown): value is Parameter {
  return typeof value === 'object' && value !== null && 'in' in value && 'schema' in value;
}

function offered({ example, ...parameter }: Parameter): object {
  if (parameter.required) return { ...parameter, example };
  return { ...parameter, examples: { example: { value: example, 'x-disabled': true } } };
}

async function scriptOfReference(): Promise<EncodedFile> {
  return compressed('text/javascript; charset=utf-8', await readFile(scriptUrl));
}

/** Scalar's script renders the page in the browser from the configuration in it. */
function pageOfReference(token?: string): string {
  const configuration = {
    url: './docs/openapi.json',
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: 'never',
    authentication: {
      preferredSecurityScheme: 'apiKey',
      ...(token !== undefined && { securitySchemes: { apiKey: { token } } }),
    },
  };
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Roster API</title>
    <link rel="icon" href="./favicon.ico">
  </head>
  <body>
    <script id="api-reference" type="application/json" data-configuration='${JSON.stringify(configuration)}'></script>
    <script src="./docs/js/scalar.js"></script>
  </body>
</html>
`;
}
