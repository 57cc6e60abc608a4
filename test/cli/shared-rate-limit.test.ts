import { describe, expect, it } from 'vitest';

import { freePort } from '../support/free-port.ts';
import { anInstallation, aProjectThere, serving } from '../support/process.ts';
import type { Running } from '../support/program.ts';
import { aRedis } from '../support/redis.ts';

interface Answer {
  status: number;
  limit: string | null;
}

/** Sends so many requests, by turns to each address and two at a time; calls `half` in the middle. */
async function send(addresses: string[], token: string, requests: number, half?: () => Promise<void>) {
  const answers: Answer[] = [];
  let sent = 0;
  const sender = async () => {
    while (sent < requests) {
      const number = sent++;
      if (number === requests / 2) await half?.();
      const { status, headers } = await fetch(`${addresses[number % addresses.length]}/v2/members`, {
        headers: { authorization: `Bearer ${token}` },
      });
      answers.push({ status, limit: headers.get('x-ratelimit-limit') });
    }
  };
  await Promise.all([sender(), sender()]);
  return answers;
}

const countOf = (answers: Answer[], status: number) => answers.filter((one) => one.status === status).length;

const linesWith = (running: Running, text: string) =>
  running
    .stdout()
    .split('\n')
    .filter((line) => line.includes(text));

async function stop(running: Running): Promise<void> {
  running.child.kill('SIGTERM');
  expect(await running.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
}

describe('roster serve with a Redis', () => {
  // On a busy machine the stand-in may take longer than 100 ms, and then each process counts for itself.
  it('holds one limit across two processes that share a Redis', { retry: 3 }, async () => {
    await using redis = await aRedis();
    await using at = await anInstallation();
    const { token } = await aProjectThere(at);
    const env = { ROSTER_REDIS_URL: redis.url };
    const servers = await Promise.all([serving(at, env), serving(at, env)]);
    const answers = await send(
      servers.map(({ address }) => address),
      token,
      400,
    );
    expect([countOf(answers, 200), countOf(answers, 429)]).toEqual([300, 100]);
    await Promise.all(servers.map(stop));
  });

  it('answers on when the Redis is killed, says so once, and shares again when it is back', async () => {
    await using redis = await aRedis();
    await using at = await anInstallation();
    const { token } = await aProjectThere(at);
    const metricsPort = String(await freePort());
    const server = await serving(at, { ROSTER_REDIS_URL: redis.url, ROSTER_METRICS_PORT: metricsPort });
    const metric = async (name: string) => {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
    };
    expect(await metric('roster_rate_limit_shared')).toBe(1);
    expect(await metric('roster_rate_limit_fallbacks_total')).toBe(0);
    const answers = await send([server.address], token, 800, () => redis.stop());
    expect(countOf(answers, 200) + countOf(answers, 429)).toBe(800);
    expect(countOf(answers, 200)).toBeLessThanOrEqual(600);
    expect(new Set(answers.map(({ limit }) => limit))).toEqual(new Set(['300']));
    expect(await metric('roster_rate_limit_shared')).toBe(0);
    expect(await metric('roster_rate_limit_fallbacks_total')).toBeGreaterThan(300);
    await redis.start();
    await server.until(/Redis is back/);
    expect(await metric('roster_rate_limit_shared')).toBe(1);
    expect(linesWith(server, 'Redis is').map((line) => (JSON.parse(line) as { level: string }).level)).toEqual([
      'warn',
      'info',
    ]);
    expect(server.stdout()).not.toContain(redis.password);
    expect(server.stdout()).not.toContain('redis:');
    await stop(server);
  });

  it('starts and stops as quickly when the Redis hangs, or is not there', async () => {
    await using redis = await aRedis();
    await using at = await anInstallation();
    const { token } = await aProjectThere(at);
    const env = { ROSTER_REDIS_URL: redis.url };
    const before = await serving(at, env);
    redis.hang();
    const later = await serving(at, env);
    expect(linesWith(later, 'Redis is away')).toHaveLength(1);
    expect((await send([before.address, later.address], token, 4)).map(({ status }) => status)).toEqual(
      Array(4).fill(200),
    );
    const stoppedAt = performance.now();
    await Promise.all([stop(before), stop(later)]);
    expect(performance.now() - stoppedAt).toBeLessThan(3_000);
    await redis.stop();
    const alone = await serving(at, env);
    expect(linesWith(alone, '"reason":"ECONNREFUSED"')).toHaveLength(1);
    await stop(alone);
  });
});

describe('roster demo', () => {
  it('counts for itself though a Redis is set', async () => {
    await using redis = await aRedis();
    await using at = await anInstallation();
    const demo = at.start(['demo', '--json'], { ROSTER_REDIS_URL: redis.url });
    await demo.until(/\n/);
    const { address, token } = JSON.parse(demo.stdout()) as { address: string; token: string };
    expect(countOf(await send([address], token, 2), 200)).toBe(2);
    expect(await redis.keys()).toEqual([]);
    demo.child.kill();
    expect(await demo.ended).toMatchObject({ code: 0 });
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
