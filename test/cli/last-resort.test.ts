import { connect } from 'node:net';

import { describe, expect, it } from 'vitest';

import { anInstallation, aProjectThere, linesOf, serving } from '../support/process.ts';
import type { Running } from '../support/program.ts';
import { beginRequest } from '../support/raw.ts';

/** Runs the text in every process before the program. */
const withHook = (text: string) => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(text)}`,
});

/** Each SIGUSR2 is a failure that nobody catches, with personal data in its message and beside it. */
const planted = "Object.assign(new TypeError('planted@example.com\\n    at planted'), { sql: 'planted' })";
const ways = {
  thrown: withHook(`process.on('SIGUSR2', () => { throw ${planted} })`),
  rejected: withHook(`process.on('SIGUSR2', () => { Promise.reject(${planted}) })`),
};

const script = '/docs/js/scalar.js';
const scripts = 4;

const answersOf = (server: Running) => linesOf(server).filter(({ route }) => route === script);

/** Asks on one connection for more than all buffers on the way hold; `readOn` resolves with all that came. */
async function beginAnswers(server: Running & { address: string }) {
  const socket = connect(Number(new URL(server.address).port), '127.0.0.1').pause();
  socket.write(`GET ${script} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(scripts));
  await expect.poll(() => answersOf(server)).toHaveLength(scripts);
  return {
    readOn: async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of socket) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks).toString('latin1');
    },
  };
}

describe('a failure that nobody caught', () => {
  it.each(Object.entries(ways))(
    'takes the service out: no new work, what is in flight is finished, exit 70 (%s)',
    async (_way, env) => {
      await using at = await anInstallation();
      const server = await serving(at, env);
      const request = await beginRequest(server.address);
      const answers = await beginAnswers(server);
      server.child.kill('SIGUSR2');
      await server.until(/"msg":"stopping"/);
      await expect(fetch(`${server.address}/livez`)).rejects.toThrow();
      expect(await request.finish()).toMatch(/^HTTP\/1\.1 503 .*\r\n\r\n\{"status":"error".*\}$/s);
      const [first = '', ...others] = (await answers.readOn()).split(/(?=HTTP\/1\.1 )/);
      const [, length = ''] = /^content-length: (\d+)/m.exec(first) ?? [];
      for (const one of [first, ...others]) expect(one.length - one.indexOf('\r\n\r\n') - 4).toBe(Number(length));
      expect(Number(length)).toBeGreaterThan(1_000_000);
      expect(others).toHaveLength(scripts - 1);
      const ended = await server.ended;
      expect(ended).toMatchObject({ code: 70, signal: null, stderr: '' });
      expect(linesOf(server)).toContainEqual({
        level: 'fatal',
        time: expect.any(String),
        failure: 'TypeError',
        at: expect.arrayContaining([expect.stringContaining('data:text/javascript')]),
        msg: 'uncaught error: finishing requests in flight, then exiting',
      });
      expect(linesOf(server).at(-1)).toMatchObject({ msg: 'stopped' });
      // The place is in a text of the test's own, which has it all.
      expect(ended.stdout.replaceAll(/data:text\/javascript[^":]+/g, '')).not.toContain('planted');
    },
  );

  it('ends the service at once when it is the second', async () => {
    await using at = await anInstallation();
    const server = await serving(at, ways.thrown);
    await beginRequest(server.address);
    server.child.kill('SIGUSR2');
    await server.until(/"msg":"stopping"/);
    server.child.kill('SIGUSR2');
    const ended = await server.ended;
    expect(ended).toMatchObject({ code: 70, signal: null, stderr: '' });
    expect(linesOf(server).filter(({ level }) => level === 'fatal')).toHaveLength(2);
    expect(ended.stdout).not.toContain('"msg":"stopped"');
  });

  it('does not pass for a clean stop when it comes in the middle of one', async () => {
    await using at = await anInstallation();
    const server = await serving(at, ways.rejected);
    const request = await beginRequest(server.address);
    server.child.kill('SIGTERM');
    await server.until(/"msg":"stopping"/);
    server.child.kill('SIGUSR2');
    await server.until(/"level":"fatal"/);
    expect(await request.finish()).toMatch(/^HTTP\/1\.1 503 /);
    expect(await server.ended).toMatchObject({ code: 70, signal: null, stderr: '' });
  });

  it.each([
    ['thrown', `throw ${planted}`],
    ['rejected', `Promise.reject(${planted})`],
  ])('ends a command with one sentence and 70 (%s)', async (_way, failure) => {
    await using at = await anInstallation();
    await aProjectThere(at);
    // Once the program is set up; its input never ends.
    const hook = `const timer = setInterval(() => {
      if (process.listenerCount('uncaughtException') === 0) return;
      clearInterval(timer);
      ${failure};
    }, 10)`;
    const importing = at.start(['contacts', 'import', '-', '--chatbot', '8839210412'], withHook(hook));
    expect(await importing.ended).toMatchObject({
      code: 70,
      stdout: '',
      stderr:
        'roster: Something unforeseen went wrong (TypeError); please report it, with the output of "roster doctor".\n',
    });
  });

  it('ends a command with 70 too where it came back to the command itself', async () => {
    await using at = await anInstallation();
    const hook = `import { DatabaseSync } from 'node:sqlite';
      DatabaseSync.prototype.exec = () => { throw new TypeError('made up') }`;
    const { code, stderr } = await at.run(['projects', 'create', 'Example Ltd'], { env: withHook(hook) });
    expect([code, stderr]).toEqual([70, expect.stringMatching(/^roster: Something unforeseen .*doctor"\.\n$/)]);
  });
});
