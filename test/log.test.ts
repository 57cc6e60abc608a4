import { describe, expect, it } from 'vitest';

import { linesOf } from './support/process.ts';
import { type Running, spawnProgram } from './support/program.ts';

const log = new URL('../src/observability/log.ts', import.meta.url).href;

/** A process that logs: in `text`, `answered(fields)` writes a line of the access log and `logger` is pino. */
function logging(text: string, before = ''): Running {
  const program = `
    ${before}
    const { createLog } = await import('${log}');
    const { logger, logAnswer } = await createLog('info', false);
    const answered = (fields) =>
      logAnswer({ requestId: 'r', method: 'GET', route: '/v2/members', status: 200, ...fields });
    ${text}`;
  return spawnProgram(process.execPath, ['--input-type=module', '-e', program], { env: {} });
}

describe('the log', () => {
  it('keeps lines of the service and of answers in order, however long they are', async () => {
    const running = logging(`
      for (let i = 0; i < 1_000; i++) {
        logger.info({ i: 2 * i, long: 'é'.repeat(i % 100 === 0 ? 40_000 : 10) }, 'service');
        answered({ status: 2 * i + 1 });
      }`);
    expect(await running.ended).toMatchObject({ code: 0, stderr: '' });
    const numbers = linesOf(running).map(({ i, status }) => i ?? status);
    expect(numbers).toEqual(Array.from({ length: 2_000 }, (_, index) => index));
  });

  it('has the fields of an answer in the form of pino, whatever their characters', async () => {
    const running = logging(`
      answered({ durationMs: 1.2345, keyId: 'k', projectId: 'Łódź "日本" \\\\ 😀\\n' });
      answered({ method: null, route: null, status: 400 });`);
    await running.ended;
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const [first, second] = linesOf(running);
    expect(first).toEqual({
      level: 'info',
      time,
      request_id: 'r',
      method: 'GET',
      route: '/v2/members',
      status: 200,
      duration_ms: 1.23,
      key_id: 'k',
      project_id: 'Łódź "日本" \\ 😀\n',
      msg: 'answered',
    });
    expect(second).toEqual({
      level: 'info',
      time,
      request_id: 'r',
      method: null,
      route: null,
      status: 400,
      msg: 'answered',
    });
  });

  it('is a short line for each answer where eyes read it, with what is special', async () => {
    const running = logging(
      `
      answered({ durationMs: 2.6, keyId: 'k' });
      answered({ route: null, status: 404, durationMs: 0.2 });
      answered({ status: 401, durationMs: 1, keyId: 'k', refusal: 'revoked' });
      answered({ status: 401, durationMs: 1, refusal: 'unknown' });
      answered({ route: null, status: 503, durationMs: 1, shed: 'in_flight' });
      answered({ method: null, route: null, status: 400 });`,
      'process.stdout.isTTY = true;',
    );
    expect(await running.ended).toMatchObject({ code: 0, stderr: '' });
    const lines = running.stdout().trim().split('\n');
    expect(lines.map((line) => line.replace(/^\[\d\d:\d\d:\d\d\] INFO: /, ''))).toEqual([
      'GET /v2/members 200 3 ms, key k',
      'GET - 404 0 ms',
      'GET /v2/members 401 1 ms, key k revoked',
      'GET /v2/members 401 1 ms, key unknown',
      'GET - 503 1 ms, too many in flight, request r',
      '- - 400',
    ]);
  });

  it.each([
    ['by itself', 3_000, ''],
    ['at once', 300, 'process.exit(0);'],
  ])('loses no line when the process ends %s', async (_how, lines, end) => {
    const running = logging(`for (let i = 0; i < ${lines}; i++) answered({ status: i }); ${end}`);
    expect(await running.ended).toMatchObject({ code: 0, stderr: '' });
    expect(linesOf(running).map(({ status }) => status)).toEqual(Array.from({ length: lines }, (_, i) => i));
  });

  it('neither waits nor grows for a reader that does not read, and loses whole lines only', async () => {
    const megabytes = 50;
    const running = logging(`
      const { setTimeout: sleep } = await import('node:timers/promises');
      const before = process.memoryUsage();
      for (let i = 0; i < ${megabytes}; i++) {
        for (let j = 0; j < 512; j++) answered({ keyId: 'k', projectId: 'p'.repeat(1_950) });
        await sleep(1);
      }
      const { arrayBuffers } = process.memoryUsage();
      process.stderr.write(String(arrayBuffers - before.arrayBuffers));`);
    running.child.stdout?.pause();
    await expect.poll(() => running.stderr(), { timeout: 15_000 }).toMatch(/^\d+$/);
    expect(Number(running.stderr())).toBeLessThan(24 * 1024 * 1024);
    running.child.stdout?.resume();
    expect(await running.ended).toMatchObject({ code: 0 });
    expect(running.stdout().endsWith('\n')).toBe(true);
    const kept = linesOf(running).length;
    expect(kept).toBeGreaterThan(7_000);
    expect(kept).toBeLessThan(10_000);
  });
});
