import { readFile } from 'node:fs/promises';

import Fastify, { type FastifyInstance, type LightMyRequestResponse } from 'fastify';

type Page = Pick<LightMyRequestResponse, 'statusCode' | 'headers' | 'rawPayload'>;

const documentUrl = new URL('../../../openapi.json', import.meta.url);

// The page may load and call nothing but this host, whatever the reference would like to.
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** `/openapi.json` as committed, and `/docs`, Scalar's reference of it, served from here alone. */
export function registerDocs(app: FastifyInstance): void {
  let document: Promise<string> | undefined;
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    document ??= readFile(documentUrl, 'utf8').catch((error: unknown) => {
      document = undefined;
      throw error;
    });
    return reply
      .type('application/json; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(await document);
  });

  app.get('/docs/', { schema: { hide: true } }, async (_request, reply) => reply.redirect('../docs', 308));

  // Four megabytes that most processes are never asked for: loaded at the first question.
  let reference: Promise<FastifyInstance> | undefined;
  // Once for all who ask, of whom many may read slowly.
  const pages = new Map<string, Promise<Page>>();
  const pageOf = (inner: string) => {
    const page = pages.get(inner) ?? render(inner);
    pages.set(inner, page);
    page.catch(() => pages.delete(inner));
    return page;
  };
  const render = async (inner: string): Promise<Page> => {
    reference ??= buildReference().catch((error: unknown) => {
      reference = undefined;
      throw error;
    });
    return (await reference).inject({ method: 'GET', url: inner });
  };
  for (const [path, inner, caching] of [
    ['/docs', '/docs/', 'no-cache'],
    ['/docs/js/scalar.js', '/docs/js/scalar.js', 'public, max-age=3600'],
  ] as const) {
    app.get(path, { schema: { hide: true } }, async (_request, reply) => {
      const page = await pageOf(inner);
      return reply
        .code(page.statusCode)
        .type(page.headers['content-type']?.toString() ?? 'text/html; charset=utf-8')
        .headers({ 'cache-control': caching, 'content-security-policy': contentSecurityPolicy })
        .send(page.rawPayload);
    });
  }
}

async function buildReference(): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const app = Fastify();
  await app.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      // Relative to /docs, so that a proxy may put Roster below a path of its own.
      url: './openapi.json',
      cdn: './docs/js/scalar.js',
      pageTitle: 'Roster API',
      withDefaultFonts: false,
      telemetry: false,
      // Buttons that lead to Scalar's own services.
      agent: { disabled: true },
      mcp: { disabled: true },
      hideClientButton: true,
      showDeveloperTools: 'never',
      authentication: { preferredSecurityScheme: 'apiKey' },
    },
  });
  await app.ready();
  return app;
}
