import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { anInstallation, findingOf, stop } from '../support/process.ts';

describe('a project without an Owner', () => {
  it('is named by doctor and gets one by command, once', async () => {
    await using at = await anInstallation();
    await at.run(['migrate']);
    await at.json(['projects', 'create', 'Acme', '--id', 'acme']);
    const doctor = async () => (await at.run(['doctor'])).stdout;
    expect(await doctor()).toMatch(
      /warning +owners +1 project has no Owner.*acme\n +fix: roster projects update acme --owner/,
    );

    expect((await at.run(['projects', 'update', 'acme', '--owner', 'ada@example.com'])).code).toBe(0);
    const listed = await at.json(['members', 'list', '--project', 'acme']);
    expect(listed).toMatchObject({ members: [{ email: 'ada@example.com', status: 'Active', roles: ['Owner'] }] });
    expect(await doctor()).toMatch(/ok +owners +every project has its Owner/);

    const second = await at.run(['projects', 'update', 'acme', '--owner', 'bob@example.com']);
    expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining('members transfer') });
  });
});

describe('doctor', () => {
  it('warns if others reach the service while its links work on this machine only', async () => {
    await using at = await anInstallation();
    await at.run(['migrate']);
    const links = async (env: Record<string, string>) => (await findingOf(at, 'links', env))?.status;
    const ROSTER_PUBLIC_URL = 'https://roster.example.com';
    expect(await links({})).toBe('ok');
    expect(await links({ HOST: '0.0.0.0' })).toBe('warning');
    expect(await links({ ROSTER_TRUST_PROXY: '127.0.0.1/32' })).toBe('warning');
    expect(await links({ HOST: '0.0.0.0', ROSTER_PUBLIC_URL })).toBe('ok');
  });
});

describe('serve on a terminal', () => {
  it('prints the set-up link, and warns if it works on this machine only', async () => {
    await using at = await anInstallation();
    const terminal = { NODE_OPTIONS: '--import=data:text/javascript,process.stdout.isTTY=true', NO_COLOR: '1' };
    const started = async (env: Record<string, string>) => {
      const server = at.start(['serve'], { ...terminal, ...env });
      await expect.poll(() => server.stderr()).toContain('/setup#');
      return (await stop(server)).stderr;
    };
    expect(await started({})).toMatch(
      / http:\/\/localhost:\d+\/setup#\w+\n\nThis link works on this machine only; set /,
    );
    const elsewhere = await started({ ROSTER_PUBLIC_URL: 'https://roster.example.com' });
    expect(elsewhere).toMatch(/ https:\/\/roster\.example\.com\/setup#\w+\n\n$/);
  });
});

describe('serve without a terminal', () => {
  it('logs which command prints the set-up link while nobody can sign in, and never the link', async () => {
    await using at = await anInstallation();
    const logged = async () => {
      const server = at.start(['serve']);
      await expect.poll(() => server.stdout()).toContain('listening at');
      return (await stop(server)).stdout;
    };
    expect(await logged()).toContain('\\"roster projects create NAME\\" makes the first project');
    await at.json(['projects', 'create', 'Acme', '--id', 'acme']);
    const log = await logged();
    expect(log).toContain('\\"roster console setup-link --project acme\\" prints its link');
    expect(log).not.toContain('/setup#');
  });
});

describe('the file of settings', () => {
  it('is read by each command that names it, anywhere among its words', async () => {
    await using at = await anInstallation();
    const file = join(at.folder, 'roster.env');
    writeFileSync(file, 'ROSTER_BIN_DAYS=7\n');
    for (const args of [
      ['--env-file', file, 'settings', '--json'],
      ['settings', '--json', `--env-file=${file}`],
    ]) {
      const { stdout } = await at.run(args);
      const days = (JSON.parse(stdout) as { name: string }[]).find(({ name }) => name === 'ROSTER_BIN_DAYS');
      expect(days).toMatchObject({ value: '7', source: 'file', file });
    }
    writeFileSync(file, 'DATABSE_URL=sqlite:other.db\nDATABASE_URL_FILE=url.txt\nTZ=UTC\nNODE_OPTIONS=\n');
    const { stderr } = await at.run(['settings', '--env-file', file]);
    expect(stderr).toBe('DATABSE_URL in the file is not a setting (did you mean DATABASE_URL?).\n');
    expect(await at.run(['settings', '--env-file'])).toMatchObject({ code: 2 });
  });
});
