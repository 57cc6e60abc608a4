import { describe, expect, it, vi } from 'vitest';

import { openSharedCounts } from '../../src/http/shared-rate-limit.ts';
import { openApp, type TestAnswer } from '../support/app.ts';
import { engines } from '../support/engines.ts';
import { aProject } from '../support/people.ts';
import { aRedis } from '../support/redis.ts';

const limitHeaders = ({ headers }: TestAnswer) => [headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']];

/** Two apps on one store and one Redis, a key, and what was logged about the Redis. */
async function twoApps(url: string, rateLimit: number) {
  await using undo = new AsyncDisposableStack();
  const { store } = undo.use(await engines[0].open());
  const logged: { level: string; line: string }[] = [];
  const logger = (level: string) => (object: unknown, message?: string) =>
    void logged.push({ level, line: JSON.stringify([object, message]) });
  const log = { warn: logger('warn'), info: logger('info') };
  const open = async () => {
    const sharedCounts = undo.use(await openSharedCounts(url, log, 200));
    return { ...undo.use(await openApp({ rateLimit }, store, { sharedCounts })), sharedCounts };
  };
  const apps = [await open(), await open()] as const;
  const { token, keyId } = await aProject(store);
  const ask = (app: 0 | 1) => apps[app].get('/v2/members', token);
  const isShared = () => apps.map(({ sharedCounts }) => sharedCounts.isShared());
  const levels = () => logged.map(({ level }) => level);
  const owned = undo.move();
  return {
    apps,
    store,
    token,
    keyId,
    ask,
    isShared,
    levels,
    logged,
    untilShared: () => vi.waitUntil(() => isShared().every(Boolean), { timeout: 5_000, interval: 20 }),
    fallbacks: () => apps.map(({ sharedCounts }) => sharedCounts.fallbacks()),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

describe('the rate limit in Redis', () => {
  it('counts down in one window for a key, whichever process answers', async () => {
    await using redis = await aRedis();
    await using two = await twoApps(redis.url, 3);
    const before = Math.floor(Date.now() / 1000);
    const answers = [await two.ask(0), await two.ask(1), await two.ask(0), await two.ask(1)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(answers.map(limitHeaders)).toEqual(['2', '1', '0', '0'].map((left) => ['3', left]));
    for (const { headers } of answers) {
      expect(Number(headers['x-ratelimit-reset'])).toBeGreaterThan(before + 50);
      expect(Number(headers['x-ratelimit-reset'])).toBeLessThanOrEqual(before + 62);
    }
    expect(answers[3]?.headers['retry-after']).toMatch(/^([1-5]?\d|60)$/);
    const other = await aProject(two.store);
    expect(limitHeaders(await two.apps[1].get('/v2/members', other.token))).toEqual(['3', '2']);
    expect([two.isShared(), two.fallbacks(), two.levels()]).toEqual([[true, true], [0, 0], []]);
  });

  it('counts keys, projects and addresses there, and keeps no address and no token', async () => {
    await using redis = await aRedis();
    await using two = await twoApps(redis.url, 100);
    await two.ask(0);
    for (const remoteAddress of ['192.0.2.7', '2001:db8::7'])
      await two.apps[0].ask({ url: '/v2/members', remoteAddress });
    const keys = (await redis.keys()).filter((key) => key !== 'roster:probe');
    expect(keys).toHaveLength(4);
    expect(keys).toContain(`roster:key:${two.keyId}`);
    for (const key of keys) expect(key).toMatch(/^roster:((key|project):[\w-]+|address:[\w-]{22})$/);
    expect(keys.join()).not.toContain(two.token.slice(4, 20));
  });
});

describe('a Redis that hangs', () => {
  it('is waited for once, for a tenth of a second, and not by each request', async () => {
    await using redis = await aRedis();
    await using two = await twoApps(redis.url, 1_000);
    await two.untilShared();
    redis.hang();
    const durations: number[] = [];
    for (let i = 0; i < 41; i++) {
      const start = performance.now();
      expect((await two.ask(0)).status).toBe(200);
      durations.push(performance.now() - start);
    }
    expect(durations[0]).toBeGreaterThan(70);
    // The middle one, as a busy machine may hold up a few of them.
    expect(durations.toSorted((a, b) => a - b)[20]).toBeLessThan(70);
    expect(two.levels()).toEqual(['warn']);
    redis.resume();
    await two.untilShared();
    expect(two.levels()).toEqual(['warn', 'info']);
  });
});

// Not beside the others: on a busy machine the time to connect would end before the refusal is read.
describe('a Redis that was never there', () => {
  it('is taken up when it comes', async () => {
    await using redis = await aRedis({ isThere: false });
    await using two = await twoApps(redis.url, 5);
    expect((await two.ask(0)).status).toBe(200);
    expect([two.isShared(), two.levels()]).toEqual([
      [false, false],
      ['warn', 'warn'],
    ]);
    expect(two.logged[0]?.line).toContain('"reason":"ECONNREFUSED"');
    await redis.start();
    await two.untilShared();
  });
});

// Mostly waiting for the next attempt to connect.
describe.concurrent('while Redis is away', () => {
  it('each process counts for itself and answers as ever, and they share again when it is back', async () => {
    await using redis = await aRedis();
    await using two = await twoApps(redis.url, 5);
    // By another key: where the machine is too busy for 100 ms, the process counts this one for itself, as it should.
    const other = await aProject(two.store);
    expect(limitHeaders(await two.apps[0].get('/v2/members', other.token))).toEqual(['5', '4']);
    await two.untilShared();
    const before = { fallbacks: two.fallbacks(), levels: two.levels().length };
    await redis.stop();
    for (const app of [0, 1] as const) {
      const answers: TestAnswer[] = [];
      for (let i = 0; i < 6; i++) answers.push(await two.ask(app));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
      expect(answers.map(limitHeaders)).toEqual(['4', '3', '2', '1', '0', '0'].map((left) => ['5', left]));
    }
    expect([two.isShared(), two.fallbacks(), two.levels().slice(before.levels)]).toEqual([
      [false, false],
      // Of the key six times, and of the project where the key was let through.
      before.fallbacks.map((count) => count + 11),
      ['warn', 'warn'],
    ]);
    await redis.start();
    await two.untilShared();
    expect([await two.ask(0), await two.ask(1)].map(limitHeaders)).toEqual([
      ['5', '4'],
      ['5', '3'],
    ]);
    expect(two.levels().slice(before.levels)).toEqual(['warn', 'warn', 'info', 'info']);
    const log = two.logged.map(({ line }) => line).join('\n');
    expect(log).toMatch(/"reason":"(ECONNRESET|SocketClosedUnexpectedlyError)"/);
    expect(log).not.toContain(redis.password);
    expect(log).not.toContain('127.0.0.1');
  });

  it.each(['OOM', 'READONLY'] as const)('%s is no answer either, nor the back of it', async (reason) => {
    await using redis = await aRedis();
    await using two = await twoApps(redis.url, 5);
    await two.untilShared();
    const before = two.logged.length;
    await redis.refuseWrites(reason);
    // Past the next attempt, which connects but cannot count.
    for (const end = performance.now() + 500; performance.now() < end;) {
      expect((await two.ask(0)).status).toBeOneOf([200, 429]);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(two.levels().slice(before)).toEqual(['warn']);
    expect(two.logged[before]?.line).toContain(`"reason":"${reason}"`);
    await redis.refuseWrites(null);
    await two.untilShared();
  });

  it('a wrong password counts as away, and is not told', async () => {
    await using redis = await aRedis();
    await using two = await twoApps(redis.url.replace(redis.password, 'wrong-password'), 5);
    expect((await two.ask(0)).status).toBe(200);
    expect(two.logged[0]?.line).toContain('"reason":"WRONGPASS"');
    expect(JSON.stringify(two.logged)).not.toContain('wrong-password');
  });
});
