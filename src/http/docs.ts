import { readFile } from 'node:fs/promises';

import type { FastifyInstance } from 'fastify';

import { once } from '../values/once.ts';
import { type Body, bodyOf, type Sender } from './exchange.ts';
import { type HeaderList, jsonType } from './headers.ts';
import type { Page } from './router.ts';

const documentUrl = new URL('../../openapi.json', import.meta.url);

// The page may load and call nothing but this host, whatever the reference would like to.
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

// An open book.
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#2563eb" d="M8 4C6 2.5 3.5 2 1 2v10c2.5 0 5 .5 7 2 2-1.5 4.5-2 7-2V2c-2.5 0-5 .5-7 2z"/></svg>';

interface Asset {
  caching: string;
  headers: HeaderList;
  body: Body;
}

/** `/openapi.json` as committed, and `/docs`, Scalar's reference of it, served from here alone. */
export function docPages({ send }: Pick<Sender, 'send'>, demoToken?: string): Page[] {
  const built = once(() => buildReference(demoToken));
  const page = (path: string, load: () => Promise<Asset>): Page => {
    // Four megabytes are read slowly by many.
    const loaded = once(load);
    return {
      path,
      serve: async (exchange) => {
        // What the page loads is named relative to it.
        if (path === '/docs' && /^\/docs\/(\?|$)/.test(exchange.arrival.request.url ?? ''))
          return send(exchange, 308, ['location', '../docs']);
        const { caching, headers, body } = await loaded();
        exchange.caching = ['cache-control', caching];
        send(exchange, 200, headers, body);
      },
    };
  };
  const json = (path: string, load: () => Promise<string>) =>
    page(path, async () => ({ caching: 'no-cache', headers: jsonType, body: bodyOf(await load()) }));
  return [
    json('/openapi.json', () => readFile(documentUrl, 'utf8')),
    json('/docs/openapi.json', documentOfReference),
    page('/docs', async () => reference(await built(), '/docs/', 'no-cache')),
    page('/docs/js/scalar.js', async () => reference(await built(), '/docs/js/scalar.js', 'public, max-age=3600')),
    {
      path: '/',
      serve: async (exchange) => {
        // A person comes with a browser.
        const isPerson = exchange.arrival.request.headers.accept?.includes('text/html') === true;
        send(exchange, 302, ['location', isPerson ? '/console' : '/docs', ...jsonType], whereToGo);
      },
    },
    page('/favicon.ico', async () => ({
      caching: 'public, max-age=86400',
      headers: ['content-type', 'image/svg+xml'],
      body: bodyOf(icon),
    })),
  ];
}

const whereToGo = bodyOf('{"status":"success","data":{"console":"/console","docs":"/docs","openapi":"/openapi.json"}}');

type Parameter = { required: boolean; example: unknown };

/** The document as Scalar reads it, which sends what has an example: here only what a request must have. */
async function documentOfReference(): Promise<string> {
  const document: unknown = JSON.parse(await readFile(documentUrl, 'utf8'), (name, value: unknown) =>
    name === 'parameters' ? (value as Parameter[]).map(offered) : value,
  );
  return JSON.stringify(document);
}

function offered({ example, ...parameter }: Parameter): object {
  if (parameter.required) return { ...parameter, example };
  return { ...parameter, examples: { example: { value: example, 'x-disabled': true } } };
}

// Scalar brings its page as a plugin of Fastify. Both are loaded when the page is first asked for.
async function reference(app: FastifyInstance, path: string, caching: string): Promise<Asset> {
  const { headers, rawPayload, statusCode } = await app.inject({ method: 'GET', url: path });
  if (statusCode !== 200) throw new Error(`the reference answered ${statusCode}`);
  return {
    caching,
    headers: ['content-type', String(headers['content-type']), 'content-security-policy', contentSecurityPolicy],
    body: { text: rawPayload, bytes: rawPayload.length, encoding: 'latin1' },
  };
}

async function buildReference(token: string | undefined): Promise<FastifyInstance> {
  const [{ default: Fastify }, { default: scalar }] = await Promise.all([
    import('fastify'),
    import('@scalar/fastify-api-reference'),
  ]);
  const app = Fastify();
  await app.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: './docs/openapi.json',
      cdn: './docs/js/scalar.js',
      pageTitle: 'Roster API',
      favicon: './favicon.ico',
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
    },
  });
  await app.ready();
  return app;
}
