import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { backupsFinding } from '../../../src/cli/doctor/backups.ts';
import { noEnvFile } from '../../../src/config/env-file.ts';
import { readConfig } from '../../../src/config/read-config.ts';
import { ask } from '../../support/clients.ts';
import { freePort } from '../../support/free-port.ts';
import {
  anInstallation,
  aProjectThere,
  findingOf,
  type Installation,
  linesOf,
  serving,
  stop,
} from '../../support/process.ts';

const dated = /^roster-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.db$/;
const fullDisk = new URL('../../support/full-disk.ts', import.meta.url).href;

const backupsOf = (folder: string) =>
  existsSync(folder) ? readdirSync(folder).filter((name) => dated.test(name)) : [];

const doctorOf = (at: Installation, env: Record<string, string>) => findingOf(at, 'backups', env);

/** A program that notes its arguments and its environment in files. */
function aCommand(at: Installation): string {
  const file = join(at.folder, 'copy-away');
  writeFileSync(file, `#!/bin/sh\necho "$# $1" >> '${at.folder}/taken'\nenv > '${at.folder}/environment'\n`, {
    mode: 0o700,
  });
  return file;
}

describe('roster serve with ROSTER_BACKUP_DIR', () => {
  it('makes verified backups, keeps the newest, and passes each to the command without a secret', async () => {
    await using at = await anInstallation();
    const { token } = await aProjectThere(at);
    const folder = join(at.folder, 'new', 'backups');
    const port = String(await freePort());
    const env = {
      ROSTER_BACKUP_DIR: folder,
      ROSTER_BACKUP_EVERY: '1s',
      ROSTER_BACKUP_KEEP: '1',
      ROSTER_BACKUP_COMMAND: aCommand(at),
    };
    expect(await doctorOf(at, env)).toMatchObject({
      status: 'warning',
      finding: expect.stringContaining('none is in'),
    });
    const secret = { PLANTED_PASSWORD: 'planted', ROSTER_SECURITY_CONTACT: 'mailto:planted@example.com' };
    const server = await serving(at, { ...env, ...secret, ROSTER_METRICS_PORT: port });
    const made = () => linesOf(server).filter(({ msg }) => msg === 'made and verified a backup');
    await expect.poll(() => made().length, { timeout: 30_000 }).toBeGreaterThan(1);
    const answer = await fetch(`${server.address}/v2/members`, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(200);
    const metrics = async () => (await ask(`http://127.0.0.1:${port}/metrics`)).body;
    await expect.poll(metrics).toMatch(/^roster_last_backup_timestamp_seconds \d{10}$/m);
    expect(await metrics()).toMatch(/^roster_backup_every_seconds 1$/m);
    expect((await stop(server)).stderr).toBe('');

    const [newest = '', ...older] = backupsOf(folder);
    expect(older).toEqual([]);
    const modes = [folder, ...readdirSync(folder).map((name) => join(folder, name))].map((one) => statSync(one).mode);
    expect(modes.map((mode) => mode & 0o777)).toEqual([0o700, ...modes.slice(1).map(() => 0o600)]);
    const verified = await at.json<object>(['backup', 'verify', join(folder, newest)]);
    expect(verified).toMatchObject({ checked: 'digest and structure', rows: { projects: 1 } });
    const taken = readFileSync(join(at.folder, 'taken'), 'utf8').trim().split('\n');
    expect(taken).toContain(`1 ${join(folder, newest)}`);
    expect(new Set(taken).size).toBe(taken.length);
    const environment = readFileSync(join(at.folder, 'environment'), 'utf8');
    expect(environment).not.toMatch(/planted|ROSTER_|DATABASE_URL/);
    expect(environment).toMatch(/^PATH=/m);

    const daily = { ...env, ROSTER_BACKUP_EVERY: '24h' };
    expect(await doctorOf(at, daily)).toMatchObject({ status: 'ok', finding: expect.stringContaining('minutes ago') });
    const stale = { status: 'warning', finding: expect.stringContaining('too old') };
    await expect.poll(() => doctorOf(at, env)).toMatchObject(stale);
  });

  it('logs a failure and leaves nothing of it, and two services make one backup', async () => {
    await using at = await anInstallation();
    await aProjectThere(at);
    const folder = join(at.folder, 'backups');
    mkdirSync(folder);
    chmodSync(folder, 0o777);
    const env = { ROSTER_BACKUP_DIR: folder, ROSTER_BACKUP_EVERY: '1s' };
    const full = await serving(at, { ...env, NODE_OPTIONS: `--import=${fullDisk}`, FREE_BYTES: '0' });
    const errorsOf = (server: typeof full) => linesOf(server).filter(({ level }) => level === 'error');
    await expect.poll(() => errorsOf(full).length, { timeout: 30_000 }).toBeGreaterThan(0);
    await full.until(/other users of this machine may write to ROSTER_BACKUP_DIR/);
    expect(errorsOf(full)[0]).toMatchObject({ step: 'backup', msg: expect.stringMatching(/^The disk is full; make/) });
    await stop(full);
    expect(readdirSync(folder)).toEqual([]);

    // Two services make one backup.
    const failing = { ...env, ROSTER_BACKUP_EVERY: '24h', ROSTER_BACKUP_COMMAND: '/bin/false' };
    const servers = await Promise.all([serving(at, failing), serving(at, failing)]);
    const errors = () => servers.flatMap(errorsOf);
    await expect.poll(() => errors().length, { timeout: 30_000 }).toBeGreaterThan(0);
    for (const error of errors()) expect(error).toMatchObject({ step: 'command', next_try_s: 60 });
    for (const { child } of servers) child.kill();
    for (const { ended } of servers) expect(await ended).toMatchObject({ code: 0 });
    expect(backupsOf(folder)).toHaveLength(1);
    const untaken = { status: 'warning', finding: expect.stringContaining('has not copied the newest') };
    expect(await doctorOf(at, failing)).toMatchObject(untaken);
  });

  it('ends a backup and a command cleanly when it stops', async () => {
    await using at = await anInstallation();
    await aProjectThere(at);
    const folder = join(at.folder, 'backups');
    mkdirSync(folder, { mode: 0o700 });
    // SQLite cannot be interrupted in a statement; this one never ends.
    const hook = `import { DatabaseSync } from 'node:sqlite';
      const { prepare } = DatabaseSync.prototype;
      DatabaseSync.prototype.prepare = function (text, ...more) {
        if (text.startsWith('vacuum into')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
        return prepare.call(this, text, ...more);
      };`;
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(hook)}`;
    const server = await serving(at, { ROSTER_BACKUP_DIR: folder, NODE_OPTIONS });
    await expect.poll(() => readdirSync(folder), { timeout: 30_000 }).toEqual([expect.stringMatching(/unfinished$/)]);
    server.child.kill();
    const { code, stdout } = await server.ended;
    expect([code, readdirSync(folder)]).toEqual([0, []]);
    expect(readdirSync(at.folder).filter((name) => name.includes('journal'))).toEqual([]);
    expect(stdout).not.toContain('"level":"error"');

    const hangs = join(at.folder, 'hangs');
    writeFileSync(hangs, `#!/bin/sh\nsleep 60 & echo $! > '${at.folder}/sleeper'; wait\n`, { mode: 0o700 });
    const second = await serving(at, { ROSTER_BACKUP_DIR: folder, ROSTER_BACKUP_COMMAND: hangs });
    const sleeper = () => existsSync(join(at.folder, 'sleeper')) && readFileSync(join(at.folder, 'sleeper'), 'utf8');
    await expect.poll(sleeper, { timeout: 30_000 }).toMatch(/^\d+\n$/);
    second.child.kill();
    expect(await second.ended).toMatchObject({ code: 0, stdout: expect.not.stringContaining('"level":"error"') });
    // It has ended, though nobody may have taken note of it yet.
    const status = `/proc/${Number(sleeper())}/status`;
    await expect.poll(() => existsSync(status) && !/^State:\s+Z/m.test(readFileSync(status, 'utf8'))).toBe(false);
    expect(readdirSync(folder).map((name) => name.slice('roster-2026-11-25T02-45-42Z'.length))).toEqual([
      '.db',
      '.db.sha256',
    ]);
  });

  it('refuses to start on PostgreSQL, and names its own tools', async () => {
    await using at = await anInstallation();
    const env = { DATABASE_URL: 'postgres://roster@db.example.com/roster', ROSTER_BACKUP_DIR: 'backups' };
    const { code, stderr } = await at.run(['serve'], { env });
    const sentence = expect.stringMatching(/ROSTER_BACKUP_DIR is for SQLite; .*pg_dump.*WAL archiving/);
    expect([code, stderr]).toEqual([78, sentence]);
    const config = readConfig(env, noEnvFile);
    expect(await backupsFinding(config)).toMatchObject({ status: 'failed', finding: sentence });
  });
});
