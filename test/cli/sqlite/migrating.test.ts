import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { openDatabase } from '../../../src/database/open-store.ts';
import { openSqlite } from '../../../src/database/sqlite/sqlite.ts';
import { migrate, readMigrations } from '../../../src/database/upkeep/migrate.ts';
import { anInstallation, serving, stop } from '../../support/process.ts';

const migrations = readMigrations('sqlite');
const names = migrations.map(({ name }) => name);

/** A database of the last version whose programs hold no lock, or of another number of migrations. */
async function anOlderDatabase(applied = names.indexOf('0013-events-need-project') + 1) {
  const at = await anInstallation();
  {
    await using database = await openDatabase(at.databaseUrl);
    await migrate(database, migrations.slice(0, applied));
    await database.script(
      "insert into projects (id, name, created_at) values ('acme', 'Acme', '2026-01-01T00:00:00+00:00')",
    );
  }
  const path = join(at.folder, 'roster.db');
  const pending = async () => (await at.json<{ pending: string[] }>(['migrate', '--status'])).pending.length;
  return { ...at, path, pending, left: names.length - applied };
}

/** Another process that has the file open and is reading it, run from a file of this name. */
async function aReader(folder: string, path: string, program: string) {
  const file = join(folder, program);
  writeFileSync(
    file,
    `const { DatabaseSync } = require('node:sqlite');
    const db = new DatabaseSync(process.argv[2]);
    db.exec('begin; select count(*) from sqlite_schema');
    console.log('open');
    setInterval(() => db, 1000);`,
  );
  const child = spawn(process.execPath, [file, path, 'serve'], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return {
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await once(child, 'exit');
    },
  };
}

const isOpen = /^roster: The database is open in another process.*stop it.*\n$/;

describe('an older SQLite database', () => {
  it('is left as it is by every command but "serve" and "migrate", which say how many migrations are pending', async () => {
    await using at = await anOlderDatabase();
    const before = readFileSync(at.path);
    const copied = join(at.folder, 'copy.db');
    for (const command of [
      ['projects', 'list'],
      ['projects', 'create', 'New'],
      ['keys', 'list', '--project', 'acme'],
      ['contacts', 'list', '--chatbot', 'b'],
      ['events', 'list', '--project', 'acme'],
      ['copy', '--to', `sqlite:${copied}`],
    ]) {
      const { code, stderr } = await at.run(command);
      expect([command[0], code, stderr]).toEqual([
        command[0],
        69,
        expect.stringMatching(
          new RegExp(`${at.left} migrations? of the sqlite database .* (is|are) pending; run .*roster migrate`),
        ),
      ]);
    }
    const { code, stdout } = await at.run(['doctor']);
    expect([code, stdout]).toEqual([69, expect.stringMatching(new RegExp(` ${at.left} migrations? (is|are) pending`))]);
    expect(await at.pending()).toBe(at.left);
    expect(readFileSync(at.path)).toEqual(before);
    await at.json(['migrate']);
    expect(await at.json(['projects', 'list'])).toMatchObject([{ id: 'acme' }]);
  });

  it('is not migrated while an older program has it open, idle as it is', async () => {
    await using at = await anOlderDatabase();
    {
      await using _ = await aReader(at.folder, at.path, 'main.js');
      for (const command of ['migrate', 'serve']) {
        const { code, stderr } = await at.run([command]);
        expect([command, code, stderr]).toEqual([command, 69, expect.stringMatching(isOpen)]);
      }
      expect(await at.pending()).toBe(at.left);
    }
    const server = await serving(at);
    expect(await at.pending()).toBe(0);
    await stop(server);
  });

  it.skipIf(process.platform !== 'linux')(
    'is migrated while another program reads it, as Litestream does',
    async () => {
      await using at = await anOlderDatabase();
      await using _ = await aReader(at.folder, at.path, 'litestream.cjs');
      await at.json(['migrate']);
      expect(await at.pending()).toBe(0);
    },
  );

  it('is not migrated while a program of Roster holds it, and is while any other reads it', async () => {
    await using at = await anOlderDatabase(names.length - 1);
    await using _ = await aReader(at.folder, at.path, 'main.js');
    {
      await using held = openSqlite(at.path, { hold: 'shared' });
      expect(await held.hasTable('contacts')).toBe(true);
      const { code, stderr } = await at.run(['migrate']);
      expect([code, stderr]).toEqual([69, expect.stringMatching(isOpen)]);
    }
    await at.json(['migrate']);
    expect(await at.pending()).toBe(0);
  });

  it('is migrated once where two services start at once, and both serve', async () => {
    await using at = await anOlderDatabase();
    const servers = await Promise.all([serving(at), serving(at)]);
    expect(await at.pending()).toBe(0);
    for (const { address } of servers) expect((await fetch(`${address}/readyz`)).status).toBe(200);
    for (const { child } of servers) child.kill();
    const ended = await Promise.all(servers.map((server) => server.ended));
    expect(ended.map(({ code }) => code)).toEqual([0, 0]);
    expect(ended.filter(({ stderr }) => stderr.includes('backed up to'))).toHaveLength(1);
  });
});
