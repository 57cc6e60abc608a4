import { Agent } from 'node:http';

import { describe, expect, it } from 'vitest';

import { freePort } from '../support/postgres.ts';
import { anInstallation, aProjectThere } from '../support/process.ts';
import { type Answer, ask, servingByTwo } from '../support/workers.ts';

/** Sends so many requests over twenty connections. */
async function send(url: string, requests: number, headers: Record<string, string> = {}) {
  const agent = new Agent({ keepAlive: true, maxSockets: 20 });
  const answers: Answer[] = [];
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      while (requests-- > 0) answers.push(await ask(url, headers, agent));
    }),
  );
  agent.destroy();
  return answers;
}

const countOf = (answers: Answer[], status: number) => answers.filter((one) => one.status === status).length;

describe('roster serve with two workers', () => {
  it(
    'lets exactly the limit through, counts down without repeating a number, and totals what it measures',
    { timeout: 60_000 },
    async () => {
      await using at = await anInstallation();
      const { token } = await aProjectThere(at);
      const ROSTER_METRICS_PORT = String(await freePort());
      const server = await servingByTwo(at, { ROSTER_METRICS_PORT });
      const url = `${server.address}/v2/members`;
      const answers = await send(url, 1_000, { authorization: `Bearer ${token}` });
      expect([countOf(answers, 200), countOf(answers, 429)]).toEqual([300, 700]);
      const left = answers
        .filter(({ status }) => status === 200)
        .map(({ headers }) => Number(headers['x-ratelimit-remaining']));
      expect(left.toSorted((a, b) => b - a)).toEqual(Array.from({ length: 300 }, (_, i) => 299 - i));
      expect(new Set(answers.map(({ headers }) => headers['x-ratelimit-reset'])).size).toBeLessThanOrEqual(2);

      const refused = await send(url, 100);
      expect([countOf(refused, 401), countOf(refused, 429)]).toEqual([60, 40]);

      const { body } = await ask(`http://127.0.0.1:${ROSTER_METRICS_PORT}/metrics`);
      const counted =
        /_count\{http_request_method="GET",http_route="\/v2\/members",http_response_status_code="(\d+)"\} (\d+)/g;
      expect(
        Object.fromEntries([...body.matchAll(counted)].map(([, status, count]) => [status, Number(count)])),
      ).toEqual({
        200: 300,
        401: 60,
        429: 740,
      });
      expect(body).toMatch(/^roster_workers 2$/m);
      expect(body).toMatch(/^roster_rate_limit_shared 1$/m);
      expect(body).toMatch(/^roster_rate_limit_fallbacks_total 0$/m);
      expect(body).not.toMatch(/127\.0\.0\.1|acme|rst_/);
      server.child.kill();
      expect(await server.ended).toMatchObject({ code: 0, stderr: '' });
    },
  );

  it('refuses in both a key that another process has revoked', async () => {
    await using at = await anInstallation();
    const { token, keyId } = await aProjectThere(at);
    const server = await servingByTwo(at);
    const headers = { authorization: `Bearer ${token}` };
    const statuses = async () => {
      const url = `${server.address}/v2/members`;
      return [(await ask(url, headers)).status, (await ask(url, headers)).status];
    };
    expect(await statuses()).toEqual([200, 200]);
    await at.json(['keys', 'revoke', keyId]);
    await expect.poll(statuses, { timeout: 5_000, interval: 100 }).toEqual([401, 401]);
    server.child.kill();
    await server.ended;
  });
});
