import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

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

  it('print help with examples, for every command', async () => {
    await using at = await anInstallation();
    const pages = [
      '',
      'demo',
      'serve',
      'projects',
      'chatbots',
      'keys',
      'members',
      'contacts',
      'projects create',
      'projects list',
      'chatbots create',
      'chatbots list',
      'keys create',
      'keys list',
      'keys revoke',
      'keys rotate',
      'keys inspect',
      'members import',
      'members export',
      'contacts import',
      'contacts export',
      'migrate',
      'backup',
      'backup verify',
      'doctor',
    ];
    await Promise.all(
      pages.map(async (page) => {
        const { code, stdout, stderr } = await at.run([...page.split(' ').filter(Boolean), '--help']);
        expect([page, code, stderr]).toEqual([page, 0, '']);
        expect(stdout).toMatch(/Examples:\n {2}\$ /);
      }),
    );
  });

  it('print it for what stands after "help", too', async () => {
    await using at = await anInstallation();
    const { stdout } = await at.run(['keys', 'create', '--help']);
    expect(await at.run(['help', 'keys', 'create'])).toMatchObject({ code: 0, stdout, stderr: '' });
    const { code, stderr } = await at.run(['help', 'nonsense']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^roster: unknown command 'nonsense'/)]);
  });

  it('print the version of the package', async () => {
    await using at = await anInstallation();
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    expect(await at.run(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n` });
  });
});
