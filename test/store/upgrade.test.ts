import { describe, expect, it } from 'vitest';

import { earlierDigest } from '../../src/contacts/import-keys.ts';
import type { Database } from '../../src/database/database.ts';
import { openDatabase, storeOn } from '../../src/database/open-store.ts';
import { raw, sql } from '../../src/database/sql.ts';
import { migrate, readMigrations } from '../../src/database/upkeep/migrate.ts';
import type { Store } from '../../src/store.ts';
import { type Place, postgresDatabase, sqliteFile } from '../support/engines.ts';
import { eventsOf } from '../support/events.ts';
import { importText } from '../support/files.ts';
import { everybody } from '../support/members.ts';
import { aMember, importMembers } from '../support/people.ts';

const places: { engine: string; place: () => Promise<Place> }[] = [
  { engine: 'SQLite', place: async () => sqliteFile() },
  { engine: 'PostgreSQL', place: () => postgresDatabase('template0') },
];

const at = '2026-01-01T00:00:00+00:00';
const membersOf = { acme: 40, other: 3 };
/** The rows of the file that the last version imported: two namesakes, of whom it made one contact. */
const file = 'Name,Department\nAna,Sales\nAna,Support\nBo,Sales\n';

/** A database as the last version left it, with people in two projects. */
async function anOldDatabase(url: string): Promise<Database> {
  const database = await openDatabase(url);
  await migrate(database, readMigrations(database.engine).slice(0, 2));
  await database.transaction(async (connection) => {
    for (const [id, count] of Object.entries(membersOf)) {
      await connection.run(sql`insert into projects (id, name, created_at) values (${id}, ${id}, ${at})`);
      await connection.run(sql`insert into chatbots values (${id}, ${'desk'}, ${'Desk'}, ${at})`);
      for (let position = 0; position < count; position++) {
        const email = emailOf(id, position);
        await connection.run(sql`insert into members (project_id, position, email, email_key, status, roles)
          values (${id}, ${position}, ${email}, ${email}, 'Active', ${position === 0 ? 'Owner' : 'Agent'})`);
      }
    }
    await connection.run(sql`insert into api_keys (project_id, id, name, scopes, token_hash, last4, created_at)
      values ('acme', 'key', 'CRM', 'members:read,contacts:read', 'hash', 'last', ${at})`);
    for (const [index, name] of ['Ana', 'Bo'].entries()) {
      const id = `0190b2c4-7d1e-7cc3-9a53-5c7d1f2e8a9${index}`;
      await connection.run(sql`insert into contacts (project_id, chatbot_id, id, name, created_at, import_digest, inserted_as)
        values ('acme', 'desk', ${id}, ${name}, ${at}, ${earlierDigest({ name })}, ${id})`);
    }
  });
  return database;
}

const emailOf = (projectId: string, position: number) => `m${position}@${projectId}.example.com`;
const emailsOf = (projectId: keyof typeof membersOf) =>
  Array.from({ length: membersOf[projectId] }, (_, i) => emailOf(projectId, i));

const importFile = (store: Store, text = file) => importText({ store, projectId: 'acme', chatbotId: 'desk' }, text);

describe.each(places)('a database of the last version on $engine', ({ place }) => {
  it('gives each thing a revision of its moment, and each member an id, which an import keeps', async () => {
    await using old = await place();
    await using database = await anOldDatabase(old.url);
    const before = Date.now();
    await migrate(database);
    const migratedAt = Date.now();
    // So that a backup that is migrated later has others.
    for (const table of ['projects', 'chatbots', 'members', 'contacts']) {
      const query = sql`select min(revision) as least, max(revision) as most from ${raw(table)}`;
      const { least, most } = (await database.first<{ least: number; most: number }>(query)) ?? { least: 0, most: 0 };
      expect([table, least >= before, most <= migratedAt]).toEqual([table, true, true]);
    }
    const ids = async () =>
      (await database.all<{ id: string }>(sql`select id from members order by project_id, position`)).map(
        ({ id }) => id,
      );
    const given = await ids();
    expect(new Set(given).size).toBe(43);
    for (const id of given) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      const madeAt = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
      expect(Math.abs(madeAt - before)).toBeLessThan(60_000);
    }
    const store = storeOn(database);
    const changed = aMember({ email: emailOf('acme', 7), roles: ['Viewer'] });
    const added = aMember({ email: 'new@acme.example.com' });
    await importMembers(store, 'acme', [changed, added]);
    expect(await everybody(store, 'acme', 15)).toEqual([...emailsOf('acme'), 'new@acme.example.com']);
    const after = await ids();
    expect(after.toSpliced(40, 1)).toEqual(given);
    expect((await eventsOf(store, 'acme')).map(({ type, member_ids }) => [type, member_ids])).toEqual([
      ['member.activated', [after[40]]],
      ['member.updated', [given[7]]],
    ]);
  });

  it('gives an id to a member whom a process of the last version adds after it', async () => {
    await using old = await place();
    await using database = await anOldDatabase(old.url);
    await migrate(database);
    await database.script(`insert into members (project_id, position, email, email_key, status, roles)
      values ('acme', 40, 'late@example.com', 'late@example.com', 'Active', 'Agent')`);
    const store = storeOn(database);
    await importMembers(store, 'acme', [aMember({ email: 'late@example.com', roles: ['Viewer'] })]);
    const row = await database.first<{ id: string }>(sql`select id from members where email = 'late@example.com'`);
    expect(await eventsOf(store, 'acme')).toMatchObject([{ type: 'member.updated', member_ids: [row?.id] }]);
  });

  it('finds contacts again whose names had no middle name and suffix then, and adds them once', async () => {
    await using old = await place();
    await using database = await anOldDatabase(old.url);
    await migrate(database);
    const digests = ['Ana', 'Bo'].map(
      (first) => [first, earlierDigest({ name: `${first} Li`, created_at: at })] as const,
    );
    for (const [first, digest] of digests) {
      await database.run(
        sql`update contacts set name = ${`${first} Li`}, import_digest = ${digest} where name = ${first}`,
      );
    }
    const store = storeOn(database);
    const names = async () =>
      (await Array.fromAsync(store.contacts.listAll('acme', 'desk'))).flat().map(({ name }) => name);
    const text = 'First Name,Middle Name,Last Name,Suffix,Created\nAna,Maria,Li,,2026-01-01\nBo,,Li,Jr.,2026-01-01\n';
    expect(await importFile(store, text)).toMatchObject({ read: 2, created: 0, updated: 2 });
    expect(await names()).toEqual(['Ana Maria Li', 'Bo Li Jr.']);
    expect(await importFile(store, text)).toMatchObject({ read: 2, unchanged: 2 });
  });

  it('gets what it could not keep when a file is imported again, once', async () => {
    await using old = await place();
    await using database = await anOldDatabase(old.url);
    await database.run(sql`insert into contacts (project_id, chatbot_id, id, email, email_key, created_at)
      values ('acme', 'desk', 'cem', 'cem@example.com', 'cem@example.com', ${at})`);
    await migrate(database);
    const store = storeOn(database);
    const all = async () => (await Array.fromAsync(store.contacts.listAll('acme', 'desk'))).flat();
    expect((await all()).map(({ updated_at }) => updated_at)).toEqual([null, null, null]);
    const text =
      'Name,E-mail,City,Tags,External ID,attributes.team\nAna,,Rome,"VIP,new",,Blue\nCem,CEM@example.com,,,c-1,\n';
    // Ana is found by the digest of the cells that the last version knew.
    const first = await importFile(store, text);
    expect(first).toMatchObject({ read: 2, updated: 2 });
    const after = await all();
    expect(after.find(({ name }) => name === 'Ana')).toMatchObject({
      city: 'Rome',
      tags: ['new', 'vip'],
      attributes: { team: 'Blue' },
      updated_at: expect.any(String),
    });
    expect(after.find(({ id }) => id === 'cem')).toMatchObject({
      name: 'Cem',
      external_id: 'c-1',
      email: 'cem@example.com',
    });
    expect(after.find(({ name }) => name === 'Bo')).toMatchObject({ updated_at: null });
    const again = await importFile(store, text);
    expect(again).toMatchObject({ read: 2, unchanged: 2 });
    expect(await all()).toEqual(after);
  });

  it('learns from its events who made a key and the last link of an invitation, where they are still kept', async () => {
    await using old = await place();
    await using database = await openDatabase(old.url);
    await migrate(database, readMigrations(database.engine).slice(0, 13));
    await database.run(sql`insert into projects (id, name, created_at, feed) values ('acme', 'acme', ${at}, 'feed')`);
    for (const id of ['by-ada', 'unknown']) {
      await database.run(sql`insert into api_keys (project_id, id, name, scopes, token_hash, last4, created_at)
        values ('acme', ${id}, 'CRM', 'members:read', ${id}, 'last', ${at})`);
    }
    await database.run(sql`insert into members (project_id, position, id, email, email_key, status, roles)
      values ('acme', 1, 'bo', 'bo@example.com', 'bo@example.com', 'Pending', 'Admin')`);
    await database.run(sql`insert into invitations (project_id, member_id, token_hash, expires_at)
      values ('acme', 'bo', 'hash', ${at})`);
    const events = [
      ['key.created', 'member', 'ada', null, 'by-ada'],
      ['key.rotated', 'operator', 'cli', null, 'by-ada'],
      ['member.invited', 'key', 'by-ada', 'bo', null],
      ['member.invited', 'member', 'ada', 'bo', null],
      ['member.updated', 'operator', 'cli', 'bo', null],
    ] as const;
    for (const [index, [type, actorType, actorId, memberId, keyId]] of events.entries()) {
      await database.run(sql`insert into events
        (project_id, sequence, id, type, occurred_at, actor_type, actor_id, member_id, key_id)
        values ('acme', ${index + 1}, ${String(index)}, ${type}, ${at}, ${actorType}, ${actorId}, ${memberId}, ${keyId})`);
    }
    await migrate(database);
    const store = storeOn(database);
    const makers = (await store.apiKeys.list('acme')).map(({ id, created_by: maker }) => [id, maker]);
    expect(makers).toEqual([
      ['by-ada', { type: 'member', id: 'ada' }],
      ['unknown', null],
    ]);
    expect(await store.members.listInvitedBy('acme', ['ada'])).toMatchObject([{ id: 'bo' }]);
    expect(await store.members.listInvitedBy('acme', ['by-ada'])).toEqual([]);
  });
});
