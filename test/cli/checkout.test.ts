import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { temporaryFolder } from '../support/engines.ts';

const script = fileURLToPath(new URL('../../roster', import.meta.url));
// As on a machine whose own Node, if it has one, is too old.
const env = { PATH: '/usr/bin:/bin' };

describe('./roster', () => {
  it('runs the program with the Node that npm brought, from any folder and through links', () => {
    using folder = temporaryFolder();
    symlinkSync(script, join(folder.path, 'absolute'));
    symlinkSync('absolute', join(folder.path, 'relative'));
    for (const file of [script, join(folder.path, 'absolute'), './relative']) {
      const { status, stdout, stderr } = spawnSync(file, ['--version'], { cwd: folder.path, env, encoding: 'utf8' });
      expect([status, stdout, stderr]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/), '']);
    }
  });

  it('passes arguments, input and exit code on', () => {
    using folder = temporaryFolder();
    const args = ['keys', 'inspect', '-', '--json'];
    const inspected = spawnSync(script, args, { cwd: folder.path, env, input: 'some token', encoding: 'utf8' });
    expect([inspected.status, JSON.parse(inspected.stdout)]).toEqual([0, { form: 'other', checksum: null }]);
    const failed = spawnSync(script, ['projects', 'create', ''], { cwd: folder.path, env, encoding: 'utf8' });
    expect(failed.status).toBe(65);
  });

  it('leaves --env-file to the program: Node takes nothing from the file, and a missing one is a bad setting', () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'roster.env');
    writeFileSync(file, 'NODE_OPTIONS=--no-such-option\nROSTER_BIN_DAYS=7\n');
    const run = (name: string) =>
      spawnSync(script, ['settings', '--env-file', name], { cwd: folder.path, env, encoding: 'utf8' });
    expect(run(file)).toMatchObject({ status: 0, stderr: '', stdout: expect.stringMatching(/ROSTER_BIN_DAYS +7 /) });
    const missing = run(join(folder.path, 'missing'));
    expect([missing.status, missing.stdout, missing.stderr]).toEqual([
      78,
      '',
      expect.stringContaining('names a file that does not exist'),
    ]);
  });

  it('says what to do where the program is not built', () => {
    using folder = temporaryFolder();
    mkdirSync(join(folder.path, 'dist'));
    cpSync(script, join(folder.path, 'roster'));
    const { status, stderr } = spawnSync(join(folder.path, 'roster'), [], { env, encoding: 'utf8' });
    expect([status, stderr]).toEqual([69, 'roster: The program is not built; run "npm ci" in its folder.\n']);
  });
});
