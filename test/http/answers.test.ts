import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { AppError } from '../../src/errors.ts';
import { buildApp } from '../../src/http/app.ts';
import { accessLog } from '../../src/observability/access-log.ts';
import type { Store } from '../../src/store.ts';
import { appOfFile, noLimit, openApp, portOf } from '../support/app.ts';
import { openStoreOfRun } from '../support/engines.ts';
import { aContact, aProject, storeContacts, vendorContactId } from '../support/people.ts';
import { exchange } from '../support/raw.ts';

const server = appOfFile();

it('every answer has its headers in the same order', async () => {
  const origin = 'https://app.example.com';
  await using server = await openApp({ rateLimit: 9, corsOrigins: [origin] });
  const { token } = await aProject(server.store);
  const orderOf = async (...given: [key?: string, headers?: Record<string, string>]) =>
    Object.keys((await server.get('/v2/members', ...given)).headers).join(' ');
  const standing = 'cache-control vary x-content-type-options x-request-id';
  const limits = 'x-ratelimit-limit x-ratelimit-remaining x-ratelimit-reset';
  const cors = 'access-control-allow-origin access-control-expose-headers';
  const ofNode = 'date connection';
  expect(await orderOf(token)).toContain(`${standing} ${limits} content-type etag content-length ${ofNode}`);
  expect(await orderOf(token, { origin })).toContain(`${standing} ${cors} ${limits} content-type etag content-length`);
  expect(await orderOf(token, { 'if-none-match': '*' })).toContain(`${standing} ${limits} etag ${ofNode}`);
  expect(await orderOf()).toContain(`${standing} content-type www-authenticate content-length ${ofNode}`);
});

describe('every answer', () => {
  it('carries a request id: the own one of the caller where it is harmless, else a new one', async () => {
    for (const id of ['a', 'A-b_c.9', 'x'.repeat(128)]) {
      expect((await server.get('/livez', undefined, { 'x-request-id': id })).headers['x-request-id']).toBe(id);
    }
    const ids = new Set<string | undefined>();
    for (const id of ['', 'x'.repeat(129), 'a b', 'a@b', 'é', '<x>', 'rst_zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17']) {
      const { headers } = await server.get('/nowhere', undefined, { 'x-request-id': id });
      expect(headers['x-request-id']).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
      ids.add(headers['x-request-id']);
    }
    expect(ids.size).toBe(7);
  });

  it('may be kept by nobody on the way', async () => {
    const { token } = await aProject(server.store);
    for (const path of ['/v2/members', '/v2/chatbots/x/contacts/y', '/v2/nowhere', '/v2/%zz', '/livez']) {
      const { headers } = await server.get(path, token);
      expect(headers).toMatchObject({ 'cache-control': 'private, no-store', vary: 'Authorization' });
    }
  });

  it('leads from / to the reference, a browser to the console, and says so to who does not follow', async () => {
    const { status, headers, json } = await server.get('/');
    expect([status, headers['location'], headers['cache-control']]).toEqual([302, '/docs', 'private, no-store']);
    expect(json).toEqual({ status: 'success', data: { console: '/console', docs: '/docs', openapi: '/openapi.json' } });
    const browser = await server.get('/', undefined, { accept: 'text/html,*/*' });
    expect([browser.status, browser.headers['location']]).toEqual([302, '/console']);
    expect((await server.get('/docs')).status).toBe(200);
    expect((await server.ask({ method: 'POST', url: '/' })).json.code).toBe('method_not_allowed');
  });
});

describe('an answer that the caller has already', () => {
  it('is 304 without a body, for a strong ETag that changes with the contact', async () => {
    const { token, projectId, chatbotId } = await aProject(server.store, { contacts: [aContact()] });
    const path = `/v2/chatbots/${chatbotId}/contacts/${vendorContactId}`;
    const { headers } = await server.get(path, token);
    const etag = headers['etag'] ?? '';
    expect(etag).toMatch(/^"\d{13}\.[\w-]{27}"$/);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await server.get(path, token, { 'if-none-match': known });
      expect([known, answer.status, answer.body, answer.headers['etag']]).toEqual([known, 304, '', etag]);
      expect(answer.headers['cache-control']).toBe('private, no-store');
    }
    for (const [known, status] of [
      [etag, 304],
      ['*', 304],
      ['"other"', 200],
    ] as const) {
      const head = await server.ask({
        method: 'HEAD',
        url: path,
        headers: { authorization: `Bearer ${token}`, 'if-none-match': known },
      });
      expect([known, head.status, head.body, head.headers['etag']]).toEqual([known, status, '', etag]);
      const get = await server.get(path, token, { 'if-none-match': known });
      expect(Object.keys(head.headers)).toEqual(Object.keys(get.headers));
    }
    await storeContacts(server.store, projectId, chatbotId, [aContact({ phone: null })]);
    const changed = await server.get(path, token, { 'if-none-match': etag });
    expect(changed.status).toBe(200);
    expect(changed.headers['etag']).not.toBe(etag);
  });

  it('is still refused without a valid key', async () => {
    expect((await server.get('/v2/members', undefined, { 'if-none-match': '*' })).status).toBe(401);
    expect((await server.get('/v2/members', 'unknown-token-0000', { 'if-none-match': '*' })).status).toBe(401);
  });
});

describe('a store that fails', () => {
  /** The server on a store that fails at the first question. */
  async function openFailing(error: Error) {
    const opened = await openStoreOfRun();
    const fail = () => Promise.reject(error);
    const { apiKeys } = opened.store;
    const store: Store = { ...opened.store, ready: fail, apiKeys: { ...apiKeys, findByHash: fail } };
    const { token } = await aProject(opened.store);
    const server = await openApp({}, store);
    return {
      get: (path: string) => server.get(path, token),
      [Symbol.asyncDispose]: async () => {
        await server[Symbol.asyncDispose]();
        await opened[Symbol.asyncDispose]();
      },
    };
  }

  it('is 503 with Retry-After when it is away', async () => {
    await using server = await openFailing(new AppError('unavailable', 'the disk is gone'));
    for (const path of ['/v2/members', '/readyz']) {
      const { status, headers, body } = await server.get(path);
      expect([path, status]).toEqual([path, 503]);
      expect(headers['retry-after']).toMatch(/^\d+$/);
      expect(body).not.toContain('disk');
    }
    expect((await server.get('/livez')).status).toBe(200);
  });

  it('is asked once for all probes that come meanwhile, and again for those after', async () => {
    const asked: PromiseWithResolvers<void>[] = [];
    const ready = () => {
      const question = Promise.withResolvers<void>();
      asked.push(question);
      return question.promise;
    };
    await using opened = await openStoreOfRun();
    await using server = await openApp({}, { ...opened.store, ready });
    const probes = Array.from({ length: 20 }, () => server.get('/readyz'));
    await expect.poll(() => asked.length).toBe(1);
    await sleep(100);
    expect(asked.length).toBe(1);
    asked[0]?.resolve();
    for (const { status } of await Promise.all(probes)) expect(status).toBe(200);
    const next = server.get('/readyz');
    await expect.poll(() => asked.length).toBe(2);
    asked[1]?.resolve();
    expect((await next).status).toBe(200);
  });

  it('is 500 that tells nothing when nobody foresaw it', async () => {
    await using server = await openFailing(new Error('secret ana@example.com at line 3'));
    const { status, json, body } = await server.get('/v2/members');
    expect([status, json.message]).toEqual([500, 'Internal error']);
    expect(body).not.toMatch(/secret|ana|line/);
  });
});

describe('the log', () => {
  it('has a line for every answer, those of the router and the parser included', async () => {
    await using opened = await openStoreOfRun();
    const lines: { msg: string; status?: number; request_id?: string }[] = [];
    const logAnswer = accessLog((line) => void lines.push(JSON.parse(line) as never));
    const app = buildApp(opened.store, noLimit, { onAnswered: [logAnswer] });
    const port = await portOf(app);
    const get = (path: string, header = 'X-A: b') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n`;
    for (const bytes of [get('/livez'), get('/%zz'), get('/nowhere'), get('/livez', 'Expect: foo'), 'FOO\r\n\r\n']) {
      await exchange(port, bytes);
    }
    await app.close();
    const answered = lines.filter(({ msg }) => msg === 'answered');
    expect(answered.map(({ status }) => status)).toEqual([200, 400, 404, 417, 400]);
    for (const { request_id } of answered) expect(request_id).toMatch(/^[\w-]{36}$/);
  });
});

describe('CORS', () => {
  const origin = 'https://app.example.com';
  const allowing = appOfFile({ corsOrigins: [origin] });
  const preflight = {
    origin,
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'authorization',
  };

  it('is off unless origins are allowed', async () => {
    const { token } = await aProject(server.store);
    expect((await server.ask({ method: 'OPTIONS', url: '/v2/members', headers: preflight })).status).toBe(405);
    expect((await server.get('/v2/members', token, { origin })).headers).not.toHaveProperty(
      'access-control-allow-origin',
    );
  });

  it('answers pre-flights of an allowed origin without a key, and shows it the headers', async () => {
    const { token } = await aProject(allowing.store);
    const answer = await allowing.ask({ method: 'OPTIONS', url: '/v2/members', headers: preflight });
    expect([answer.status, answer.body]).toEqual([204, '']);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, HEAD, POST',
      'access-control-allow-headers':
        'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id',
    });
    const { headers } = await allowing.get('/v2/members', token, { origin });
    expect(headers).toMatchObject({ 'access-control-allow-origin': origin, vary: 'Authorization, Origin' });
    const shown =
      'ETag Location Retry-After Idempotent-Replayed X-RateLimit-Limit X-RateLimit-Remaining X-RateLimit-Reset X-Request-Id';
    expect(headers['access-control-expose-headers']?.split(', ')).toEqual(expect.arrayContaining(shown.split(' ')));
  });

  it('names every method that a path has, and is 404 where there is no path', async () => {
    const ask = (url: string) => allowing.ask({ method: 'OPTIONS', url, headers: preflight });
    expect((await ask('/v2/webhooks/1/rotate')).headers['access-control-allow-methods']).toBe('POST');
    const { status, json, headers } = await ask('/v2/c');
    expect([status, json.code]).toEqual([404, 'unknown_path']);
    expect(headers['access-control-allow-origin']).toBe(origin);
  });

  it('lets an allowed origin read refusals as well', async () => {
    for (const [path, status] of [
      ['/nowhere', 404],
      ['/v2/members', 401],
      [`/${'x'.repeat(3_000)}`, 414],
    ] as const) {
      const answer = await allowing.get(path, undefined, { origin });
      expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([status, origin]);
      expect(answer.headers['vary']).toContain('Origin');
      expect(answer.headers['access-control-expose-headers']).toContain('X-Request-Id');
    }
  });

  it('shows nothing to another origin', async () => {
    const { token } = await aProject(allowing.store);
    const other = 'https://evil.example.com';
    expect(
      (await allowing.get('/v2/members', token, { origin: other })).headers['access-control-allow-origin'],
    ).not.toBe(other);
    expect((await allowing.ask({ method: 'OPTIONS', url: '/v2/members' })).status).toBe(405);
    expect((await allowing.ask({ method: 'OPTIONS', url: '/nowhere' })).json.status).toBe('error');
  });
});
