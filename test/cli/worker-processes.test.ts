import { writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { wholeLine } from '../../src/observability/whole-line.ts';
import { freePort } from '../support/postgres.ts';
import { anInstallation, aProjectThere } from '../support/process.ts';
import { beginRequest } from '../support/raw.ts';
import { ask, linesOf, servingByTwo, workersOf } from '../support/workers.ts';

function isRefused(address: string): Promise<boolean> {
  const socket = connect(Number(new URL(address).port), '127.0.0.1');
  return new Promise<boolean>((resolve) => {
    socket.on('connect', () => resolve(false)).on('error', () => resolve(true));
  }).finally(() => socket.destroy());
}

/** Runs the text first in every worker. */
const inWorkers = (text: string) => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`if (process.argv[2] === 'worker') { ${text} }`)}`,
});

describe('roster serve with two workers', () => {
  it('says in one line how many listen where, on one port, and names the process on each line', async () => {
    await using at = await anInstallation();
    const server = await servingByTwo(at);
    expect(new Set(server.workers).size).toBe(2);
    expect(server.workers).not.toContain(server.child.pid);
    expect(
      (await Promise.all([1, 2].map(() => ask(`${server.address}/readyz`)))).map((one) => one.status),
    ).toEqual([200, 200]);
    server.child.kill('SIGINT');
    expect(await server.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
    expect(
      linesOf(server)
        .map(({ msg }) => String(msg).replace(/at http.*/, 'at'))
        .filter((msg) => msg !== 'answered'),
    ).toEqual(['2 workers listening at', 'stopping', 'stopped']);
  });

  it.each(['the primary', 'all, as Ctrl-C does'])(
    'answers what has begun when the signal reaches %s',
    async (whom) => {
      await using at = await anInstallation();
      const server = await servingByTwo(at);
      const requests = await Promise.all(Array.from({ length: 8 }, () => beginRequest(server.address)));
      server.child.kill('SIGINT');
      if (whom !== 'the primary') for (const pid of server.workers) process.kill(pid, 'SIGINT');
      await server.until(/"msg":"stopping"/);
      await expect.poll(() => isRefused(server.address), { timeout: 5_000 }).toBe(true);
      for (const answer of await Promise.all(requests.map(({ finish }) => finish()))) {
        expect(answer).toMatch(/^HTTP\/1\.1 503 .*\r\n\r\n\{"status":"error".*\}$/s);
      }
      expect(await server.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
    },
  );

  it('breaks no answer off under load, and mixes no lines', async () => {
    await using at = await anInstallation();
    const { token } = await aProjectThere(at);
    const server = await servingByTwo(at, { ROSTER_RATE_LIMIT: '100000' });
    const agent = new Agent({ keepAlive: true });
    const failures: string[] = [];
    let answered = 0;
    const client = async () => {
      for (;;) {
        try {
          const { status } = await ask(
            `${server.address}/v2/members`,
            { authorization: `Bearer ${token}` },
            agent,
          );
          expect([200, 503]).toContain(status);
          answered++;
        } catch (error) {
          return failures.push((error as Error).message);
        }
      }
    };
    const clients = Array.from({ length: 16 }, client);
    await expect.poll(() => answered, { timeout: 15_000 }).toBeGreaterThan(500);
    server.child.kill();
    await Promise.all(clients);
    expect(await server.ended).toMatchObject({ code: 0, stderr: '' });
    // A client ends by a connection that is refused or closed between answers.
    for (const failure of failures) expect(failure).toMatch(/ECONNREFUSED|ECONNRESET|socket hang up|EPIPE/);
    expect(linesOf(server).filter(({ msg }) => msg === 'answered').length).toBeGreaterThanOrEqual(answered);
    agent.destroy();
  });

  it('ends with all workers at once on a second signal', async () => {
    await using at = await anInstallation();
    const server = await servingByTwo(at);
    await beginRequest(server.address);
    server.child.kill();
    await server.until(/"msg":"stopping"/);
    const killedAt = performance.now();
    server.child.kill();
    // Workers have the same output, so it ends with the last of them.
    expect(await server.ended).toMatchObject({ code: null, signal: 'SIGTERM' });
    expect(performance.now() - killedAt).toBeLessThan(4_000);
  });

  it('replaces a worker that dies, and forgets neither the limit nor what was measured', async () => {
    await using at = await anInstallation();
    const { token } = await aProjectThere(at);
    const ROSTER_METRICS_PORT = String(await freePort());
    const server = await servingByTwo(at, { ROSTER_METRICS_PORT });
    const left = async () => {
      const { headers } = await ask(`${server.address}/v2/members`, { authorization: `Bearer ${token}` });
      return headers['x-ratelimit-remaining'];
    };
    const answers = async () => {
      const { body } = await ask(`http://127.0.0.1:${ROSTER_METRICS_PORT}/metrics`);
      return [...body.matchAll(/^http_server_request_duration_seconds_count\{.*\} (\d+)/gm)].reduce(
        (sum, [, count]) => sum + Number(count),
        0,
      );
    };
    expect([await left(), await left(), await answers()]).toEqual(['299', '298', 6]);
    const [killed = 0] = server.workers;
    process.kill(killed, 'SIGKILL');
    await server.until(/"msg":"a new worker listens"/);
    expect(linesOf(server)).toContainEqual(
      expect.objectContaining({ level: 'warn', pid: killed, signal: 'SIGKILL', pause_ms: 200 }),
    );
    expect([await left(), await left(), await answers()]).toEqual(['297', '296', 8]);
    await expect.poll(() => new Set(workersOf(server)).size, { timeout: 5_000 }).toBe(3);
    server.child.kill();
    expect(await server.ended).toMatchObject({ code: 0, stderr: '' });
  });

  it('waits longer before each replacement when workers keep dying', { timeout: 60_000 }, async () => {
    await using at = await anInstallation();
    const server = await servingByTwo(at);
    const linesSaying = (text: string) => linesOf(server).filter(({ msg }) => msg === text);
    let [pid = 0] = server.workers;
    for (let death = 1; death <= 3; death++) {
      // One that is asked to go ends by itself, and is replaced all the same.
      process.kill(pid, death === 1 ? 'SIGTERM' : 'SIGKILL');
      await expect.poll(() => linesSaying('a new worker listens').length, { timeout: 18_000 }).toBe(death);
      pid = Number(linesSaying('a new worker listens')[death - 1]?.['pid']);
    }
    expect(linesSaying('a worker has ended and is replaced')).toMatchObject([
      { code: 0, signal: null, pause_ms: 200 },
      { code: null, signal: 'SIGKILL', pause_ms: 400 },
      { code: null, signal: 'SIGKILL', pause_ms: 800 },
    ]);
    server.child.kill();
    expect(await server.ended).toMatchObject({ code: 0 });
  });

  it('lets its workers end when the primary is killed, and the port with them', async () => {
    await using at = await anInstallation();
    const server = await servingByTwo(at);
    const request = await beginRequest(server.address);
    server.child.kill('SIGKILL');
    expect(await request.finish()).toMatch(/^HTTP\/1\.1 (200|503) /);
    // Workers have the same output, so it ends with the last of them.
    expect(await server.ended).toMatchObject({ code: null, signal: 'SIGKILL', stderr: '' });
    const again = await servingByTwo(at, { PORT: new URL(server.address).port });
    expect(again.address).toBe(server.address);
    again.child.kill();
    await again.ended;
  });

  it('answers on kept connections while the primary hangs, each worker counting for itself', async () => {
    await using at = await anInstallation();
    const { token } = await aProjectThere(at);
    const server = await servingByTwo(at);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const left = async () => {
      const url = `${server.address}/v2/members`;
      return (await ask(url, { authorization: `Bearer ${token}` }, agent)).headers['x-ratelimit-remaining'];
    };
    expect(await left()).toBe('299');
    server.child.kill('SIGSTOP');
    const stoppedAt = performance.now();
    expect([await left(), await left(), await left()]).toEqual(['299', '298', '297']);
    expect(performance.now() - stoppedAt).toBeLessThan(3_000);
    server.child.kill('SIGCONT');
    await server.until(/the primary answers again/);
    // The one that waited too long was counted by both.
    expect(await left()).toBe('297');
    agent.destroy();
    server.child.kill();
    expect(await server.ended).toMatchObject({ code: 0 });
  });
});

describe('roster serve with workers that cannot be', () => {
  it('says once that the port is in use', async () => {
    await using at = await anInstallation();
    const server = await servingByTwo(at);
    const { port } = new URL(server.address);
    const { code, stdout, stderr } = await at.run(['serve'], { env: { ROSTER_WORKERS: '2', PORT: port } });
    expect([code, stdout, stderr]).toEqual([
      69,
      '',
      `roster: Port ${port} of 127.0.0.1 is in use; set PORT to another, or stop what has it.\n`,
    ]);
    server.child.kill();
    await server.ended;
  });

  it.each([
    [78, /^roster: Bad settings: ROSTER_WORKERS is no whole number; .*\.\n$/, { ROSTER_WORKERS: 'two' }],
    [
      69,
      /^roster: The store cannot be used: .*cannot be opened.*\n$/,
      { DATABASE_URL: 'sqlite:/dev/null/x.db' },
    ],
    [69, /^roster: A worker ended before it listened \(exit code 3\); .*\n$/, inWorkers('process.exit(3)')],
  ])('ends with %i and one sentence: %s', async (code, sentence, env) => {
    await using at = await anInstallation();
    const ended = await at.run(['serve'], { env: { ROSTER_WORKERS: '2', ...env } });
    expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(sentence) });
  });

  it('ends with 69 when none can be started any more', async () => {
    await using at = await anInstallation();
    const file = join(at.folder, 'broken');
    const server = await servingByTwo(
      at,
      inWorkers(`(await import('node:fs')).existsSync('${file}') && process.exit(3)`),
    );
    writeFileSync(file, '');
    for (const pid of server.workers) process.kill(pid, 'SIGKILL');
    expect(await server.ended).toMatchObject({ code: 69, stderr: expect.stringContaining('(exit code 3)') });
  });

  it('refuses to be started as a worker by a person', async () => {
    await using at = await anInstallation();
    expect(await at.run(['worker'])).toMatchObject({
      code: 2,
      stderr: 'roster: "serve" starts its workers itself; set ROSTER_WORKERS to their number.\n',
    });
  });
});

describe('a line of a worker', () => {
  it('fits into one write to a pipe, however long the stack in it, and is JSON', () => {
    const line = (err: object) =>
      `${JSON.stringify({ level: 'error', time: 't', pid: 1, request_id: 'r', err, msg: 'failed' })}\n`;
    const short = line({ message: 'é'.repeat(1_000) });
    expect(wholeLine(short)).toBe(short);
    const cut = wholeLine(line({ message: 'no', stack: 'é'.repeat(3_000) }));
    expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(4_096);
    expect(JSON.parse(cut)).toMatchObject({ pid: 1, err: { message: 'no', stack: 'é'.repeat(500) } });
    const least = wholeLine(line(Array.from({ length: 100 }, () => ({ stack: 'x'.repeat(100) }))));
    expect(JSON.parse(least)).toEqual({
      level: 'error',
      time: 't',
      pid: 1,
      request_id: 'r',
      msg: 'failed',
      cut: true,
    });
    for (const one of [cut, least]) expect(one).toMatch(/^[^\n]+\n$/);
  });
});
