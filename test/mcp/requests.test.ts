import { request } from 'node:http';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { AppError } from '../../src/errors.ts';
import type { Answered } from '../../src/observability/access-log.ts';
import { scopes } from '../../src/rights.ts';
import type { Store } from '../../src/store.ts';
import { eventsOf } from '../support/events.ts';
import { call, openMcp } from '../support/mcp.ts';
import { aContact, aProject, vendorContactId } from '../support/people.ts';

const answered: Answered[] = [];
let service: Awaited<ReturnType<typeof openMcp>>;
let token: string;
let ids: { projectId: string; chatbotId: string };
beforeAll(async () => {
  const settings = {
    publicUrl: 'https://people.example.com/roster',
    corsOrigins: ['https://app.example.com'],
    host: 'desk',
  };
  service = await openMcp(settings, { onAnswered: [(one) => answered.push(one)] });
  const made = await aProject(service.store, { scopes: [...scopes], contacts: [aContact()] });
  ({ token } = made);
  ids = made;
});
afterAll(() => service[Symbol.asyncDispose]());

const revision = '2026-07-28';
const meta = {
  'io.modelcontextprotocol/protocolVersion': revision,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const message = (method: string, params: object = {}) => ({
  jsonrpc: '2.0',
  id: ' 7 ',
  method,
  params: { ...params, _meta: meta },
});

interface Asked {
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
  key?: string | null;
}

/** With Host and Origin as they are given, which fetch would not send. */
function ask({ method = 'POST', body = message('tools/list'), headers = {}, key = token }: Asked = {}) {
  const sent = typeof body === 'string' ? body : JSON.stringify(body);
  const named = (body as { method?: string }).method;
  return new Promise<{ status: number; headers: Record<string, unknown>; text: string }>((resolve, reject) => {
    const asked = request(
      {
        port: service.port,
        host: '127.0.0.1',
        path: '/mcp',
        method,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': revision,
          ...(named !== undefined && { 'mcp-method': named }),
          ...(key !== null && { authorization: `Bearer ${key}` }),
          ...headers,
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.once('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      },
    );
    asked.once('error', reject);
    asked.end(method === 'POST' ? sent : undefined);
  });
}
const codeOf = ({ status, text }: { status: number; text: string }) => {
  const { code, error } = JSON.parse(text) as { code?: string; error?: { code: number } };
  return [status, code ?? error?.code];
};

describe('POST /mcp', () => {
  it('answers for the one caller alone, and is kept by nobody', async () => {
    const { status, headers, text } = await ask();
    expect([status, JSON.parse(text)]).toMatchObject([200, { id: ' 7 ', result: { tools: expect.any(Array) } }]);
    expect(headers).toMatchObject({
      'cache-control': 'private, no-store',
      vary: 'Authorization',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
      'content-type': expect.stringMatching(/^application\/json/),
    });
  });

  it('is logged and counted as /mcp, with the key and without a word of the message', async () => {
    answered.length = 0;
    const requestId = 'a-request-of-mcp';
    await ask({ headers: { 'x-request-id': requestId } });
    expect(answered).toEqual([
      expect.objectContaining({ requestId, method: 'POST', route: '/mcp', status: 200, projectId: ids.projectId }),
    ]);
  });

  it('records the request in the event of a write', async () => {
    const args = {
      chatbot_id: ids.chatbotId,
      contact_id: vendorContactId,
      properties: { city: 'Faro' },
      confirm: true,
    };
    const body = message('tools/call', { name: 'update_person', arguments: args });
    const headers = { 'x-request-id': 'a-write-of-mcp', 'mcp-name': 'update_person' };
    expect((await ask({ body, headers })).status).toBe(200);
    const [last] = (await eventsOf(service.store, ids.projectId)).slice(-1);
    expect(last).toMatchObject({ type: 'contact.updated', request_id: 'a-write-of-mcp', actor: { type: 'key' } });
  });

  it.each([
    ['no key', null, 'Bearer realm="roster"'],
    ['an unknown key', 'rst_nobody-has-this-key-0000', 'Bearer realm="roster", error="invalid_token"'],
  ])('is 401 for %s, before anything is read', async (_, key, challenge) => {
    const refused = await ask({ key, body: 'no JSON', headers: { host: 'evil.example' } });
    expect(codeOf(refused)).toEqual([401, 'unauthenticated']);
    expect(refused.headers['www-authenticate']).toBe(challenge);
  });

  it.each(['GET', 'DELETE', 'PUT', 'HEAD'])('is 405 for %s, as there is no session', async (method) => {
    const { status, headers } = await ask({ method });
    expect([status, headers['allow']]).toEqual([405, 'POST']);
  });

  it.each([
    ['no JSON', 'no JSON', 400, 'malformed_request'],
    ['a batch', '[]', 400, 'malformed_request'],
    ['a message of another kind', { hello: 'there' }, 400, -32_600],
    ['a method that is not offered', message('resources/list'), 404, -32_601],
    ['subscriptions, as nothing changes', message('subscriptions/listen', { notifications: {} }), 404, -32_601],
  ])('refuses %s', async (_, body, status, code) => {
    expect(codeOf(await ask({ body }))).toEqual([status, code]);
  });

  it('refuses another content type, and a body over 256 KiB', async () => {
    expect(codeOf(await ask({ headers: { 'content-type': 'text/plain' } }))).toEqual([415, 'unsupported_media_type']);
    const body = message('tools/call', { name: 'list_chatbots', arguments: { x: 'x'.repeat(262_144) } });
    expect(codeOf(await ask({ body }))).toEqual([413, 'payload_too_large']);
  });

  it('refuses a revision that it does not serve, and names those it does', async () => {
    const body = message('tools/list');
    const params = { _meta: { ...meta, 'io.modelcontextprotocol/protocolVersion': '2030-01-01' } };
    const { status, text } = await ask({
      body: { ...body, params },
      headers: { 'mcp-protocol-version': '2030-01-01' },
    });
    expect([status, text]).toEqual([400, expect.stringContaining(`"supported":["${revision}"]`)]);
  });
});

describe('the host and the origin of a call', () => {
  it.each([
    ['the loopback by name', { host: 'localhost:8080' }, 200],
    ['the loopback by IPv6', { host: '[::1]:8080' }, 200],
    ['the name that it listens at', { host: 'desk' }, 200],
    ['the host of the public URL', { host: 'PEOPLE.example.com' }, 200],
    ['another name', { host: 'evil.example' }, 403],
    ['a name that begins like it', { host: 'localhost.evil.example' }, 403],
    ['another address', { host: '192.0.2.7:8080' }, 403],
    ['a page of its own', { host: 'localhost:8080', origin: 'http://localhost:8080' }, 200],
    ['a page of the public URL, behind a proxy', { host: '127.0.0.1', origin: 'https://people.example.com' }, 200],
    ['an allowed page', { host: 'localhost', origin: 'https://app.example.com' }, 200],
    ['a page of another port', { host: 'localhost:8080', origin: 'http://localhost:3000' }, 403],
    ['a foreign page', { host: 'localhost', origin: 'https://evil.example' }, 403],
    ['a page without an origin', { host: 'localhost', origin: 'null' }, 403],
    ['a foreign page of its own name', { host: 'evil.example', origin: 'http://evil.example' }, 403],
  ])('are right for %s', async (_, headers, status) => {
    const answer = await ask({ headers });
    expect(answer.status).toBe(status);
    if (status === 403) expect(codeOf(answer)).toEqual([403, 'forbidden_origin']);
  });

  it('lets a page of an allowed origin send the headers of the protocol', async () => {
    const headers = { origin: 'https://app.example.com', 'access-control-request-method': 'POST' };
    const preflight = await ask({ method: 'OPTIONS', headers });
    expect([preflight.status, preflight.headers['access-control-allow-methods']]).toEqual([204, 'POST']);
    expect(preflight.headers['access-control-allow-headers']).toMatch(/Authorization.*Mcp-Protocol-Version/);
  });
});

describe('the limit of a key', () => {
  it('counts each request to /mcp as one of /v2, and tells when to come back', async () => {
    await using limited = await openMcp({ rateLimit: 4 });
    const { token: key, chatbotId } = await aProject(limited.store, { scopes: [...scopes] });
    const client = await limited.connect(key);
    const headers = { authorization: `Bearer ${key}` };
    await call(client, 'list_chatbots');
    const left = async () => {
      const { status, headers: of } = await fetch(new URL('/v2/members', limited.url), { headers });
      return [status, of.get('x-ratelimit-remaining')];
    };
    // To connect is a request, and so is a list that the client asks for first.
    const [status, remaining] = await left();
    expect(status).toBe(200);
    for (let n = Number(remaining); n > 0; n--) await left();
    const refused = await fetch(limited.url, { method: 'POST', headers, body: '{}' });
    expect([refused.status, await refused.json()]).toMatchObject([429, { message: 'Too many requests' }]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await expect(call(client, 'find_people', { chatbot_id: chatbotId })).rejects.toThrow();
  });
});

describe('a call that fails for no fault of the caller', () => {
  it.each([
    ['unavailable', new AppError('unavailable', 'The file roster.db cannot be read.'), 'nothing was stored'],
    ['internal', new TypeError('ana@example.com is not a function'), 'unexpected reason'],
  ])('is told as %s, without the cause, which the log has', async (code, error, sentence) => {
    const logged: unknown[] = [];
    const log = { debug() {}, info() {}, warn() {}, error: (...args: unknown[]) => void logged.push(args) };
    const broken = (store: Store): Store => ({
      ...store,
      chatbots: { ...store.chatbots, after: () => Promise.reject(error) },
    });
    await using failing = await openMcp({}, { log }, broken);
    const { token: key } = await aProject(failing.store, { scopes: [...scopes] });
    const { isError, text } = await call(await failing.connect(key), 'list_chatbots');
    expect([isError, text.split(':')[0]]).toEqual([true, `Error ${code}`]);
    expect(text).toContain(sentence);
    expect(text).not.toMatch(/roster\.db|ana@/);
    expect(logged).toHaveLength(1);
  });
});
