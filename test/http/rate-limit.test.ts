import { afterEach, describe, expect, it, vi } from 'vitest';

import { networkOf } from '../../src/http/client-address.ts';
import { rateLimit } from '../../src/http/rate-limit.ts';
import { openApp } from '../support/app.ts';
import { aDesk } from '../support/full-desk.ts';
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
    const { ask } = await aDesk(server);
    const ids = Array.from({ length: 100 }, (_, i) => `c${i}`);
    for (const [body, left] of [
      [{ email: 'a@example.com' }, '299'],
      [{ ids: ids.slice(0, 25) }, '298'],
      [{ ids: ids.slice(0, 26) }, '296'],
      [{ ids }, '292'],
    ] as const) {
      expect((await ask('POST', '/lookup', body)).headers['x-ratelimit-remaining']).toBe(left);
    }
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

  it('counts what lacks the scope as well, and comes before the scope', async () => {
    await using server = await openApp({ rateLimit: 1 });
    const { token } = await aProject(server.store, { scopes: ['members:read'] });
    for (const right of [403, 429]) {
      const { status, headers } = await server.get('/v2/chatbots/x/contacts/y', token);
      expect([status, headers['x-ratelimit-remaining']]).toEqual([right, '0']);
    }
  });

  it('lets an address be refused sixty times a minute, without touching who has a key', async () => {
    await using server = await openApp({ rateLimit: 1_000 });
    const { token } = await aProject(server.store);
    // At once, and not all of them are refused.
    const answers = await Promise.all(Array.from({ length: 61 }, () => server.get('/v2/members')));
    expect(answers.map(({ status }) => status)).toEqual([...Array<number>(60).fill(401), 429]);
    const limited = await server.get('/v2/members', 'unknown-token-0000');
    expect([limited.status, limited.json.message]).toEqual([429, 'Too many requests']);
    expect(limited.headers['retry-after']).toMatch(/^\d+$/);
    expect((await server.get('/v2/members', token)).status).toBe(200);
  });

  it('switched off counts nothing and sets no header', async () => {
    await using server = await openApp({ rateLimit: 0 });
    const { token } = await aProject(server.store);
    for (let i = 0; i < 65; i++) expect((await server.get('/v2/members')).status).toBe(401);
    expect((await server.get('/v2/members', token)).headers).not.toHaveProperty('x-ratelimit-limit');
  });

  describe('counts the refused', () => {
    const [loopback, private10] = ['127.0.0.1/32', '10.0.0.0/8'];
    /** Who asks by way of which hops, how often, and the status in the end. */
    type Asked = [hops: string, times: number, status: number, remoteAddress?: string];

    it.each<[says: string, trustProxy: string[], ...Asked[]]>([
      [
        'by the address of a proxy only where it is trusted',
        [loopback],
        ['198.51.100.1', 60, 401],
        ['198.51.100.1', 1, 429],
        ['198.51.100.2', 1, 401],
        ['198.51.100.N', 60, 401, '192.0.2.9'],
        ['203.0.113.5', 1, 429, '192.0.2.9'],
      ],
      [
        'by the last address that is no trusted proxy, whatever a caller puts before it',
        [loopback, private10],
        ['203.0.113.N, 198.51.100.1, 10.1.2.3', 60, 401],
        ['198.51.100.1', 1, 429],
        ['198.51.100.1,10.9.9.9 , 10.1.2.3', 1, 429],
        ['198.51.100.1, 198.51.100.2', 1, 401],
      ],
      [
        'by a proxy that names a word which is no address',
        [loopback, private10],
        ['203.0.113.9, evilN', 60, 401],
        ['evil', 1, 429],
        ['1.2.3.4.5', 1, 429],
        ['evil, 10.1.2.3', 1, 401],
        ['198.51.100.1', 1, 401],
      ],
      [
        'by an address without its port',
        [loopback],
        ['198.51.100.1:100N', 60, 401],
        ['198.51.100.1', 1, 429],
        ['198.51.100.1:9', 1, 429],
        ['[2001:db8::1]:100N', 60, 401],
        ['2001:db8::2', 1, 429],
        ['[2001:db8::2]', 1, 429],
        ['[2001:db8::2]:9', 1, 429],
      ],
      [
        'by all of its /64 where it is IPv6',
        [],
        ['', 60, 401, '2001:db8:0:7:N::1'],
        ['', 1, 429, '2001:db8::7:ffff:ffff:ffff:ffff'],
        ['', 1, 401, '2001:db8:0:8::1'],
      ],
    ])('%s', async (_says, trustProxy, ...asked) => {
      await using server = await openApp({ rateLimit: 10, trustProxy });
      for (const [hops, times, status, address = '127.0.0.1'] of asked) {
        for (let n = 0; n < times; n++) {
          const [from, remoteAddress] = [hops, address].map((one) => one.replace('N', `${n}`));
          const headers = from === '' ? {} : { 'x-forwarded-for': from };
          const answer = await server.ask({ url: '/v2/members', remoteAddress: remoteAddress ?? '', headers });
          expect([from, remoteAddress, answer.status]).toEqual([from, remoteAddress, status]);
        }
      }
    });
  });

  it('knows a network by one name in every way to write it', () => {
    for (const [address, network] of [
      ['192.0.2.7', '192.0.2.7'],
      ['::ffff:192.0.2.7', '192.0.2.7'],
      ['::ffff:c000:207', '192.0.2.7'],
      ['::1', '0:0:0:0::/64'],
      ['2001:DB8:0:7:1:2:3:4', '2001:db8:0:7::/64'],
      ['2001:db8::7:1:2:3:4', '2001:db8:0:7::/64'],
      ['2001:0db8:0000:0007::', '2001:db8:0:7::/64'],
      ['2001:db8:1::', '2001:db8:1:0::/64'],
      ['fe80::1%eth0', 'fe80:0:0:0::/64'],
      ['::ffff:0:1.2.3.4', '0:0:0:0::/64'],
      ['unknown', 'unknown'],
      ['', ''],
    ] as const) {
      expect([address, networkOf(address)]).toEqual([address, network]);
    }
  });
});
