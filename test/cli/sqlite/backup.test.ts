import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { openUsable } from '../../../src/cli/open.ts';
import { openDatabase } from '../../../src/database/open-store.ts';
import { migrate, readMigrations } from '../../../src/database/upkeep/migrate.ts';
import { makeUnfinished } from '../../../src/new-file.ts';
import { anInstallation, aProjectThere, findingOf, type Installation, serving, stop } from '../../support/process.ts';

const fullDisk = new URL('../../support/full-disk.ts', import.meta.url).href;
const dated = /^roster-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.db$/;

interface Report {
  file: string;
  sha256: string;
  checked: string;
  rows: Record<string, number>;
  removed?: string[];
}

describe('backup create', () => {
  it('into a folder makes a dated file, and removes only the oldest of such names', async () => {
    await using at = await anInstallation();
    await aProjectThere(at);
    const folder = join(at.folder, 'backups');
    const old = (day: number) => `roster-2026-01-0${day}T03-00-00Z.db`;
    const others = ['roster-2026-01-01.db', 'my-roster-2026-01-01T03-00-00Z.db', `${old(1)}.gz`];
    mkdirSync(join(folder, 'roster-2026-01-09T03-00-00Z.db'), { recursive: true });
    for (const name of others) writeFileSync(join(folder, name), 'kept');
    for (const day of [1, 2, 3]) {
      writeFileSync(join(folder, old(day)), 'old');
      writeFileSync(join(folder, `${old(day)}.sha256`), 'old');
    }
    const { code, stdout, stderr } = await at.run(['backup', 'create', 'backups', '--keep', '2', '--json']);
    const report = JSON.parse(stdout) as Report;
    const removed = [1, 2].map((day) => join('backups', old(day)));
    expect([code, report.removed, report.checked]).toEqual([0, removed, 'digest and structure']);
    for (const name of removed) expect(stderr).toContain(`Removed the older backup ${name}.`);
    expect(stderr).toContain(`Backed up the sqlite database ${join(at.folder, 'roster.db')}.`);
    const made = readdirSync(folder, { withFileTypes: true }).filter((one) => one.isFile() && dated.test(one.name));
    expect(made.map(({ name }) => join('backups', name))).toEqual([join('backups', old(3)), report.file]);
    expect(readFileSync(join(at.folder, `${report.file}.sha256`), 'utf8')).toContain(report.sha256);
    expect(existsSync(join(folder, `${old(1)}.sha256`))).toBe(false);
    for (const name of others) expect(existsSync(join(folder, name))).toBe(true);
    expect(report.rows).toMatchObject({ projects: 1, events: 3 });
  });

  it('replaces no file that stands where its digest would, and takes over none that is unfinished', async () => {
    await using at = await anInstallation();
    await aProjectThere(at);
    const precious = join(at.folder, 'precious');
    writeFileSync(precious, 'kept');
    symlinkSync(precious, join(at.folder, 'linked.db.sha256'));
    writeFileSync(join(at.folder, 'there.db.sha256'), 'kept');
    for (const name of ['linked.db', 'there.db']) {
      const { code, stderr } = await at.run(['backup', 'create', name]);
      expect([code, stderr]).toEqual([74, expect.stringContaining(`${name}.sha256; name another`)]);
      expect(existsSync(join(at.folder, name))).toBe(false);
      expect(readFileSync(join(at.folder, `${name}.sha256`), 'utf8')).toBe('kept');
    }
    const foreign = join(at.folder, `foreign.db.${process.pid}.unfinished`);
    writeFileSync(foreign, 'kept', { mode: 0o666 });
    // In a container a killed process had the same id.
    const own = makeUnfinished(join(at.folder, 'foreign.db'));
    expect(own).not.toBe(foreign);
    expect(readFileSync(foreign, 'utf8')).toBe('kept');
    expect(statSync(own)).toMatchObject({ size: 0, mode: 0o100600 });
  });
});

describe('backup verify', () => {
  it('always gives the digest, and says where nothing but the structure was checked', async () => {
    await using at = await anInstallation();
    await aProjectThere(at);
    const { sha256 } = await at.json<Report>(['backup', 'b.db']);
    cpSync(join(at.folder, 'b.db'), join(at.folder, 'alone.db'));
    const { code, stdout, stderr } = await at.run(['backup', 'verify', 'alone.db', '--json']);
    expect([code, JSON.parse(stdout), stderr]).toEqual([
      0,
      expect.objectContaining({ sha256, checked: 'structure only: no digest beside it', integrity: 'ok' }),
      'No digest beside it: only its structure was checked.\n',
    ]);
    mkdirSync(join(at.folder, 'alone.db.sha256'));
    expect(await at.run(['backup', 'verify', 'alone.db', '--json'])).toMatchObject({ code, stdout, stderr });
  });
});

/** A database of the first version, or with so many migrations, with a project. */
async function anOldDatabase(at: Installation, { empty = false, applied = 1 } = {}): Promise<void> {
  await using database = await openDatabase(at.databaseUrl);
  await migrate(database, readMigrations('sqlite').slice(0, applied));
  if (empty) return;
  await database.script(
    `insert into projects (id, name, created_at) values ('acme', 'Example Ltd', '2026-01-01T00:00:00+00:00')`,
  );
}

describe('before a migration', () => {
  const name = 'roster.db.before-0002-dense-members.db';
  const backups = (at: Installation) => readdirSync(at.folder).filter((one) => /before-.*\.db$/.test(one));

  it('a database with people is backed up', async () => {
    await using at = await anInstallation();
    await anOldDatabase(at);
    expect((await at.run(['migrate', '--status'])).stderr).toBe('');
    expect(backups(at)).toEqual([]);
    const { code, stderr } = await at.run(['migrate']);
    const file = join(at.folder, name);
    expect([code, stderr]).toEqual([0, `Before the migration the database was backed up to ${file}.\n`]);
    expect(await at.json(['backup', 'verify', file])).toMatchObject({
      rows: { projects: 1 },
      pending: readMigrations('sqlite')
        .slice(1)
        .map((one) => one.name),
      checked: 'digest and structure',
    });
    expect((await at.run(['migrate'])).stderr).toBe('');
    expect(backups(at)).toEqual([name]);
  });

  it('by serve too, and an earlier backup of this name is kept, or what is left of one', async () => {
    await using at = await anInstallation();
    await anOldDatabase(at);
    writeFileSync(join(at.folder, name), 'precious');
    writeFileSync(join(at.folder, 'roster.db.before-0002-dense-members-2.db.sha256'), 'left over');
    const server = await serving(at);
    expect((await stop(server)).stderr).toMatch(/backed up to .*before-0002-dense-members-3\.db\.\n$/);
    expect(readFileSync(join(at.folder, name), 'utf8')).toBe('precious');
    expect(backups(at)).toHaveLength(2);
  });

  it('by another name, where a link leads nowhere or a killed process with this id has begun one', async () => {
    await using at = await anInstallation();
    await anOldDatabase(at);
    symlinkSync('nowhere', join(at.folder, name));
    symlinkSync('nowhere', join(at.folder, name.replace(/\.db$/, '-2.db.sha256')));
    const third = name.replace(/\.db$/, '-3.db');
    const begun = join(at.folder, `${third}.${process.pid}.unfinished`);
    writeFileSync(begun, 'begun');
    await using _ = await openUsable(at.databaseUrl, { migrates: true });
    expect(backups(at).toSorted()).toEqual([third, name].toSorted());
    expect(readFileSync(begun, 'utf8')).toBe('begun');
  });

  it('a new or empty database is not', async () => {
    await using at = await anInstallation();
    await anOldDatabase(at, { empty: true });
    expect((await at.run(['migrate'])).stderr).toBe('');
    const env = { DATABASE_URL: `sqlite:${join(at.folder, 'new.db')}` };
    expect((await at.run(['projects', 'create', 'New'], { env })).stderr).toBe('');
    expect(backups(at)).toEqual([]);
  });

  it.each([
    ['0', 'the disk is full; make room'],
    ['digest', 'the disk reports an input/output error'],
  ])('nothing is migrated where no backup can be made, and nothing is left of it: %s', async (bytes, reason) => {
    await using at = await anInstallation();
    await anOldDatabase(at, { applied: -1 });
    const env = { NODE_OPTIONS: `--import=${fullDisk}`, FREE_BYTES: bytes };
    const sentence = new RegExp(
      `^roster: Nothing was migrated, as no backup could be made at .*: The store cannot be used: ${reason}.*\\.\n$`,
    );
    for (const args of [['migrate'], ['serve']]) {
      const { code, stderr } = await at.run(args, { env });
      expect([args, code, stderr]).toEqual([args, 69, expect.stringMatching(sentence)]);
    }
    expect(readdirSync(at.folder).filter((one) => one.includes('before'))).toEqual([]);
    expect((await at.json<{ pending: string[] }>(['migrate', '--status'])).pending).toHaveLength(1);
  });
});

describe('copies that lie beside the database', () => {
  it('are named with their age, size and removal by doctor, and after a deletion for good', async () => {
    await using at = await anInstallation();
    await aProjectThere(at);
    expect(await findingOf(at, 'copies')).toMatchObject({ status: 'ok' });
    expect((await at.run(['chatbots', 'delete', '8839210412', '--yes'])).stderr).toBe('');
    await at.json(['backup', 'create', 'backup.db']);
    const { moved_aside: aside } = await at.json<{ moved_aside: string[] }>(['restore', 'backup.db']);
    const told =
      /^1 older copy of the database lies beside it, and may hold people who are deleted here \(\d{3} KiB, the newest of 2.* \(\d+ minutes? ago\)\)/;
    expect(await findingOf(at, 'copies')).toEqual({
      check: 'copies',
      status: 'warning',
      finding: expect.stringMatching(told),
      command: `rm ${aside.toSorted().join(' ')}`,
    });
    const { stderr } = await at.run(['projects', 'delete', 'acme', '--yes']);
    expect(stderr).toMatch(told);
    expect(stderr).toContain(`; remove them with: rm ${aside.toSorted().join(' ')}\n`);
  });

  it('do not fail a deletion for good where one is a link that leads nowhere', async () => {
    await using at = await anInstallation();
    await aProjectThere(at);
    symlinkSync('nowhere', join(at.folder, 'roster.db.before-moved'));
    expect(await at.run(['projects', 'delete', 'acme', '--yes'])).toMatchObject({ code: 0 });
    expect(await findingOf(at, 'copies')).toMatchObject({ status: 'ok' });
  });
});

describe('doctor', () => {
  const MiB = 1_048_576;
  it.each([
    [15 * MiB, 1, 'failed', /^only 15 MiB free$/],
    [17 * MiB, 0, 'warning', /^only 17 MiB free$/],
  ])('with %i bytes left ends with %i: %s', async (bytes, code, status, finding) => {
    await using at = await anInstallation();
    await aProjectThere(at);
    const env = { NODE_OPTIONS: `--import=${fullDisk}`, FREE_BYTES: String(bytes) };
    expect((await at.run(['doctor'], { env })).code).toBe(code);
    expect(await findingOf(at, 'disk', env)).toEqual({
      check: 'disk',
      status,
      finding: expect.stringMatching(finding),
      command: `df -h ${at.folder}`,
    });
  });
});
