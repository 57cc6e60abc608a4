import { afterEach, describe, expect, it, vi } from 'vitest';

import { rateLimit } from '../../src/http/rate-limit.ts';
import { openApp } from '../support/app.ts';
import { aProject, createApiKey } from '../support/people.ts';

const a = { id: 'a', projectId: 'p' };

describe('a window', () => {
  afterEach(() => void vi.useRealTimers());

  it('ends after a minute though the clock is set back', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: 7_200_000 });
    const limit = rateLimit({ perMinute: 1, ofProject: 0 });
    expect((await limit(a)).isAllowed).toBe(true);
    vi.setSystemTime(0);
    expect(await limit(a)).toMatchObject({ isAllowed: false, retryAfterSeconds: 60 });
    expect((await limit(a)).headers.slice(4)).toEqual(['x-ratelimit-reset', '60']);
    vi.advanceTimersByTime(60_000);
    expect((await limit(a)).isAllowed).toBe(true);
  });

  it('takes the rest of a request while something was left before it, and then nothing is left', async () => {
    const limit = rateLimit({ perMinute: 10, ofProject: 0 });
    const counted = [await limit(a), await limit(a), await limit(a, 20), await limit(a, 1)];
    expect(counted.map(({ isAllowed, headers }) => [isAllowed, headers[3]])).toEqual([
      [true, '9'],
      [true, '8'],
      [true, '0'],
      [false, '0'],
    ]);
  });
});

describe('the rate limit', () => {
  it('counts down for each key on every answer to it, and then says 429 to the letter', async () => {
    await using server = await openApp({ rateLimit: 3 });
    const { token } = await aProject(server.store);
    const other = await aProject(server.store);
    const before = Math.floor(Date.now() / 1000);
    for (const [index, path] of ['/v2/members', '/v2/members?page=0', '/v2/chatbots/x/contacts/y'].entries()) {
      const { headers } = await server.get(path, token);
      expect([headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']]).toEqual(['3', String(2 - index)]);
      const reset = Number(headers['x-ratelimit-reset']);
      expect(reset).toBeGreaterThan(before + 50);
      expect(reset).toBeLessThanOrEqual(before + 62);
    }
    const { status, json, headers } = await server.get('/v2/members', token);
    expect([status, json.status, json.message]).toEqual([429, 'error', 'Too many requests']);
    expect(headers).toMatchObject({ 'x-ratelimit-limit': '3', 'x-ratelimit-remaining': '0' });
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
    expect((await server.get('/v2/members', other.token)).status).toBe(200);
  });

  it('counts a look-up of ids as one for every twenty-five', async () => {
    await using server = await openApp({ rateLimit: 300 });
    const { token, chatbotId } = await aProject(server.store, { scopes: ['contacts:read'] });
    const left = async (body: object) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const url = `/v2/chatbots/${chatbotId}/contacts/lookup`;
      const answer = await server.ask({ method: 'POST', url, headers, payload: JSON.stringify(body) });
      return answer.headers['x-ratelimit-remaining'];
    };
    const ids = Array.from({ length: 100 }, (_, i) => `c${i}`);
    expect(await left({ email: 'a@example.com' })).toBe('299');
    expect(await left({ ids: ids.slice(0, 25) })).toBe('298');
    expect(await left({ ids: ids.slice(0, 26) })).toBe('296');
    expect(await left({ ids })).toBe('292');
  });

  it('counts all keys of a project together, at four times that of a key, and tells the tighter of the two', async () => {
    await using server = await openApp({ rateLimit: 2 });
    const { token, projectId } = await aProject(server.store);
    const other = await aProject(server.store);
    const tokens = [token];
    for (let i = 0; i < 4; i++) tokens.push((await createApiKey(server.store, projectId, { name: 'another' })).token);
    const told: unknown[] = [];
    for (const one of tokens.flatMap((each) => [each, each, each])) {
      const { status, headers } = await server.get('/v2/members', one);
      told.push([status, headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']]);
    }
    // What a key asks beyond its own limit is not counted for the project.
    const ofKey = [
      [200, '2', '1'],
      [200, '2', '0'],
      [429, '2', '0'],
    ];
    const over = Array.from({ length: 3 }, () => [429, '8', '0']);
    expect(told).toEqual([...ofKey, ...ofKey, ...ofKey, ...ofKey, ...over.slice(0, 2), [429, '2', '0']]);
    expect((await server.get('/v2/members', other.token)).status).toBe(200);
  });

  it.each([
    [{ rateLimit: 5, projectRateLimit: 3 }, [200, 200, 200, 429], '3'],
    [{ rateLimit: 5, projectRateLimit: 0 }, [200, 200, 200, 200], '5'],
    [{ rateLimit: 0, projectRateLimit: 3 }, [200, 200, 200, 200], undefined],
  ])('of a project can be chosen, or switched off: %j', async (settings, statuses, limit) => {
    await using server = await openApp(settings);
    const { token } = await aProject(server.store);
    const answers = [];
    for (let i = 0; i < statuses.length; i++) answers.push(await server.get('/v2/members', token));
    expect(answers.map(({ status }) => status)).toEqual(statuses);
    expect(answers.at(-1)?.headers['x-ratelimit-limit']).toBe(limit);
  });

  it('counts what lacks the scope as well', async () => {
    await using server = await openApp({ rateLimit: 300 });
    const { token } = await aProject(server.store, { scopes: ['members:read'] });
    const { status, headers } = await server.get('/v2/chatbots/x/contacts/y', token);
    expect([status, headers['x-ratelimit-remaining']]).toEqual([403, '299']);
  });

  it('lets an address be refused sixty times a minute, without touching who has a key', async () => {
    await using server = await openApp({ rateLimit: 1_000 });
    const { token } = await aProject(server.store);
    const statuses: number[] = [];
    for (let i = 0; i < 62; i++) statuses.push((await server.get('/v2/members')).status);
    expect(statuses).toEqual([...Array<number>(60).fill(401), 429, 429]);
    const limited = await server.get('/v2/members', 'unknown-token-0000');
    expect([limited.status, limited.json.message]).toEqual([429, 'Too many requests']);
    expect(limited.headers['retry-after']).toMatch(/^\d+$/);
    expect((await server.get('/v2/members', token)).status).toBe(200);
    const elsewhere = await server.ask({ url: '/v2/members', remoteAddress: '192.0.2.7' });
    expect(elsewhere.status).toBe(401);
  });

  it('refuses the sixty-first of those that come at once, and not all of them', async () => {
    await using server = await openApp({ rateLimit: 1_000 });
    const answers = await Promise.all(Array.from({ length: 61 }, () => server.get('/v2/members')));
    expect(answers.map(({ status }) => status)).toEqual([...Array<number>(60).fill(401), 429]);
  });

  it('switched off counts nothing and sets no header', async () => {
    await using server = await openApp({ rateLimit: 0 });
    const { token } = await aProject(server.store);
    for (let i = 0; i < 65; i++) expect((await server.get('/v2/members')).status).toBe(401);
    expect((await server.get('/v2/members', token)).headers).not.toHaveProperty('x-ratelimit-limit');
  });

  it('takes the address from a proxy only where it is trusted', async () => {
    await using server = await openApp({ rateLimit: 10, trustProxy: ['127.0.0.1/32'] });
    const from = (address: string, remoteAddress: string) =>
      server.ask({ url: '/v2/members', remoteAddress, headers: { 'x-forwarded-for': address } });
    for (let i = 0; i < 60; i++) await from('198.51.100.1', '127.0.0.1');
    expect((await from('198.51.100.1', '127.0.0.1')).status).toBe(429);
    expect((await from('198.51.100.2', '127.0.0.1')).status).toBe(401);
    for (let i = 0; i < 60; i++) await from(`198.51.100.${i}`, '192.0.2.9');
    expect((await from('203.0.113.5', '192.0.2.9')).status).toBe(429);
  });

  it('takes the last address that is no trusted proxy, whatever a caller puts before it', async () => {
    await using server = await openApp({ rateLimit: 10, trustProxy: ['127.0.0.1/32', '10.0.0.0/8'] });
    const from = async (hops: string) =>
      (
        await server.ask({
          url: '/v2/members',
          remoteAddress: '127.0.0.1',
          headers: { 'x-forwarded-for': hops },
        })
      ).status;
    for (let i = 0; i < 60; i++) expect(await from(`203.0.113.${i}, 198.51.100.1, 10.1.2.3`)).toBe(401);
    expect(await from('198.51.100.1')).toBe(429);
    expect(await from('198.51.100.1,10.9.9.9 , 10.1.2.3')).toBe(429);
    expect(await from('198.51.100.1, 198.51.100.2')).toBe(401);
  });

  it('counts a word that is no address as the proxy that names it', async () => {
    await using server = await openApp({ rateLimit: 10, trustProxy: ['127.0.0.1/32', '10.0.0.0/8'] });
    const from = async (hops: string) => {
      const headers = { 'x-forwarded-for': hops };
      return (await server.ask({ url: '/v2/members', remoteAddress: '127.0.0.1', headers })).status;
    };
    for (let i = 0; i < 60; i++) expect(await from(`203.0.113.9, evil${i}`)).toBe(401);
    expect(await from('evil')).toBe(429);
    expect(await from('1.2.3.4.5')).toBe(429);
    expect(await from('evil, 10.1.2.3')).toBe(401);
    expect(await from('198.51.100.1')).toBe(401);
  });

  it('takes no port for a part of the address', async () => {
    await using server = await openApp({ rateLimit: 10, trustProxy: ['127.0.0.1/32'] });
    const from = async (hop: string) => {
      const headers = { 'x-forwarded-for': hop };
      return (await server.ask({ url: '/v2/members', remoteAddress: '127.0.0.1', headers })).status;
    };
    for (let i = 0; i < 60; i++) {
      expect(await from(`198.51.100.1:${1_000 + i}`)).toBe(401);
      expect(await from(`[2001:db8::1]:${1_000 + i}`)).toBe(401);
    }
    for (const hop of ['198.51.100.1', '198.51.100.1:9', '2001:db8::2', '[2001:db8::2]', '[2001:db8::2]:9']) {
      expect([hop, await from(hop)]).toEqual([hop, 429]);
    }
  });
});
