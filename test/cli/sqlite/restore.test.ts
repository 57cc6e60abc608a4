import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { describe, expect, it } from 'vitest';

import { operator } from '../../../src/actor.ts';
import { openCurrentStore } from '../../../src/cli/open.ts';
import type { StoredContact } from '../../../src/contacts/contact.ts';
import { deleteContact } from '../../../src/contacts/delete.ts';
import { restoreContact } from '../../../src/contacts/restore.ts';
import { openDatabase } from '../../../src/database/open-store.ts';
import { migrate, readMigrations } from '../../../src/database/upkeep/migrate.ts';
import { run } from '../../../src/operation.ts';
import { aContact, aProject, storeContacts } from '../../support/people.ts';
import { anInstallation, aProjectThere, type Installation, serving, stop } from '../../support/process.ts';

const hook = new URL('../../support/die-at-step.ts', import.meta.url).href;

interface Report {
  file: string;
  database: string;
  size: number;
  sha256: string;
  checked: string;
  moved_aside: string[];
  rows: Record<string, number>;
}

/** A backup with the project `kept`, and a database with `acme` whose log holds `late`: its last process was killed. */
async function aLostDatabase() {
  const at = await anInstallation();
  const path = join(at.folder, 'roster.db');
  const backup = join(at.folder, 'backup.db');
  const env = { DATABASE_URL: `sqlite:${join(at.folder, 'other.db')}` };
  await at.json(['projects', 'create', 'Kept', '--id', 'kept'], { env });
  await at.json(['backup', 'create', backup], { env });
  await aProjectThere(at);
  {
    await using store = await openCurrentStore(at.databaseUrl);
    await aProject(store, { id: 'late' });
    for (const suffix of ['', '-wal', '-shm']) cpSync(`${path}${suffix}`, join(at.folder, `killed${suffix}`));
  }
  const lose = () => {
    for (const name of readdirSync(at.folder)) if (name.startsWith('roster.db')) rmSync(join(at.folder, name));
    for (const suffix of ['', '-wal', '-shm']) cpSync(join(at.folder, `killed${suffix}`), `${path}${suffix}`);
  };
  lose();
  return { ...at, path, backup, lose };
}

const projectsOf = async (at: Installation, url = at.databaseUrl) =>
  (await at.json<{ id: string }[]>(['projects', 'list'], { env: { DATABASE_URL: url } })).map(({ id }) => id);

/** Every row, without the names of the feeds. */
function contentOf(path: string) {
  using db = new DatabaseSync(path, { readOnly: true });
  const names = db
    .prepare("select name from sqlite_schema where type = 'table' and name <> 'contact_words' order by name")
    .all();
  return names.map(({ name }) => {
    const rows = db.prepare(`select * from "${String(name)}"`).all();
    return [name, rows.map((row) => ({ ...row, feed: undefined }))];
  });
}

function feedsOf(path: string) {
  using db = new DatabaseSync(path, { readOnly: true });
  return db.prepare('select feed from projects').all();
}

describe('restore', () => {
  it('brings back the bin, the events and every field of contacts, and counts them as the backup did', async () => {
    await using at = await anInstallation();
    await aProjectThere(at);
    const whole = aContact({
      id: 'whole',
      external_id: 'e',
      attributes: { a: 1.5 },
      tags: ['vip'],
      updated_at: '2026-01-01T00:00:00+00:00',
    });
    const deleted: StoredContact = { ...whole, id: 'deleted', external_id: 'f' };
    const [projectId, chatbotId] = ['acme', '8839210412'];
    {
      await using store = await openCurrentStore(at.databaseUrl);
      await storeContacts(store, projectId, chatbotId, [whole, deleted]);
      await run(deleteContact, store, operator(projectId), { chatbotId, contactId: 'deleted' });
    }
    const revision = expect.any(Number) as number;
    const file = join(at.folder, 'backup.db');
    const rows = { projects: 1, chatbots: 1, members: 0, contacts: 1, deleted_contacts: 1, api_keys: 1, events: 5 };
    expect((await at.json<Report>(['backup', 'create', file])).rows).toEqual(rows);
    expect((await at.json<Report>(['backup', 'verify', file])).rows).toEqual(rows);
    {
      await using store = await openCurrentStore(at.databaseUrl);
      await run(deleteContact, store, operator(projectId), { chatbotId, contactId: 'deleted', purge: true });
      await run(deleteContact, store, operator(projectId), { chatbotId, contactId: 'whole', purge: true });
    }
    expect((await at.json<Report>(['restore', file, '--as-it-was'])).rows).toEqual(rows);
    await using store = await openCurrentStore(at.databaseUrl);
    expect(await store.contacts.findWhole(projectId, chatbotId, 'whole')).toEqual({ ...whole, revision });
    await run(restoreContact, store, operator(projectId), { chatbotId, contactId: 'deleted' });
    expect(await store.contacts.findWhole(projectId, chatbotId, 'deleted')).toEqual({ ...deleted, revision });
  });

  it('beside a log of the old database gives the backup alone, and keeps the old files byte for byte', async () => {
    await using at = await aLostDatabase();
    const { path, backup } = at;
    chmodSync(path, 0o640);
    const before = ['', '-shm', '-wal'].map((suffix) => readFileSync(`${path}${suffix}`));
    const report = await at.json<Report>(['restore', backup]);
    const made = await at.json<Report>(['backup', 'verify', backup]);
    expect(report).toMatchObject({ ...made, database: path, migrated: [], comparison: 'unrelated' });
    expect(report.checked).toBe('digest and structure');
    const [aside = ''] = report.moved_aside;
    expect(aside).toMatch(/roster\.db\.before-restore-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/);
    expect(report.moved_aside.toSorted()).toEqual([aside, `${aside}-shm`, `${aside}-wal`]);
    expect(report.moved_aside.toSorted().map((file) => readFileSync(file))).toEqual(before);
    expect(contentOf(path)).toEqual(contentOf(backup));
    expect(feedsOf(path)).not.toEqual(feedsOf(backup));
    expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(await projectsOf(at)).toEqual(['kept']);
    expect(await projectsOf(at, `sqlite:${aside}`)).toEqual(['acme', 'late']);
    expect(readdirSync(at.folder).filter((name) => /locked|restored|link/.test(name))).toEqual([]);
  });

  it('begins a new feed: a cursor from before it has expired', async () => {
    await using at = await anInstallation();
    await aProjectThere(at);
    const backup = join(at.folder, 'backup.db');
    await at.json(['backup', 'create', backup]);
    const list = ['events', 'list', '--project', 'acme'];
    const { next_cursor: before } = await at.json<{ next_cursor: string }>(list);
    expect((await at.run([...list, '--after', before])).code).toBe(0);
    await at.json(['restore', backup]);
    const { code, stdout, stderr } = await at.run([...list, '--after', before]);
    expect([code, stdout, stderr]).toEqual([1, '', 'roster: The cursor has expired; begin again without --after.\n']);
    const { next_cursor: after } = await at.json<{ next_cursor: string }>(list);
    expect((await at.run([...list, '--after', after])).code).toBe(0);
  });

  it('that is killed at any moment leaves the old database or the new one, whole', { timeout: 60_000 }, async () => {
    await using at = await aLostDatabase();
    const env = (step: number) => ({ NODE_OPTIONS: `--import=${hook}`, DIE_AT_STEP: String(step) });
    const outcomes: string[] = [];
    for (let step = 1; ; step++) {
      at.lose();
      const { signal } = await at.run(['restore', at.backup], { env: env(step) });
      if (signal === null) break;
      await using store = await openCurrentStore(at.databaseUrl);
      outcomes.push((await store.projects.list()).map(({ id }) => id).join('+'));
    }
    expect(outcomes.length).toBeGreaterThan(12);
    expect([...new Set(outcomes)]).toEqual(['acme+late', 'kept']);
    expect(outcomes).toEqual(outcomes.toSorted());
  });

  it('that was killed can be run again, and what it left serves meanwhile', async () => {
    await using at = await aLostDatabase();
    // As it is after the backup is in use, with the old log still beside it.
    cpSync(at.backup, `${at.path}.restored-x`);
    rmSync(at.path);
    symlinkSync(`${at.path}.restored-x`, at.path);
    const server = await serving(at);
    expect((await at.run(['projects', 'create', 'New', '--id', 'new'])).code).toBe(0);
    await stop(server);
    expect(await projectsOf(at)).toEqual(['kept', 'new']);
    await at.json(['restore', at.backup]);
    expect(await projectsOf(at)).toEqual(['kept']);
  });

  it('is refused while a service runs or a reader is open, idle as they are, and changes nothing', async () => {
    await using at = await aLostDatabase();
    const server = await serving(at);
    const refused = async () => {
      const before = readdirSync(at.folder).toSorted();
      const { code, stderr } = await at.run(['restore', at.backup]);
      expect([code, stderr]).toEqual([
        69,
        expect.stringMatching(/^roster: The database is open in another .*stop it.*\n$/),
      ]);
      expect(readdirSync(at.folder).toSorted()).toEqual(before);
    };
    await refused();
    // A service whose file was damaged meanwhile is seen as well.
    const whole = readFileSync(at.path);
    writeFileSync(at.path, Buffer.alloc(whole.length), { flag: 'r+' });
    await refused();
    writeFileSync(at.path, whole, { flag: 'r+' });
    expect(await (await fetch(`${server.address}/readyz`)).json()).toMatchObject({ status: 'success' });
    await stop(server);
    const reader = new DatabaseSync(at.path, { readOnly: true });
    reader.exec('select count(*) from sqlite_schema');
    await refused();
    reader.close();
    await at.json(['restore', at.backup]);
    expect(await projectsOf(at)).toEqual(['kept']);
  });

  it('makes a database for its owner alone where there is none, and names a lone log that it moved', async () => {
    await using at = await aLostDatabase();
    const url = `sqlite:${join(at.folder, 'new', 'folder', 'roster.db')}`;
    expect(await at.json<Report>(['restore', at.backup], { env: { DATABASE_URL: url } })).toMatchObject({
      moved_aside: [],
    });
    expect(statSync(join(at.folder, 'new', 'folder', 'roster.db')).mode & 0o777).toBe(0o600);
    expect(await projectsOf(at, url)).toEqual(['kept']);
    rmSync(at.path);
    rmSync(`${at.path}-shm`);
    for (const command of [['serve'], ['projects', 'list']]) {
      const { code, stderr } = await at.run(command);
      expect([code, stderr]).toEqual([
        69,
        expect.stringMatching(/roster\.db-wal without its database; .*roster restore FILE/),
      ]);
    }
    expect((await at.json<Report>(['restore', at.backup])).moved_aside).toEqual([
      expect.stringMatching(/before-restore-.*-wal$/),
    ]);
    expect(await projectsOf(at)).toEqual(['kept']);
  });

  it('brings an older schema back, migrates it, and says so', async () => {
    await using at = await aLostDatabase();
    const old = join(at.folder, 'old.db');
    {
      await using database = await openDatabase(`sqlite:${old}`);
      await migrate(database, readMigrations('sqlite').slice(0, 1));
      await database.script(
        `insert into projects (id, name, created_at) values ('old', 'Old', '2026-01-01T00:00:00+00:00')`,
      );
    }
    const names = readMigrations('sqlite').map(({ name }) => name);
    const { code, stdout, stderr } = await at.run(['restore', old, '--json']);
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      { pending: [], migrated: names.slice(1), rows: { projects: 1 } },
    ]);
    expect(stderr).toContain(`${names.length - 1} migrations were applied to it.\n`);
    expect(await projectsOf(at)).toEqual(['old']);
  });

  it('refuses what is no backup, is newer, is unfinished or is the database itself, and changes nothing', async () => {
    await using at = await aLostDatabase();
    const file = (name: string) => join(at.folder, name);
    const whole = readFileSync(at.backup);
    for (const [name, bytes] of Object.entries({
      damaged: Buffer.from(whole).fill(0x5a, 8_192, 12_288),
      cut: whole.subarray(0, 20_000),
      longer: Buffer.concat([whole, Buffer.alloc(70, 'x')]),
      altered: Buffer.from(whole).fill('e', whole.indexOf('Kept'), whole.indexOf('Kept') + 1),
      letter: 'Dear reader, this is no database. '.repeat(200),
      line: 'No database.',
      byte: 'S',
      empty: '',
    }))
      writeFileSync(file(`${name}.db`), bytes);
    for (const name of ['longer', 'altered']) cpSync(`${at.backup}.sha256`, file(`${name}.db.sha256`));
    const foreign = new DatabaseSync(file('foreign.db'));
    foreign.exec('create table notes (text)');
    foreign.close();
    cpSync(at.backup, file('newer.db'));
    const newer = new DatabaseSync(file('newer.db'));
    newer.exec(`insert into schema_migrations values ('9999-more', 'x', '2026-01-01T00:00:00+00:00')`);
    newer.close();
    for (const suffix of ['', '-wal']) cpSync(file(`killed${suffix}`), file(`part.db${suffix}`));
    symlinkSync(at.path, file('itself.db'));
    mkdirSync(file('folder'));
    const nothing = new DatabaseSync(file('nothing.db'));
    nothing.exec('pragma user_version = 1');
    nothing.close();
    const before = readdirSync(at.folder).toSorted();
    const expected: [string, number, RegExp][] = [
      ['damaged.db', 65, /cannot be restored: its pages|cannot be restored: it is damaged/],
      ['cut.db', 65, /cannot be restored: /],
      ['longer.db', 65, /cannot be restored: /],
      ['letter.db', 65, /cannot be restored: it is damaged, or was never one; take an older backup/],
      ['line.db', 65, /cannot be restored: the file is not a SQLite database; take another file\.$/m],
      ['empty.db', 65, /cannot be restored: it is empty; take an older one/],
      ['byte.db', 65, /cannot be restored: it is cut off; take another file/],
      ['nothing.db', 65, /cannot be restored: nothing is in it; take another file/],
      ['foreign.db', 65, /cannot be restored: the file is a SQLite database, but not one of Roster; take another file/],
      ['newer.db', 65, /cannot be restored: The database is newer than this program.*start the newer program/],
      ['altered.db', 65, /cannot be restored: it has changed since it was made.*take another backup/],
      ['part.db', 65, /a part of it is in .*part\.db-wal; make one of it with .*roster backup create/],
      ['itself.db', 74, /is the database itself; name another file/],
      ['roster.db', 74, /is the database itself; name another file/],
      ['folder', 74, /not a file; name another/],
      ['missing.db', 74, /no such file.*missing\.db/],
    ];
    for (const [name, code, sentence] of expected) {
      const ended = await at.run(['restore', name]);
      expect([name, ended.code, ended.stderr]).toEqual([name, code, expect.stringMatching(sentence)]);
      expect(ended.stderr).toMatch(/^roster: [^\n]*\.\n$/);
      expect(readdirSync(at.folder).toSorted()).toEqual(before);
      if (!sentence.source.startsWith('cannot be restored')) continue;
      const verified = await at.run(['backup', 'verify', name, '--json']);
      expect([name, verified.code, verified.stdout]).toEqual([name, 65, '']);
    }
    expect(await projectsOf(at)).toEqual(['acme', 'late']);
  });
});
