import { describe, expect, it } from 'vitest';

import { freePort } from '../support/free-port.ts';
import { anInstallation, aProjectThere, linesOf, serving } from '../support/process.ts';
import { aRedis } from '../support/redis.ts';

describe('roster serve with a Redis', () => {
  // On a busy machine the stand-in may take longer than 100 ms, and then each process counts for itself.
  it('shares one limit, and says once each when the Redis is away and back', { retry: 3 }, async () => {
    await using redis = await aRedis();
    await using at = await anInstallation();
    const { token } = await aProjectThere(at);
    const env = { ROSTER_REDIS_URL: redis.url, ROSTER_RATE_LIMIT: '10', ROSTER_METRICS_PORT: String(await freePort()) };
    const server = await serving(at, env);
    const other = await serving(at, { ...env, ROSTER_METRICS_PORT: '0' });
    const send = async (requests: number, { address } = server) => {
      const headers = { authorization: `Bearer ${token}` };
      const statuses: number[] = [];
      for (let sent = 0; sent < requests; sent++)
        statuses.push((await fetch(`${address}/v2/members`, { headers })).status);
      return statuses;
    };
    const metric = async (name: string) => {
      const text = await (await fetch(`http://127.0.0.1:${env.ROSTER_METRICS_PORT}/metrics`)).text();
      return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
    };
    expect([...(await send(6)), ...(await send(6, other))]).toEqual([...Array<number>(10).fill(200), 429, 429]);
    expect([await metric('roster_rate_limit_shared'), await metric('roster_rate_limit_fallbacks_total')]).toEqual([
      1, 0,
    ]);
    await redis.stop();
    expect(await send(12)).toEqual([...Array<number>(10).fill(200), 429, 429]);
    expect(await metric('roster_rate_limit_shared')).toBe(0);
    expect(await metric('roster_rate_limit_fallbacks_total')).toBeGreaterThan(11);
    const alone = await serving(at, { ...env, ROSTER_METRICS_PORT: '0' });
    await alone.until(/"reason":"ECONNREFUSED"/);
    await redis.start();
    await server.until(/Redis is back/);
    expect(await metric('roster_rate_limit_shared')).toBe(1);
    redis.hang();
    const late = await serving(at, { ...env, ROSTER_METRICS_PORT: '0' });
    await late.until(/Redis is away/);
    expect(await send(1, late)).toEqual([200]);
    const stoppedAt = performance.now();
    for (const { child } of [server, other, alone, late]) child.kill();
    for (const one of [server, other, alone, late]) {
      expect(await one.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
      expect(one.stdout()).not.toContain(redis.password);
      expect(one.stdout()).not.toContain('redis:');
    }
    expect(performance.now() - stoppedAt).toBeLessThan(3_000);
    const told = linesOf(server).filter(({ msg }) => String(msg).includes('Redis is'));
    expect(told.slice(0, 2).map(({ level }) => level)).toEqual(['warn', 'info']);
  });
});

describe('roster doctor with a Redis', () => {
  it('says whether it counts, with the reason, and without its password', async () => {
    await using redis = await aRedis();
    await using at = await anInstallation();
    await aProjectThere(at);
    const redisCheck = async (url: string) => {
      const { code, stdout, stderr } = await at.run(['doctor', '--json'], { env: { ROSTER_REDIS_URL: url } });
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).not.toContain(redis.password);
      const { checks } = JSON.parse(stdout) as {
        checks: { check: string; status: string; finding: string }[];
      };
      return checks.find(({ check }) => check === 'redis');
    };
    expect(await redisCheck(redis.url)).toMatchObject({ status: 'ok' });
    expect(await redisCheck(redis.url.replace(redis.password, 'wrong'))).toMatchObject({
      status: 'warning',
      finding: expect.stringContaining('WRONGPASS'),
    });
    await redis.stop();
    expect(await redisCheck(redis.url)).toMatchObject({
      status: 'warning',
      finding: expect.stringContaining('ECONNREFUSED'),
    });
  });
});
