import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { scopes } from '../../src/actor.ts';
import { settings } from '../../src/config/settings.ts';
import { anInstallation } from '../support/process.ts';

describe('the commands that need no store', () => {
  it('inspect a token from stdin, offline', async () => {
    await using at = await anInstallation();
    const env = { DATABASE_URL: 'sqlite:/nonexistent/folder/x.db' };
    const inspect = (input: string) => at.json(['keys', 'inspect', '-'], { input, env });
    expect(await inspect('rst_zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17\n')).toEqual({
      form: 'roster',
      checksum: 'valid',
    });
    expect(await inspect('rst_zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq18')).toEqual({
      form: 'roster',
      checksum: 'invalid',
    });
    expect(await inspect('something-else')).toEqual({ form: 'other', checksum: null });
  });

  it('print help that suffices on 80 columns: required options, exit codes, settings and two examples', async () => {
    await using at = await anInstallation();
    const texts = new Map<string, string>();
    const check = async (words: string[]): Promise<string[]> => {
      const { code, stdout, stderr } = await at.run([...words, '--help']);
      const page = words.join(' ');
      texts.set(page, stdout);
      expect([page, code, stderr]).toEqual([page, 0, '']);
      expect([page, stdout.split('\n').filter((line) => line.length > 80)]).toEqual([page, []]);
      expect([page, stdout]).toEqual([page, expect.stringMatching(/\nExit codes: 0 done;.* 130\s/s)]);
      const [, examples = ''] = /\nExamples:\n((?: {2,}.*\n)+)/.exec(stdout) ?? [];
      expect([page, examples.match(/^ {2}\$ /gm)?.length]).toEqual([page, expect.toSatisfy((n) => n >= 2)]);
      const [, commands = ''] = /\nCommands:\n(.*?)\n\n/s.exec(stdout) ?? [];
      const names = [...commands.matchAll(/^ {2}([a-z]\S*)/gm)].map(([, name = '']) => name);
      const below = await Promise.all(names.filter((name) => name !== 'help').map((name) => check([...words, name])));
      return [page, ...below.flat()];
    };
    const pages = await check([]);
    for (const page of ['serve', 'settings', 'keys create', 'contacts import', 'backup verify'])
      expect(pages).toContain(page);
    await expect(pages.map((page) => texts.get(page)).join('\n')).toMatchFileSnapshot('golden/help.txt');
  });

  it('name in the help what a command takes and reads', async () => {
    await using at = await anInstallation();
    const pages = await Promise.all(
      ['members import', 'contacts import', 'keys create', 'serve', 'keys inspect', 'demo'].map(
        async (page) => (await at.run([...page.split(' '), '--help'])).stdout,
      ),
    );
    const [members, contacts, keys, serve, inspect, demo] = pages.map((page) => page.replaceAll(/\s+/g, ' '));
    expect(members).toContain('--project <id> the project, by id (required)');
    expect(members).toContain('Roles: Owner, Admin, Editor, Analyst, Agent, Billing, Viewer');
    expect(members).toContain('Statuses: Active, Pending');
    expect(contacts).toContain('Fields: id, name, email,');
    for (const scope of scopes) expect(keys).toContain(scope);
    for (const { variable } of Object.values(settings)) expect(serve).toContain(` ${variable} `);
    expect(serve).not.toContain('HOST=0.0.0.0');
    expect(serve).toContain('Settings, from the environment or --env-file FILE:');
    expect(demo).toContain('Settings, from the environment alone:');
    expect(inspect).not.toContain('DATABASE_URL');
  });

  it('show how backup and keys find are called, and answer --port with the setting', async () => {
    await using at = await anInstallation();
    const usage = async (...words: string[]) => (await at.run([...words, '--help'])).stdout.split('\n')[0];
    expect(await usage('backup')).toBe('Usage: roster backup [options] <file>');
    expect(await usage('keys', 'find')).toBe('Usage: roster keys find [options] - < FILE');
    for (const command of ['serve', 'demo']) {
      const { code, stderr } = await at.run([command, '--port', '4700']);
      expect([code, stderr]).toEqual([2, expect.stringContaining('set PORT in the environment instead')]);
    }
  });

  it('print it for what stands after "help", too', async () => {
    await using at = await anInstallation();
    const { stdout } = await at.run(['keys', 'create', '--help']);
    expect(await at.run(['help', 'keys', 'create'])).toMatchObject({ code: 0, stdout, stderr: '' });
    const { code, stderr } = await at.run(['help', 'nonsense']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^roster: unknown command 'nonsense'/)]);
  });

  it('read no more of stdin than a token can have', async () => {
    await using at = await anInstallation();
    const running = at.start(['keys', 'inspect', '-']);
    running.child.stdin?.on('error', () => undefined).write('x'.repeat(100_000));
    // Its end is never sent.
    expect(await running.ended).toMatchObject({ code: 65, stderr: expect.stringContaining('more than a token') });
  });

  it('show every setting with its place, without user and password, and the mistakes at last', async () => {
    await using at = await anInstallation();
    const env = { DATABASE_URL: 'postgres://roster:secret@db.example.com/roster', ROSTER_RATE_LIMIT: '5' };
    const shown = await at.json<{ name: string; value: string | null; source: string }[]>(['settings'], { env });
    expect(shown.map(({ name }) => name)).toEqual(Object.values(settings).map(({ variable }) => variable));
    const one = (name: string) => shown.find((setting) => setting.name === name);
    expect(one('DATABASE_URL')).toMatchObject({ value: 'postgres://***@db.example.com/roster', source: 'environment' });
    expect(one('ROSTER_RATE_LIMIT')).toMatchObject({ value: '5', source: 'environment' });
    expect(one('LOG_LEVEL')).toMatchObject({ value: 'info', source: 'default' });
    const wrong = await at.run(['settings', '--json'], { env: { LOG_LEVEL: 'loud' } });
    expect([wrong.code, wrong.stderr]).toEqual([78, expect.stringMatching(/^roster: Bad settings:\n {2}LOG_LEVEL /)]);
    expect(JSON.parse(wrong.stdout)).toContainEqual(expect.objectContaining({ name: 'LOG_LEVEL', value: null }));
  });

  it('print the version of the package', async () => {
    await using at = await anInstallation();
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    expect(await at.run(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n` });
  });
});
