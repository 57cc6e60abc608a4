import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { createChatbot } from '../../src/chatbots/create.ts';
import { deleteContact } from '../../src/contacts/delete.ts';
import type { Database } from '../../src/database/database.ts';
import { openSqlite } from '../../src/database/sqlite/sqlite.ts';
import { migrate, migrationStatus, readMigrations, requireCurrentSchema } from '../../src/database/upkeep/migrate.ts';
import { run } from '../../src/operation.ts';
import { engines, temporaryFolder } from '../support/engines.ts';
import { aContact, aProject, storeContacts } from '../support/people.ts';

/** The project's migrations and one more. */
function withOneMore(engine: Database['engine'], text: string) {
  return [...readMigrations(engine), { name: '9999-one-more', checksum: 'made up', text }];
}

describe.each(engines)('migrations on $engine', ({ openOwn: open }) => {
  it('are applied once', async () => {
    await using opened = await open();
    expect(await migrate(opened.database)).toEqual([]);
    const { applied, pending } = await migrationStatus(opened.database);
    expect(applied.map(({ name }) => name)).toEqual(readMigrations(opened.database.engine).map(({ name }) => name));
    expect(applied.length).toBeGreaterThan(3);
    expect(pending).toEqual([]);
  });

  it('of a newer program are refused at the start, by name', async () => {
    await using opened = await open();
    const more = withOneMore(opened.database.engine, 'create table more (id text);');
    await migrate(opened.database, more);
    await expect(requireCurrentSchema(opened.database)).rejects.toThrow(
      'newer than this program: it has migration 9999-one-more',
    );
  });

  it('of a newer program end all writes of a running one, which goes on reading and is not ready', async () => {
    await using opened = await open();
    const { store, database } = opened;
    const { keyId } = await aProject(store, { id: 'acme', chatbotId: 'b' });
    await storeContacts(store, 'acme', 'b', [aContact({ id: 'ada' })]);
    await migrate(database, withOneMore(database.engine, 'create table more (id text);'));
    const now = '2026-11-24T12:00:00+00:00';
    const writes: [string, () => Promise<unknown>][] = [
      ['alone', () => run(createChatbot, store, operator('acme'), { name: 'New' })],
      ['in a queue', () => run(deleteContact, store, operator('acme'), { chatbotId: 'b', contactId: 'ada' })],
      ['of last uses', () => store.touchApiKeys([{ projectId: 'acme', keyId }], now)],
      ['of jobs', () => store.upkeep.claim('purge-bin', '9999', now)],
      ['of the index', () => store.upkeep.indexContacts('acme', 1)],
      ['of its merges', async () => void (await store.upkeep.mergeIndex()[Symbol.asyncIterator]().next())],
    ];
    for (const [name, write] of writes) {
      await expect(write(), name).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('a newer version of Roster has migrated the database'),
      });
    }
    expect(await store.chatbots.list('acme')).toHaveLength(1);
    expect(await store.contacts.find('acme', 'b', 'ada')).toBeDefined();
    await expect(store.ready()).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('wait for the writes that are under way, which the newer schema must not meet', async () => {
    await using opened = await open();
    const more = withOneMore(opened.database.engine, 'create table more (id text);');
    const order: string[] = [];
    let migrating: Promise<unknown> | undefined;
    await opened.store.write(operator('acme'), async ({ projects }) => {
      await projects.list();
      migrating = migrate(opened.database, more).then(() => order.push('migrated'));
      await new Promise((resolve) => setTimeout(resolve, 100));
      order.push('written');
      return { output: undefined, changes: [] };
    });
    await migrating;
    expect(order).toEqual(['written', 'migrated']);
  });

  it('that are asked for by several at once are applied once', async () => {
    await using opened = await open();
    const more = withOneMore(opened.database.engine, 'create table more (id text);');
    const done = await Promise.all([1, 2, 3, 4].map(() => migrate(opened.database, more)));
    expect(done.flat()).toEqual(['9999-one-more']);
  });

  it('that fail half way leave nothing behind', async () => {
    await using opened = await open();
    const broken = withOneMore(opened.database.engine, 'create table more (id text); insert into nowhere values (1);');
    await expect(migrate(opened.database, broken)).rejects.toThrow('nowhere');
    expect(await opened.database.hasTable('more')).toBe(false);
    expect((await migrationStatus(opened.database, broken)).pending).toEqual(['9999-one-more']);
  });

  it('that were changed after they had been applied are refused', async () => {
    await using opened = await open();
    const changed = readMigrations('sqlite').map((one) => ({ ...one, checksum: 'other' }));
    await expect(migrate(opened.database, changed)).rejects.toThrow('0001-initial is not the one that was applied');
  });

  it('that are pending make the store unready', async () => {
    await using opened = await open();
    await opened.database.script('delete from schema_migrations');
    await expect(opened.store.ready()).rejects.toThrow('roster migrate');
  });
});

describe('an SQLite file', () => {
  it('of another program is refused and left as it is', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'other.db');
    {
      await using other = openSqlite(path);
      await other.script('create table theirs (id text)');
    }
    expect(() => openSqlite(path)).toThrow('not one of Roster');
  });

  it('that is no database is refused', () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'text.db');
    writeFileSync(path, 'this is a letter, not a database, and long enough to have a header'.repeat(20));
    expect(() => openSqlite(path)).toThrow('not a SQLite database');
  });

  it('is written through to the disk, in WAL, with foreign keys and strict tables', async () => {
    using folder = temporaryFolder();
    await using database = openSqlite(join(folder.path, 'roster.db'));
    await migrate(database);
    const pragma = async (name: string) =>
      Object.values((await database.first<object>({ pieces: [`pragma ${name}`], values: [] })) ?? {})[0];
    expect(await pragma('journal_mode')).toBe('wal');
    expect(await pragma('synchronous')).toBe(2);
    expect(await pragma('foreign_keys')).toBe(1);
    const tables = await database.all<{ name: string; strict: number }>({
      pieces: [
        "select name, strict from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite%'",
      ],
      values: [],
    });
    expect(tables.filter(({ name, strict }) => !strict && name !== 'schema_migrations')).toEqual([]);
  });
});

describe('a transaction', () => {
  const insert = (n: number) => ({ pieces: [`insert into t values (${n})`], values: [] });
  const pause = () => new Promise((resolve) => setTimeout(resolve, 5));

  it('lets no other in between, however many wait, and takes no write of another with it when it rolls back', async () => {
    await using database = openSqlite(':memory:');
    await database.script('create table t (n integer)');
    const events: string[] = [];
    const transaction = (name: string, fails = false) =>
      database.transaction(async (connection) => {
        events.push(`${name} begins`);
        await connection.run(insert(fails ? 0 : 1));
        await pause();
        events.push(`${name} ends`);
        if (fails) throw new Error('changed its mind');
        await connection.run(insert(2));
      });
    const statement = database.run.bind(database, insert(3));
    const ended = await Promise.allSettled([
      transaction('first'),
      transaction('second', true),
      statement().then(() => events.push('statement')),
      transaction('third'),
      database.hasTable('t'),
    ]);
    expect(ended.map(({ status }) => status === 'fulfilled')).toEqual([true, false, true, true, true]);
    const names = ['first begins', 'first ends', 'second begins', 'second ends', 'statement', 'third begins'];
    expect(events).toEqual([...names, 'third ends']);
    const rows = await database.all<{ n: number }>({ pieces: ['select n from t'], values: [] });
    expect(rows.map(({ n }) => n)).toEqual([1, 2, 3, 1, 2]);
  });
});
