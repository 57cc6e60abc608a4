import { DatabaseSync } from 'node:sqlite';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { openMigrated } from '../../src/cli/open.ts';
import { deleteContact } from '../../src/contacts/delete.ts';
import { sqlitePath, storeOn } from '../../src/database/open-store.ts';
import { compareIndex } from '../../src/database/search/status.ts';
import { sql } from '../../src/database/sql.ts';
import { restore } from '../../src/database/upkeep/restore.ts';
import type { StoredMember } from '../../src/members/member.ts';
import { removeMember } from '../../src/members/remove.ts';
import { run } from '../../src/operation.ts';
import { scopes } from '../../src/rights.ts';
import { openApp, type TestAnswer } from '../support/app.ts';
import { importText } from '../support/files.ts';
import { oldDatabase, type Recorded } from '../support/old-databases.ts';
import { createApiKey, revokeApiKey } from '../support/people.ts';
import { askOf, type Desk, findAll } from '../support/searches.ts';
import { callsOf } from '../support/signed-in.ts';

const cases = ['19e8193', '498b57d'].flatMap((commit) =>
  (['sqlite', 'postgres'] as const).map((engine) => ({ commit, engine })),
);
const desk = { projectId: 'acme', chatbotId: '8839210412' };
const people = `/v2/chatbots/${desk.chatbotId}/contacts`;

type Asked = Partial<Recorded> & { path: string; token?: string };

/** The database as `roster migrate` leaves it, with its clock set forward to now, and a server on it. */
async function migrated(commit: string, engine: 'sqlite' | 'postgres') {
  const stack = new AsyncDisposableStack();
  const { url, story } = stack.use(await oldDatabase(commit, engine));
  const database = stack.use(await openMigrated(url));
  const now = new Date().toISOString().replace(/\.\d+Z/, '+00:00');
  await database.run(sql`update deleted_contacts set deleted_at = '9' || substr(deleted_at, 2)`);
  await database.run(sql`update idempotency_keys set created_at = ${now}`);
  await database.run(sql`update sessions set last_used_at = ${now}, expires_at = '9999-01-01T00:00:00+00:00'`);
  await database.run(sql`update invitations set expires_at = '9999-01-01T00:00:00+00:00'`);
  const store = storeOn(database);
  // Terms as they were made then are not searched.
  expect(await store.upkeep.unindexedProjects()).toContain('acme');
  for (const projectId of await store.upkeep.unindexedProjects()) await store.upkeep.indexContacts(projectId, 1_000);
  const server = stack.use(await openApp({}, store));
  const ask = async ({ method, path, body, key, token = story.token }: Asked) => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(key !== undefined && { 'idempotency-key': key }),
    };
    return server.ask({ method: method as 'GET', url: path, headers, ...(body && { payload: body }) });
  };
  return { story, database, store, server, ask, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/** As it is answered now: with the clock set forward, and searches in any order, as they have another one since. */
const today = (data: unknown, path: string) => {
  const { contacts } = (data ?? {}) as { contacts?: { id: string }[] };
  return path.endsWith('/search') && contacts
    ? { ...(data as object), contacts: contacts.toSorted((a, b) => (a.id < b.id ? -1 : 1)) }
    : data;
};
const inTime = (data: unknown) =>
  JSON.parse(JSON.stringify(data ?? null).replaceAll('"deleted_at":"2', '"deleted_at":"9')) as unknown;
const answerOf = ({ status, json }: TestAnswer, path: string) => ({
  path,
  status,
  data: today(json.data ?? null, path),
});

describe.each(cases)('a database that the program of $commit left on $engine', ({ commit, engine }) => {
  let at: Awaited<ReturnType<typeof migrated>>;
  beforeAll(async () => {
    at = await migrated(commit, engine);
  });
  afterAll(() => at[Symbol.asyncDispose]());

  it('answers every read as it did: members in order, contacts, lists, the bin, look-ups, searches', async () => {
    for (const recorded of at.story.reads) {
      const { path, status, data } = recorded;
      expect(answerOf(await at.ask(recorded), path)).toMatchObject({ path, status, data: inTime(today(data, path)) });
    }
    expect((await at.server.get('/v2/key', at.story.revoked)).status).toBe(401);
    const { total, compared, wrong } = await compareIndex(at.database);
    expect([compared, wrong]).toEqual([total, 0]);
  });

  it('finds the people of its files again, and tells namesakes apart', async () => {
    const [head = '', ...rows] = at.story.contacts.split('\n');
    const text = [head, ...rows.filter((row) => row.startsWith(','))].join('\n');
    // The first release took two rows that differed in a column that it left out for one person.
    const created = commit === '19e8193' ? 1 : 0;
    const first = await importText({ store: at.store, ...desk }, text);
    expect(first).toMatchObject({ read: 9, created, unchanged: 9 - created });
    expect(await importText({ store: at.store, ...desk }, text)).toMatchObject({ read: 9, unchanged: 9 });
  });

  it('finds everybody by search, and takes every kind of write', async () => {
    const search = async (query: string) =>
      (await at.ask({ method: 'POST', path: `${people}/search`, body: { query } })).json.data as unknown as {
        contacts: unknown[];
      };
    for (const word of ['elodie muller 3', 'p7@example.com', 'chen'])
      expect((await search(word)).contacts).toHaveLength(1);
    const walk = (sort: 'added_desc' | 'added_asc') => findAll(askOf(at.store, desk as Desk), { sort, limit: 7 });
    const newest = await walk('added_desc');
    const all = (await Array.fromAsync(at.store.contacts.listAll('acme', desk.chatbotId))).flat();
    expect(newest.toSorted()).toEqual(all.map(({ id }) => id).toSorted());
    expect((await walk('added_asc')).toReversed()).toEqual(newest);
    const { token } = await createApiKey(at.store, 'acme', { name: 'New', scopes });
    const change = (method: string, path: string, body?: object) =>
      at.ask({ method, path: `${people}${path}`, body, token });
    expect((await change('PATCH', '/person-7', { properties: { name: 'Renamed Once' } })).status).toBe(200);
    expect([(await search('renamed')).contacts.length, (await search('person 7')).contacts.length]).toEqual([1, 0]);
    for (const [method, path] of [
      ['DELETE', '/person-7'],
      ['POST', '/person-7/restore'],
      ['DELETE', '/person-7?purge=true'],
    ] as const) {
      expect([method, (await change(method, path)).status]).toEqual([method, 200]);
    }
    expect((await search('renamed')).contacts).toEqual([]);
    expect((await compareIndex(at.database)).wrong).toBe(0);
  });

  it.runIf(commit === '498b57d')(
    'goes on: a repeated request answers as the first, the feed has no gap, a session and an invitation are good',
    async () => {
      const { story, ask } = at;
      for (const { data, ...recorded } of story.repeats) {
        const { status, json } = await ask(recorded);
        const { invitation: _, ...kept } = (data ?? {}) as { invitation?: unknown };
        expect([recorded.path, status, json.data ?? {}]).toMatchObject([recorded.path, recorded.status, kept]);
      }
      const { after = '', events = [], end = '' } = story.feed ?? {};
      const feed = async (cursor: string) =>
        (await ask({ path: `/v2/events?limit=100&after=${cursor}` })).json.data as unknown as { events: object[] };
      const later = (await feed(after)).events;
      expect(later.slice(0, events.length)).toMatchObject(events);
      expect((await feed(end)).events).toEqual(later.slice(events.length));
      const last = later.at(-1) as { sequence: string };
      await ask({ method: 'PATCH', path: `${people}/person-2`, body: { properties: { phone: '+1 555 0199' } } });
      expect((await feed(end)).events.at(-1)).toMatchObject({
        type: 'contact.updated',
        sequence: String(BigInt(last.sequence) + 1n),
      });
      expect((await ask({ method: 'POST', path: `${people}/person-15/restore` })).status).toBe(200);
      const session = await callsOf(at.server, story.cookie)('GET', '/session');
      expect([session.status, session.json.data]).toMatchObject([200, { member: { email: 'ada@example.com' } }]);
      const token = story.invitation?.split('#')[1];
      const accepted = await at.server.ask({ method: 'POST', url: '/v2/invitations/accept', payload: { token } });
      expect(accepted.status).toBe(200);
      const members = (await ask({ path: '/v2/members?per_page=100' })).json.data as unknown as {
        members: { email: string }[];
      };
      expect(members.members.at(-1)?.email).toBe('pending@example.com');
    },
  );
});

it.each(['19e8193', '498b57d'])(
  'a backup that the program of %s made revives nobody who was purged or removed and no key that was revoked since',
  async (commit) => {
    await using backup = await oldDatabase(commit, 'sqlite');
    await using present = await oldDatabase(commit, 'sqlite');
    const path = sqlitePath(present.url) ?? '';
    {
      await using store = storeOn(await openMigrated(present.url));
      await run(deleteContact, store, operator('acme'), {
        chatbotId: desk.chatbotId,
        contactId: 'person-7',
        purge: true,
      });
      const usable = (await store.apiKeys.list('acme')).filter(({ revoked_at: revoked }) => revoked === null);
      for (const { id } of usable) await revokeApiKey(store, id);
      const found = await store.members.list('acme', { email: 'm7@example.com' }, 1, 0);
      const [{ id: memberId }] = found.members as [StoredMember];
      await run(removeMember, store, operator('acme'), { memberId });
    }
    const report = await restore(sqlitePath(backup.url) ?? '', path, 'now');
    expect(report.taken_away).toMatchObject({
      contacts_purged: 1,
      keys_revoked: 1,
      contacts_deleted: 0,
      members: 1,
      roles: 0,
    });
    await using store = storeOn(await openMigrated(present.url));
    expect(await store.contacts.find('acme', desk.chatbotId, 'person-7')).toBeUndefined();
    expect(await store.contacts.find('acme', desk.chatbotId, 'person-8')).toBeDefined();
  },
);

it.each(['19e8193', '498b57d'])(
  'a backup revives no key that the program of %s, which was not migrated since, has revoked',
  async (commit) => {
    await using backup = await oldDatabase(commit, 'sqlite');
    await using present = await oldDatabase(commit, 'sqlite');
    const path = sqlitePath(present.url) ?? '';
    {
      using old = new DatabaseSync(path);
      old.exec("update api_keys set revoked_at = created_at where name = 'All'");
    }
    const report = await restore(sqlitePath(backup.url) ?? '', path, 'now');
    expect(report).toMatchObject({ comparison: 'compared', replaced: { rows: { chatbots: 3 } } });
    expect(report.taken_away).toMatchObject({ keys_revoked: 1, members: 0, contacts_purged: 0, contacts_deleted: 0 });
  },
);
