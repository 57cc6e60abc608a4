import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it } from 'vitest';

import { temporaryFolder } from '../support/engines.ts';
import { aClient, allTools, useEveryTool } from '../support/mcp.ts';
import { addressOf, programCommand, type Running, spawnProgram, stop } from '../support/program.ts';

/** The executable alone in a folder, without Node and any other program. */
function anExecutable() {
  const folder = temporaryFolder();
  const file = join(folder.path, 'roster');
  copyFileSync(programCommand()[0], file);
  chmodSync(file, 0o755);
  const running: Running[] = [];
  const start = (args: string[], env: Record<string, string> = {}) => {
    const one = spawnProgram(file, args, { cwd: folder.path, env: { PATH: '', TMPDIR: folder.path, ...env } });
    running.push(one);
    return one;
  };
  const run = async (args: string[], env?: Record<string, string>) => {
    const { code, stdout, stderr } = await start(args, env).ended;
    expect([args, code, stderr]).toEqual([args, 0, expect.not.stringMatching(/warn|deprecat|experimental/i)]);
    return stdout;
  };
  return {
    folder: folder.path,
    file,
    start,
    run,
    json: async <T>(...args: string[]) => JSON.parse(await run([...args, '--json'])) as T,
    write: (name: string, text: string) => {
      writeFileSync(join(folder.path, name), text);
      return name;
    },
    [Symbol.dispose]: () => {
      for (const { child } of running) child.kill('SIGKILL');
      folder[Symbol.dispose]();
    },
  };
}

type Executable = ReturnType<typeof anExecutable>;

async function serving(at: Executable, env?: Record<string, string>) {
  const server = at.start(['serve'], env);
  const address = await addressOf(server);
  return { ...server, address };
}

const everyPage = [
  '/',
  '/console',
  '/sign-in',
  '/docs',
  '/docs/js/scalar.js',
  '/openapi.json',
  '/llms.txt',
  '/livez',
  '/readyz',
];

async function expectPages(address: string): Promise<void> {
  for (const path of everyPage) expect([path, (await fetch(address + path)).status]).toEqual([path, 200]);
  const shell = await (await fetch(`${address}/console`)).text();
  for (const [, asset = ''] of shell.matchAll(/(?:src|href)="(\/console\/assets\/[^"]+)"/g)) {
    expect([asset, (await fetch(address + asset)).status]).toEqual([asset, 200]);
  }
}

describe('the executable', () => {
  it('is one file of at most 170 MB, and says its version', async () => {
    using at = anExecutable();
    expect(readdirSync(at.folder)).toEqual(['roster']);
    expect(statSync(at.file).size).toBeLessThanOrEqual(170_000_000);
    expect(await at.run(['--version'])).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(await at.run(['help', 'keys', 'create'])).toContain('Usage: roster keys create');
  });

  it('shows the demo, whose lines for curl are answered', async () => {
    using at = anExecutable();
    const demo = at.start(['demo', '--json']);
    const [line] = await demo.until(/^\{.*\}$/m);
    const { address, console: link, curl } = JSON.parse(line) as { address: string; console: string; curl: string[] };
    for (const one of curl) {
      const answer = execFileSync('/bin/sh', ['-c', `${one} --silent`], { encoding: 'utf8' });
      expect([one, JSON.parse(answer)]).toEqual([one, expect.objectContaining({ status: 'success' })]);
    }
    await expectPages(address);
    expect(await (await fetch(link)).text()).toContain('/console/assets/');
    await stop(demo);
  });

  it('ignores Node’s own variables and settings files', async () => {
    using at = anExecutable();
    at.write('one.env', 'ROSTER_BIN_DAYS=7\nNODE_OPTIONS=--no-such-option\n');
    const env = { NODE_OPTIONS: '--no-such-option' };
    for (const args of [
      ['--env-file', 'one.env', 'settings'],
      ['settings', '--env-file=one.env'],
    ]) {
      expect(await at.run(args, env)).toMatch(/^ROSTER_BIN_DAYS +7 +file one\.env$/m);
    }
    const missing = await at.start(['settings', '--env-file', 'missing.env']).ended;
    expect([missing.code, missing.stderr]).toEqual([78, expect.stringContaining('roster: Bad settings')]);
  });

  it('keeps serving after its file is deleted, and makes its backup', async () => {
    using at = anExecutable();
    const server = await serving(at, { ROSTER_BACKUP_DIR: 'backups' });
    rmSync(at.file);
    await expectPages(server.address);
    const backups = () => readdirSync(join(at.folder, 'backups'));
    await expect.poll(backups).toContainEqual(expect.stringMatching(/\.db$/));
    await stop(server);
  });

  it('leads from nothing to a service with people, and to its backup, copy and restore', async () => {
    using at = anExecutable();
    const { token, chatbotId } = await aProject(at, 'acme');
    await at.run(['projects', 'update', 'acme', '--owner', 'ada@example.com']);
    const rows = Array.from({ length: 2_000 }, (_, n) => `Zoë ${n},zoe${n}@example.com\n`);
    at.write('people.csv', `Full name,E-mail\n${rows.join('')}`);
    at.write('team.csv', 'E-mail,Role\ngrace@example.com,Admin\n');
    expect(await at.json('contacts', 'import', 'people.csv', '--chatbot', chatbotId)).toMatchObject({ created: 2_000 });
    expect(await at.json('members', 'import', 'team.csv', '--project', 'acme')).toMatchObject({ created: 1 });

    const server = await serving(at, { ROSTER_RATE_LIMIT: '0' });
    await expectPages(server.address);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const post = (path: string, body: object) =>
      fetch(`${server.address}/v2/chatbots/${chatbotId}/contacts${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
    const contactsOf = async (answer: Promise<Response>) =>
      ((await (await answer).json()) as { data: { contacts: object[] } }).data.contacts;
    expect(await contactsOf(post('/search', { query: 'zoe 1999' }))).toMatchObject([{ email: 'zoe1999@example.com' }]);
    const client = aClient();
    const url = new URL(`${server.address}/mcp`);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
    expect((await client.listTools()).tools).toHaveLength(allTools.length);
    await client.close();
    await at.run(['backup', 'create', 'today.db']);
    const items = rows.slice(0, 1_000).map((_, n) => ({ op: 'upsert', match: { email: `late${n}@example.com` } }));
    expect(await (await post('/bulk', { items })).json()).toMatchObject({ data: { succeeded: 1_000, failed: 0 } });
    await stop(server);

    const other = await aProject(at, 'other');
    at.write('key.txt', `${other.token}\n`);
    const overStdio = aClient();
    const args = ['mcp', '--key-file', 'key.txt'];
    await overStdio.connect(new StdioClientTransport({ command: at.file, args, env: { PATH: '' }, cwd: at.folder }));
    await useEveryTool(overStdio, other.chatbotId);
    await overStdio.close();

    await at.run(['copy', '--to', 'sqlite:copy.db']);
    await at.run(['restore', 'today.db']);
    expect(await at.json('projects', 'list')).toMatchObject([{ id: 'acme' }]);
    const { checks } = await at.json<{ checks: { status: string }[] }>('doctor');
    expect(checks.filter(({ status }) => !['ok', 'warning'].includes(status))).toEqual([]);
    expect(await at.run(['completion', 'bash'])).toContain('roster');
  });
});

async function aProject(at: Executable, id: string): Promise<{ token: string; chatbotId: string }> {
  const ofProject = ['--project', id];
  await at.run(['projects', 'create', 'Example Ltd', '--id', id]);
  const chatbot = await at.json<{ id: string }>('chatbots', 'create', '--name', 'Front desk', ...ofProject);
  const key = await at.json<{ token: string }>('keys', 'create', '--name', 'all', '--scope', 'all', ...ofProject);
  return { token: key.token, chatbotId: chatbot.id };
}
