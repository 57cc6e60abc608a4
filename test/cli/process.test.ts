import { execFileSync } from 'node:child_process';
import { closeSync, constants, existsSync, globSync, openSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { document, type Parameter } from '../support/document.ts';
import { freePort } from '../support/free-port.ts';
import { listening } from '../support/listening.ts';
import { anInstallation, serving, stop } from '../support/process.ts';
import { addressOf } from '../support/program.ts';
import { beginRequest } from '../support/raw.ts';
import { aRedis } from '../support/redis.ts';

describe('roster serve', () => {
  it('answers what arrives while it stops with 503, and takes no new connection', async () => {
    await using at = await anInstallation();
    const server = await serving(at);
    const request = await beginRequest(server.address);
    server.child.kill('SIGTERM');
    await server.until(/"msg":"stopping"/);
    await expect(fetch(`${server.address}/livez`)).rejects.toThrow();
    const received = await request.finish();
    expect(received).toMatch(/^HTTP\/1\.1 503 /);
    expect(received).toMatch(/connection: close/i);
    expect(received).toContain('"status":"error"');
    expect(await server.ended).toMatchObject({ code: 0 });
  });

  it('stops cleanly too when npx is stopped, whose shell does not pass the signal on', async () => {
    await using at = await anInstallation();
    const npx = at.startUnderNpx('serve');
    const address = await addressOf(npx);
    npx.child.kill('SIGTERM');
    // The output is open until the server itself has ended.
    expect((await npx.ended).stdout).toContain('"msg":"stopped"');
    await expect(fetch(`${address}/livez`)).rejects.toThrow();
  });

  it('ends at once on a second signal', async () => {
    await using at = await anInstallation();
    const server = await serving(at);
    await beginRequest(server.address);
    server.child.kill('SIGTERM');
    await server.until(/"msg":"stopping"/);
    server.child.kill('SIGTERM');
    expect(await server.ended).toMatchObject({ code: null, signal: 'SIGTERM' });
  });

  it.skipIf(!existsSync('/dev/full'))('serves on and stops cleanly while the disk of its log is full', async () => {
    await using at = await anInstallation();
    const PORT = String(await freePort());
    const { child, ended } = at.startUnder('/bin/sh', ['-c', 'exec "$0" "$@" serve > /dev/full'], { PORT });
    const status = async () => (await fetch(`http://127.0.0.1:${PORT}/livez`)).status;
    await expect.poll(() => status().catch(() => 0), { timeout: 10_000 }).toBe(200);
    // Its line has failed to be written by then.
    await sleep(200);
    expect([await status(), await status()]).toEqual([200, 200]);
    child.kill();
    expect(await ended).toMatchObject({ code: 0, signal: null, stderr: '' });
  });

  it('stops within ten seconds even if nobody reads its log or a caller never ends', async () => {
    await using at = await anInstallation();
    const pipe = join(at.folder, 'log');
    execFileSync('mkfifo', [pipe]);
    const reader = openSync(pipe, constants.O_RDWR);
    const PORT = String(await freePort());
    const unread = at.startUnder('/bin/sh', ['-c', `exec "$0" "$@" serve > ${pipe}`], { PORT });
    const read = await serving(at);
    const status = async () => (await fetch(`http://127.0.0.1:${PORT}/livez`)).status;
    await expect.poll(() => status().catch(() => 0), { timeout: 10_000 }).toBe(200);
    // More lines than a pipe holds (64 KiB).
    for (let request = 0; request < 600; request++) expect(await status()).toBe(200);
    await beginRequest(read.address);
    const stoppedAt = performance.now();
    for (const { child } of [unread, read]) child.kill();
    await unread.ended;
    expect(await read.ended).toMatchObject({ code: 0 });
    expect(performance.now() - stoppedAt).toBeLessThan(10_000);
    closeSync(reader);
  });

  it('names the port that is in use, and what to set', async () => {
    await using at = await anInstallation();
    using taken = await listening(createServer());
    const port = String(taken.port);
    const { code, stderr } = await at.run(['serve'], { env: { PORT: port } });
    expect([code, stderr]).toEqual([
      69,
      `roster: Port ${port} of 127.0.0.1 is in use; set PORT to another, or stop the program that uses it.\n`,
    ]);
  });

  it('serves metrics by route pattern at an address of their own, and serves without them when that is taken', async () => {
    await using at = await anInstallation();
    using taken = await listening(createServer());
    const port = String(taken.port);
    const env = { ROSTER_METRICS_PORT: port };
    const measured = await serving(at, { ...env, ROSTER_METRICS_HOST: '127.0.0.2' });
    const unmeasured = await serving(at, env);
    await unmeasured.until(/metrics are off.*ROSTER_METRICS_HOST/);
    expect((await fetch(`${unmeasured.address}/livez`)).status).toBe(200);
    await fetch(`${measured.address}/v2/chatbots/planted/contacts/planted`);
    const text = await (await fetch(`http://127.0.0.2:${port}/metrics`)).text();
    expect(text).toContain(
      'http_server_request_duration_seconds_count{http_request_method="GET",http_route="/v2/chatbots/:chatbotId/contacts/:contactId",http_response_status_code="401"} 1',
    );
    expect(text).not.toMatch(/planted|roster_rate_limit/);
    for (const server of [measured, unmeasured]) {
      await stop(server);
    }
  });
});

/** The path of an operation with the example of every parameter. */
function withExamples(template: string, parameters: readonly Parameter[] = []): string {
  const exampleOf = (wanted: string) => String(parameters.find(({ name }) => name === wanted)?.example);
  // A cursor cannot stand beside a page.
  const query = parameters
    .filter((one) => one.in === 'query' && one.name !== 'cursor')
    .map(({ name }) => `${name}=${exampleOf(name)}`);
  return `${template.replaceAll(/\{(\w+)\}/g, (_, name: string) => exampleOf(name))}?${query.join('&')}`;
}

describe('roster demo', () => {
  it('prints a key and four curl calls that a shell can run, and deletes everything when it stops', async () => {
    await using at = await anInstallation();
    const startedAt = performance.now();
    const demo = at.start(['demo']);
    await demo.until(/Ctrl-C/);
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    const calls = demo.stdout().match(/curl (?:.*\\\n)*.*/g) ?? [];
    const answers = calls.map((call) => execFileSync('/bin/sh', ['-c', `${call} --silent`], { encoding: 'utf8' }));
    expect(answers.map((answer) => JSON.parse(answer))).toMatchObject([
      { status: 'success', data: { members: expect.any(Array) } },
      { status: 'success', data: { email: 'ana@example.com' } },
      { status: 'success', data: { id: expect.any(String) } },
      { status: 'success', data: { outcome: 'updated', contact: { email: 'ana@example.com' } } },
    ]);
    const written = demo
      .stdout()
      .split('\n')
      .filter((line) => !line.trim().startsWith("curl -H 'Authorization") || line.endsWith('\\'));
    expect(written.filter((line) => line.length > 80)).toEqual([]);
    const [, docs = ''] = /Docs\s+(\S+)/.exec(demo.stdout()) ?? [];
    const [, key = 'none'] = /API key\s+(\S+)/.exec(demo.stdout()) ?? [];
    expect(await (await fetch(docs)).text()).toContain(`"token":"${key}"`);
    await stop(demo, 'SIGINT');
    expect(globSync('roster-demo-*', { cwd: at.folder })).toEqual([]);
  });

  it('has members of all roles and statuses, suggestions, and whom the examples of the document ask for', async () => {
    await using at = await anInstallation();
    await using redis = await aRedis();
    // It ignores the file of settings, and counts for itself.
    const demo = at.start(['demo', '--json', '--env-file', '/no/such/file'], { ROSTER_REDIS_URL: redis.url });
    await demo.until(/\n/);
    const { address, token, curl } = JSON.parse(demo.stdout()) as {
      address: string;
      token: string;
      curl: string[];
    };
    expect(curl).toHaveLength(4);
    const headers = { authorization: `Bearer ${token}` };
    const body = await (await fetch(`${address}/v2/members?per_page=100`, { headers })).json();
    const { members } = (body as { data: { members: { roles: string[]; status: string }[] } }).data;
    expect(new Set(members.flatMap(({ roles }) => roles)).size).toBe(7);
    expect(new Set(members.map(({ status }) => status))).toEqual(new Set(['Active', 'Pending']));
    for (const [template, item] of Object.entries(document.paths)) {
      // A demo tells nobody of its people.
      if (!item['get'] || template.includes('{webhookId}')) continue;
      const answer = await fetch(address + withExamples(template, item['get']?.parameters), { headers });
      expect([template, answer.status, answer.status === 200 ? '' : await answer.text()]).toEqual([template, 200, '']);
      const text = await answer.text();
      if (template === '/v2/members') expect(text).toContain('ada@example.com');
      // The console opens on the first, where the printed calls find people.
      if (template === '/v2/chatbots')
        expect(JSON.parse(text)).toMatchObject({ data: { chatbots: [{ id: '8839210412' }, {}] } });
    }
    const suggested = async () => {
      const answer = await fetch(`${address}/v2/chatbots/8839210412/contacts/duplicates`, { method: 'POST', headers });
      return answer.text();
    };
    const patience = { timeout: 40_000, interval: 250 };
    await expect.poll(suggested, patience).toMatch(/"band":"likely".*"as_of":"[1-9]/);
    expect(await redis.keys()).toEqual([]);
    await stop(demo);
  });
});
