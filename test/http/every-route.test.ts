import { METHODS } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

import inject from 'light-my-request';
import { beforeAll, describe, expect, it } from 'vitest';

import { withoutReferences } from '../../scripts/openapi-components.ts';
import { scopes } from '../../src/rights.ts';
import { appOfFile, openApp, type TestApp } from '../support/app.ts';
import { committed, document } from '../support/document.ts';
import { aContact, aMember, aProject } from '../support/people.ts';
import { storeWebhook } from '../support/webhooks.ts';

const paths = Object.entries(document.paths).map(([template, item]) => ({
  template,
  path: template.replace('{chatbotId}', 'bot').replaceAll(/\{\w+\}/g, 'one'),
  methods: Object.keys(item).map((method) => method.toUpperCase()),
}));
const operations = paths.flatMap(({ template, path }) =>
  Object.entries(document.paths[template] ?? {}).map(([method, operation]) => ({
    template,
    path,
    method: method.toUpperCase() as 'GET',
    ...operation,
  })),
);

/** A path with a name of its own may also be read as one with an id. */
function methodsOf(path: string, own: string[]): string[] {
  const others = paths.filter(({ template }) => new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path));
  return [...new Set([...own, ...others.flatMap(({ methods }) => methods)])];
}

const routes: (string | null)[] = [];
const server = appOfFile({}, { onAnswered: [({ route }) => routes.push(route)] });
/** A key of a project with one of each thing, and one of a project without any. */
let [token, emptyToken] = ['', ''];

beforeAll(async () => {
  const full = await aProject(server.store, {
    chatbotId: 'bot',
    contacts: [aContact({ id: 'one' })],
    members: [{ ...aMember(), id: 'one' }],
    scopes: [...scopes],
  });
  await storeWebhook(server.store, full.projectId, 'one');
  ({ token } = full);
  ({ token: emptyToken } = await aProject(server.store, { scopes: [...scopes] }));
});

it.each(operations)(
  '$operationId asks for a key, in the document as in fact, if it is under /v2 and accepts no invitation',
  async ({ template, path, method, security }) => {
    const isOpen = template === '/v2/invitations/accept';
    const isGuarded = template.startsWith('/v2/') && !isOpen;
    expect(security).toEqual(isGuarded ? [{ apiKey: expect.any(Array) }] : []);
    expect((await server.ask({ method, url: path })).status).toBe(isGuarded ? 401 : isOpen ? 422 : 200);
  },
);

describe.each(paths)('$template', ({ path, methods }) => {
  it.runIf(methods.includes('GET'))('answers HEAD like GET, without a body', async () => {
    const headers = { authorization: `Bearer ${token}`, 'x-request-id': 'same' };
    const get = await server.ask({ url: path, headers });
    const head = await server.ask({ method: 'HEAD', url: path, headers });
    expect([get.status, head.status, head.body]).toEqual([200, 200, '']);
    const { date: _, ...headersOfGet } = get.headers;
    expect(head.headers).toMatchObject(headersOfGet);
  });

  it('answers 405 with Allow to every other method, with or without a key', async () => {
    const allowed = methodsOf(path, methods).flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    const headers = { authorization: `Bearer ${token}` };
    // All methods on one path; CONNECT is answered before it is a request.
    const tried = path === '/v2/key' ? METHODS.filter((one) => one !== 'CONNECT') : ['GET', 'HEAD', 'POST', 'PUT'];
    const others = tried.filter((one) => !allowed.includes(one));
    for (const method of others) {
      for (const given of [{}, { headers }]) {
        const answer = await server.ask({ method, url: path, ...given });
        const code = method === 'HEAD' ? undefined : 'method_not_allowed';
        expect([method, answer.status, answer.json.code]).toEqual([method, 405, code]);
        expect(answer.headers['allow']?.split(', ').toSorted()).toEqual(allowed.toSorted());
      }
    }
  });

  it('answers the same with a slash at the end, by the same pattern, but not after two of them', async () => {
    const headers = { authorization: `Bearer ${emptyToken}`, 'x-request-id': 'same' };
    for (const method of methods as 'GET'[]) {
      const [plain, slashed] = [
        await server.ask({ method, url: path, headers }),
        await server.ask({ method, url: `${path}/?x=1`, headers }),
      ];
      expect([method, slashed.status, slashed.json.code]).toEqual([method, plain.status, plain.json.code]);
      expect(routes.at(-1)).toBe(routes.at(-2));
      expect((await server.ask({ method, url: `${path}//`, headers })).json.code).toBe('unknown_path');
    }
  });
});

/** Asks as `inject` does, for what is no text. */
async function inBytes({ app }: TestApp, url: string, headers: Record<string, string>) {
  const emit = (request: unknown, response: unknown) => void app.server.emit('request', request, response);
  const answer = await inject(emit, { url, headers: { host: 'roster.test', ...headers } });
  return {
    status: answer.statusCode,
    headers: answer.headers as Record<string, string | undefined>,
    bytes: answer.rawPayload,
  };
}

describe('the document', () => {
  it('is served as it is committed, without spaces', async () => {
    const { status, body, headers } = await server.get('/openapi.json');
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(body).toBe(JSON.stringify(committed));
  });

  it.each(['responses', 'headers', 'parameters'] as const)('has no two %s that are alike', (kind) => {
    const places = operations.flatMap(({ template, method }) => {
      const operation = committed.paths[template]?.[method.toLowerCase()] as unknown as Record<string, object>;
      const responses = Object.values(operation['responses'] ?? {}) as { headers?: object }[];
      const all = kind === 'headers' ? [...responses, ...Object.values(committed.components.responses)] : [operation];
      return all.flatMap((one) => Object.values((one as Record<string, object>)[kind] ?? {}) as object[]);
    });
    const own = places.filter((one) => !('$ref' in one));
    expect(places.length - own.length).toBeGreaterThan(30);
    const texts = [...own, ...Object.values(committed.components[kind])].map((one) => JSON.stringify(one));
    expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
  });

  it('has an example for every parameter', () => {
    const parameters = operations.flatMap((operation) => operation.parameters ?? []);
    expect(parameters.length).toBeGreaterThan(8);
    for (const one of parameters) expect(one).toHaveProperty('example');
  });

  it('names in each error the codes that it can have, and no code that nothing has', () => {
    const codesIn = (value: unknown) =>
      [...JSON.stringify(value).matchAll(/"code":\{"type":"string","enum":\[(.*?)\]/g)].flatMap(
        ([, list = '']) => JSON.parse(`[${list}]`) as string[],
      );
    const beforeOperations = ['unknown_path', 'method_not_allowed', 'payload_too_large', 'expectation_failed'];
    const possible = new Set([...codesIn(document.paths), ...beforeOperations]);
    expect(new Set(codesIn(document.components.schemas['Failure']))).toEqual(possible);
    const { responses } = document.paths['/v2/members']?.['get'] ?? {};
    expect([codesIn(responses?.['401']), codesIn(responses?.['422'])]).toEqual([
      ['unauthenticated'],
      ['validation_failed'],
    ]);
  });

  it('is what the routes say', async () => {
    const { buildDocument } = await import('../../scripts/openapi-document.ts');
    expect(buildDocument(), 'openapi.json is stale: npm run openapi').toEqual(committed);
  });
});

describe('/llms.txt', () => {
  it('tells in a few words, without a key, each operation with its scopes, how to send a key and where the document is', async () => {
    const { status, headers, body } = await server.get('/llms.txt');
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(Buffer.byteLength(body)).toBeLessThan(8_000);
    expect(body).toContain('Authorization: Bearer YOUR_API_KEY');
    expect(body).toContain('(/openapi.json)');
    const wanted = operations.map(({ method, template, summary, security }) => {
      const [{ apiKey } = { apiKey: ['no key'] }] = security;
      return `${method} ${template}: ${summary}; ${apiKey.join(', ') || 'any key'}`;
    });
    const lines = [...body.matchAll(/^- (.*)$/gm)].map(([, line = '']) => line);
    expect(lines.toSorted()).toEqual(wanted.toSorted());
  });
});

describe('/favicon.ico', () => {
  it('is a small picture that browsers keep, and the page names it', async () => {
    const icon = await server.get('/favicon.ico');
    expect([icon.status, icon.headers['content-type']]).toEqual([200, 'image/svg+xml']);
    expect(icon.headers['cache-control']).toBe('public, max-age=86400');
    expect(icon.body).toMatch(/^<svg .*<\/svg>$/);
    expect((await server.get('/docs')).body).toContain('./favicon.ico');
  });
});

describe('/docs', () => {
  it('is a page whose policy lets it load nothing from another host', async () => {
    const { headers } = await server.get('/docs');
    expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'; ");
  });

  it('sends of its own only what a request must have', async () => {
    expect((await server.get('/docs')).body).toContain('"url":"./docs/openapi.json"');
    const given = (await server.get('/docs/openapi.json')).json as unknown as typeof document;
    const shown = withoutReferences(given);
    const parametersOf = (one: typeof document) =>
      Object.values(one.paths).flatMap((item) => Object.values(item).flatMap(({ parameters = [] }) => parameters));
    expect(parametersOf(shown)).toEqual(
      parametersOf(document).map(({ example, ...one }) =>
        one.required ? { ...one, example } : { ...one, examples: { example: { value: example, 'x-disabled': true } } },
      ),
    );
    const [paths, components] = [Object.keys(document.paths), document.components.schemas];
    expect({ ...shown, paths, components: shown.components.schemas }).toEqual({ ...document, paths, components });
  });

  it('holds a key in a demonstration alone, and for its own names alone', async () => {
    const demoToken = 'rst_zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17';
    await using demo = await openApp({}, undefined, { demoToken });
    for (const host of ['roster.test', 'localhost:8080', '127.0.0.1']) {
      expect((await demo.get('/docs', undefined, { host })).body, host).toContain(demoToken);
    }
    const foreign = await demo.get('/docs', undefined, { host: 'evil.example' });
    expect([foreign.status, foreign.body]).toEqual([200, expect.not.stringMatching(/"token"|rst_/)]);
    expect((await server.get('/docs')).body).not.toMatch(/"token"|rst_/);
  });

  it.each(['/docs', '/docs/openapi.json', '/openapi.json'])(
    'has %s compressed where the caller takes that, with an ETag for each form',
    async (path) => {
      const ask = (headers: Record<string, string>) => inBytes(server, path, headers);
      const [plain, br, gzip] = await Promise.all(
        ['identity', 'gzip, deflate, br', 'gzip, br;q=0'].map((accepted) => ask({ 'accept-encoding': accepted })),
      );
      expect([plain, br, gzip].map((one) => one?.headers['content-encoding'])).toEqual([undefined, 'br', 'gzip']);
      expect(brotliDecompressSync(br?.bytes ?? '')).toEqual(plain?.bytes);
      expect(gunzipSync(gzip?.bytes ?? '')).toEqual(plain?.bytes);
      expect(br?.bytes.length).toBeLessThan((plain?.bytes.length ?? 0) / 1.5);
      const tags = [plain, br, gzip].map((one) => one?.headers['etag']);
      expect(new Set(tags).size).toBe(3);
      expect(plain?.headers['vary']).toContain('Accept-Encoding');
      const again = await ask({ 'accept-encoding': 'br', 'if-none-match': tags[1] ?? '' });
      expect([again.status, again.bytes.length, again.headers['etag']]).toEqual([304, 0, tags[1]]);
      const other = await ask({ 'accept-encoding': 'identity', 'if-none-match': tags[1] ?? '' });
      expect(other.status).toBe(200);
    },
  );
});
