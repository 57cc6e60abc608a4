import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { sql } from '../../../src/database/sql.ts';
import { openSqlite } from '../../../src/database/sqlite/sqlite.ts';
import { anInstallation, aProjectThere } from '../../support/process.ts';

describe('a backup', () => {
  it('is a verified copy that serves as a database', async () => {
    await using at = await anInstallation();
    await aProjectThere(at);
    const file = join(at.folder, 'backup.db');
    const report = await at.json<{ rows: object; size: number }>(['backup', file]);
    expect(report).toMatchObject({
      file,
      integrity: 'ok',
      rows: { projects: 1, chatbots: 1, members: 0, contacts: 0, api_keys: 1 },
    });
    expect(readFileSync(`${file}.sha256`, 'utf8')).toMatch(/^[0-9a-f]{64} {2}backup\.db\n$/);
    expect(report.size).toBe(statSync(file).size);
    expect(statSync(file).mode & 0o077).toBe(0);
    expect((await at.run(['backup', file])).code).toBe(74);
    expect(await at.json(['backup', 'verify', file])).toEqual(report);
    expect(await at.json(['projects', 'list'], { env: { DATABASE_URL: `sqlite:${file}` } })).toMatchObject([
      { id: 'acme' },
    ]);
    const { stdout } = await at.run(['doctor']);
    expect(stdout).toMatch(/^ok +integrity /m);
    expect(stdout).toMatch(new RegExp(`^ok +file +${join(at.folder, 'roster.db')}, \\d+ KiB`, 'm'));
  });
});

describe('doctor', () => {
  it('fails, and makes nothing, where there is no database', async () => {
    await using at = await anInstallation();
    const { code, stdout } = await at.run(['doctor', '--json']);
    expect(code).toBe(69);
    const { checks } = JSON.parse(stdout) as { checks: object[] };
    const place = join(at.folder, 'roster.db');
    expect(checks).toContainEqual({
      check: 'file',
      status: 'failed',
      finding: `There is no database at ${place}: is its disk mounted, and is DATABASE_URL right?`,
      command: 'mount the disk, or correct DATABASE_URL; only for a new, empty database: roster migrate',
    });
    expect(() => statSync(join(at.folder, 'roster.db'))).toThrow();
  });
});

describe('a command where there is no database', () => {
  it.each([
    ['keys', 'revoke', 'id'],
    ['contacts', 'import', 'people.csv', '--chatbot', '1'],
    ['migrate', '--status'],
    ['backup', 'backup.db'],
    ['backup', 'create', '.', '--keep', '3'],
    ['copy', '--to', 'sqlite:copy.db'],
  ])('%s %s ends with 69, names the path, and makes nothing', async (...args) => {
    await using at = await anInstallation();
    writeFileSync(join(at.folder, 'people.csv'), 'email,role\nada@example.com,Owner\n');
    const { code, stdout, stderr } = await at.run(args);
    expect([code, stdout + stderr]).toEqual([69, expect.stringContaining(join(at.folder, 'roster.db'))]);
    expect(readdirSync(at.folder)).toEqual(['people.csv']);
  });
});

describe('a path that cannot be looked into', () => {
  // A link to itself stops root as well, whom no mode does.
  it('is never taken for that of a database that is to be made', async () => {
    await using at = await anInstallation();
    symlinkSync('loop', join(at.folder, 'loop'));
    const env = { DATABASE_URL: `sqlite:${at.folder}/loop/roster.db` };
    for (const args of [['migrate', '--status'], ['copy', '--to', 'sqlite:x.db'], ['migrate']]) {
      const { code, stdout, stderr } = await at.run(args, { env });
      expect([args, code, stdout]).toEqual([args, 69, '']);
      expect(stderr).toContain('cannot be opened; check its path');
    }
    const doctor = await at.run(['doctor'], { env });
    expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringMatching(/failed +file .*cannot be opened/)]);
    expect(doctor.stdout).not.toContain('roster migrate');
  });
});

describe('a database', () => {
  it('is made in a folder and a file that only its owner can read', async () => {
    await using at = await anInstallation();
    const path = join(at.folder, 'new', 'folder', 'roster.db');
    expect((await at.run(['migrate'], { env: { DATABASE_URL: `sqlite:${path}` } })).code).toBe(0);
    expect(statSync(path).mode & 0o077).toBe(0);
    expect(statSync(join(at.folder, 'new')).mode & 0o077).toBe(0);
  });

  it('is served once another process that is writing has ended', async () => {
    await using at = await anInstallation();
    await using writer = openSqlite(join(at.folder, 'roster.db'));
    let server: ReturnType<typeof at.start> | undefined;
    await writer.transaction(async () => {
      server = at.start(['serve']);
      await new Promise((resolve) => setTimeout(resolve, 1_500));
    });
    await server?.until(/listening at/);
    server?.child.kill();
    expect(await server?.ended).toMatchObject({ code: 0, stderr: '' });
  });

  it('lets a service write while a command imports', async () => {
    await using at = await anInstallation();
    await aProjectThere(at);
    const people = Array.from({ length: 8_000 }, (_, n) => `Person ${n},p${n}@example.com`);
    writeFileSync(join(at.folder, 'people.csv'), `name,email\n${people.join('\n')}\n`);
    await using database = openSqlite(join(at.folder, 'roster.db'), { serving: true });
    const importing = at.run(['contacts', 'import', 'people.csv', '--chatbot', '8839210412']);
    let writes = 0;
    let longestMs = 0;
    do {
      const askedAt = performance.now();
      await database.transaction((connection) =>
        connection.run(sql`update projects set name = ${String(writes++)} where id = 'acme'`),
      );
      longestMs = Math.max(longestMs, performance.now() - askedAt);
    } while (!(await Promise.race([importing.then(() => true), sleep(20, false)])));
    expect((await importing).code).toBe(0);
    expect(writes).toBeGreaterThan(5);
    expect(longestMs).toBeLessThan(4_000);
  });

  it('is not replaced by the rejects of an import', async () => {
    await using at = await anInstallation();
    await aProjectThere(at);
    writeFileSync(join(at.folder, 'people.csv'), 'name,email\nA,bad\n');
    // As it is beside a service that has written nothing yet.
    writeFileSync(join(at.folder, 'roster.db-wal'), '');
    for (const file of ['roster.db', 'roster.db-wal']) {
      const args = ['contacts', 'import', 'people.csv', '--chatbot', '8839210412', '--rejects', file];
      const { code, stderr } = await at.run(args);
      expect([file, code, stderr]).toEqual([file, 2, expect.stringContaining('in use')]);
    }
    expect(await at.json(['projects', 'list'])).toHaveLength(1);
  });
});
