import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { generateToken } from '../../src/api-keys/token.ts';
import { createContact } from '../../src/contacts/create.ts';
import { deleteContact } from '../../src/contacts/delete.ts';
import { restoreContact } from '../../src/contacts/restore.ts';
import { updateContact } from '../../src/contacts/update.ts';
import { raw, sql } from '../../src/database/sql.ts';
import { AppError } from '../../src/errors.ts';
import type { HttpSettings } from '../../src/http/app.ts';
import { createResponseCache } from '../../src/http/response-cache.ts';
import type { Answered } from '../../src/observability/access-log.ts';
import { run } from '../../src/operation.ts';
import type { Store } from '../../src/store.ts';
import { openApp, type TestAnswer } from '../support/app.ts';
import { engineOfRun, openStoreOfRun } from '../support/engines.ts';
import { aContact, aMember, aProject, createApiKey, storeContacts, vendorContactId } from '../support/people.ts';

/** PostgreSQL has no data version, so that only long answers come from memory there. */
const hasMemory = engineOfRun === 'SQLite';

async function opened(settings: Partial<HttpSettings> = {}) {
  const database = await openStoreOfRun();
  const contacts = [aContact(), aContact({ id: 'plain', name: 'Bo', email: 'bo@example.com' })];
  const project = await aProject(database.store, { contacts, members: [aMember()] });
  const answered: Answered[] = [];
  const watched = watch(database.store);
  const server = await openApp(settings, watched.watched, {
    onAnswered: [(answer) => void answered.push(answer)],
  });
  const keys = () => database.store.apiKeys.list(project.projectId);
  return {
    ...project,
    store: database.store,
    database: database.database,
    another: () => database.another(),
    keys,
    answered,
    ...watched,
    get: (path: string, token = project.token, headers?: Record<string, string>) => server.get(path, token, headers),
    contact: (id: string) => `/v2/chatbots/${project.chatbotId}/contacts/${id}`,
    /** Asks until the use of the key is noted, which changes the data version. */
    warmUp: async () => {
      await server.get('/v2/members?page=9', project.token);
      await expect.poll(async () => (await keys())[0]?.last_used_at).toBeTypeOf('string');
      await server.get('/v2/members?page=9', project.token);
      watched.takeAsked();
    },
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

/** The store, what it is asked, and a way to make it fail. */
function watch(store: Store) {
  const asked: string[] = [];
  const failing = new Set<string>();
  const asking = <Result>(name: string, ask: () => Promise<Result>): Promise<Result> => {
    asked.push(name);
    return failing.has(name) ? Promise.reject(new AppError('unavailable', 'The store is away.')) : ask();
  };
  const { contacts, members, apiKeys } = store;
  const watched: Store = {
    ...store,
    contacts: {
      ...contacts,
      find: (...given) => asking('contacts.find', () => contacts.find(...given)),
      page: (...given) => asking('contacts.page', () => contacts.page(...given)),
    },
    members: { ...members, list: (...given) => asking('members.list', () => members.list(...given)) },
    apiKeys: {
      ...apiKeys,
      findByHash: (...given) => asking('apiKeys.findByHash', () => apiKeys.findByHash(...given)),
    },
  };
  return { watched, failing, takeAsked: () => asked.splice(0) };
}

/** What does not differ from one request to the next. */
function lasting({ status, headers, body }: TestAnswer) {
  const { date, 'x-request-id': id, 'x-ratelimit-remaining': left, 'x-ratelimit-reset': reset, ...rest } = headers;
  expect([typeof date, id?.length, typeof left, typeof reset]).toEqual(['string', 36, 'string', 'string']);
  return { status, headers: Object.entries(rest), body };
}

describe('a request that is repeated', () => {
  it('is answered from memory as from the store, header by header', async () => {
    await using at = await opened({ rateLimit: 1_000 });
    await at.warmUp();
    for (const path of [
      at.contact('plain'),
      at.contact(vendorContactId),
      '/v2/members',
      '/v2/members?page=1',
      '/v2/members?page=7',
    ]) {
      at.takeAsked();
      const fresh = lasting(await at.get(path));
      expect(fresh.status).toBe(200);
      expect(at.takeAsked()).toHaveLength(hasMemory ? 1 : 2);
      for (let time = 0; time < 3; time++) {
        at.takeAsked();
        expect([path, lasting(await at.get(path))]).toEqual([path, fresh]);
      }
      expect(at.takeAsked()).toHaveLength(hasMemory ? 0 : 2);
      const known = { 'if-none-match': String(Object.fromEntries(fresh.headers)['etag']) };
      expect(await at.get(path, at.token, known)).toMatchObject({ status: 304, body: '' });
    }
    expect(new Set(at.answered.map(({ route }) => route))).toEqual(
      new Set(['/v2/members', '/v2/chatbots/:chatbotId/contacts/:contactId']),
    );
  });

  it('is counted once, however it is answered, and refused after the last', async () => {
    await using at = await opened({ rateLimit: 7 });
    const left = async (path: string) => {
      const { status, headers } = await at.get(path);
      return [status, headers['x-ratelimit-remaining']];
    };
    expect(await left(at.contact('plain'))).toEqual([200, '6']);
    expect(await left(at.contact('plain'))).toEqual([200, '5']);
    expect(await left(at.contact('plain'))).toEqual([200, '4']);
    expect(await left(at.contact('nobody'))).toEqual([404, '3']);
    expect(await left('/v2/members?page=0')).toEqual([422, '2']);
    expect(await left('/v2/members')).toEqual([200, '1']);
    expect(await left(at.contact('plain'))).toEqual([200, '0']);
    for (const path of ['/v2/members', at.contact('plain'), at.contact('nobody')]) {
      const { status, headers } = await at.get(path);
      expect([status, headers['x-ratelimit-remaining']]).toEqual([429, '0']);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
  });

  it('is refused without a key, with a wrong one, and with one that lacks the scope', async () => {
    await using at = await opened();
    const scopes = ['members:read'] as const;
    const { token } = await createApiKey(at.store, at.projectId, { name: 'members only', scopes });
    for (let time = 0; time < 4; time++) {
      expect((await at.get(at.contact('plain'))).status).toBe(200);
      expect((await at.get('/v2/members', token)).status).toBe(200);
      expect((await at.get(at.contact('plain'), token)).status).toBe(403);
      expect((await at.get(at.contact('plain'), `${at.token.slice(0, -1)}_`)).status).toBe(401);
      expect((await at.get(at.contact('plain'), 'x')).status).toBe(401);
    }
  });

  it('never meets the answer to another project', async () => {
    await using at = await opened();
    const other = await aProject(at.store, { chatbotId: at.chatbotId });
    const contacts = [aContact({ id: 'other', name: 'Cy' })];
    await storeContacts(at.store, other.projectId, other.chatbotId, contacts);
    for (let time = 0; time < 5; time++) {
      expect((await at.get(at.contact('plain'))).body).toContain('"Bo"');
      expect((await at.get(at.contact('plain'), other.token)).status).toBe(404);
      expect((await at.get(at.contact('other'), other.token)).body).toContain('"Cy"');
      expect((await at.get(at.contact('other'))).status).toBe(404);
    }
  });

  it('is answered from memory to every key of the project', async () => {
    await using at = await opened();
    const { token } = await createApiKey(at.store, at.projectId, { name: 'another' });
    for (const each of [token, at.token]) await at.get('/v2/members', each);
    const isNoted = async () => (await at.keys()).every((key) => key.last_used_at !== null);
    await expect.poll(isNoted, { timeout: 5_000 }).toBe(true);
    for (let time = 0; time < 2; time++) await at.get(at.contact('plain'));
    at.takeAsked();
    expect((await at.get(at.contact('plain'), token)).body).toContain('"Bo"');
    expect(at.takeAsked().filter((name) => name === 'contacts.find')).toHaveLength(hasMemory ? 0 : 1);
  });

  it('meets every change of the contact', async () => {
    await using at = await opened();
    for (const phone of ['1', '2', '3']) {
      await storeContacts(at.store, at.projectId, at.chatbotId, [aContact({ phone })]);
      for (let time = 0; time < 4; time++) {
        expect((await at.get(at.contact(vendorContactId))).json.data).toMatchObject({ phone });
      }
    }
  });

  it('for a long list is answered from memory until any process changes the project', async () => {
    await using at = await opened();
    await at.warmUp();
    await using other = hasMemory ? undefined : await at.another();
    const store = other ?? at.store;
    const path = `/v2/chatbots/${at.chatbotId}/contacts`;
    const people = (name: string) => Array.from({ length: 20 }, (_, i) => aContact({ id: `p${i}`, name }));
    const given = { chatbotId: at.chatbotId, contactId: 'p1' };
    for (const change of [
      () => storeContacts(store, at.projectId, at.chatbotId, people('A')),
      () => storeContacts(store, at.projectId, at.chatbotId, people('B')),
      () => run(updateContact, store, operator(at.projectId), { ...given, properties: { name: 'C' } }),
      () => run(deleteContact, store, operator(at.projectId), given),
      () => run(restoreContact, store, operator(at.projectId), given),
    ]) {
      await change();
      const stored = await store.contacts.page(at.projectId, at.chatbotId, { list: 'newest', isWhole: false }, 1, 25);
      for (let time = 0; time < 4; time++) {
        const { json } = await at.get(path);
        expect((json.data as unknown as { contacts: object[] }).contacts).toEqual(stored?.contacts);
      }
      expect(at.takeAsked().filter((name) => name === 'contacts.page').length).toBeLessThan(4);
    }
    at.takeAsked();
    await at.get(path);
    expect(at.takeAsked()).not.toContain('contacts.page');
  });

  it.skipIf(hasMemory)('for a long list is read again where a failover lost commits that were answered', async () => {
    await using at = await opened();
    await at.warmUp();
    const [path, rows] = [`/v2/chatbots/${at.chatbotId}/contacts`, raw(`project_id = '${at.projectId}'`)];
    const add = (id: string) =>
      run(createContact, at.store, operator(at.projectId), { chatbotId: at.chatbotId, properties: { name: id } });
    await storeContacts(
      at.store,
      at.projectId,
      at.chatbotId,
      Array.from({ length: 24 }, (_, i) => aContact({ id: `p${i}` })),
    );
    const before = await at.store.projects.version(at.projectId);
    await add('LOST');
    for (let time = 0; time < 4; time++) expect((await at.get(path)).body).toContain('LOST');
    await at.database.run(sql`delete from contacts where ${rows} and name = 'LOST'`);
    const last = Number(before?.split(' ')[0]);
    await at.database.run(sql`delete from events where ${rows} and sequence > ${last}`);
    await at.database.run(sql`update projects set last_event = ${last} where id = ${at.projectId}`);
    await add('NEW');
    const { body } = await at.get(path);
    expect([body.includes('NEW'), body.includes('LOST')]).toEqual([true, false]);
  });

  it('of a key that expires is refused from that second on, though it was known', async () => {
    await using at = await opened();
    const { token } = await createApiKey(at.store, at.projectId, { name: 'brief', expiresInSeconds: 2 });
    const statuses = new Set<number>();
    const end = performance.now() + 2_500;
    while (performance.now() < end) {
      statuses.add((await at.get(at.contact('plain'), token)).status);
      await sleep(20);
    }
    expect([...statuses]).toEqual([200, 401]);
  });
});

describe('the store', () => {
  it('is asked once for each thing that an answer needs', async () => {
    await using at = await opened();
    const askedFor = async (path: string, token = at.token) => {
      const { status } = await at.get(path, token);
      return [status, ...at.takeAsked()];
    };
    expect(await askedFor(at.contact('plain'))).toEqual([200, 'apiKeys.findByHash', 'contacts.find']);
    expect(await askedFor(at.contact('nobody'), generateToken())).toEqual([401, 'apiKeys.findByHash']);
    expect(await askedFor(at.contact('nobody'), 'too-short')).toEqual([401]);
    await at.warmUp();
    const keyAgain = hasMemory ? [] : ['apiKeys.findByHash'];
    expect(await askedFor(at.contact('nobody'))).toEqual([404, ...keyAgain, 'contacts.find']);
  });

  it('is asked once when it fails, and the answer tells what a refusal tells', async () => {
    await using at = await opened({ rateLimit: 100 });
    await at.warmUp();
    for (const failing of ['contacts.find', 'apiKeys.findByHash']) {
      at.takeAsked();
      at.answered.splice(0);
      at.failing.add(failing);
      const isKnown = failing === 'contacts.find';
      const { status, headers } = await at.get(at.contact('nobody'), isKnown ? at.token : generateToken());
      expect([status, headers['retry-after']]).toEqual([503, '5']);
      expect(at.takeAsked().filter((name) => name === failing)).toEqual([failing]);
      expect(headers['x-ratelimit-limit']).toBe(isKnown ? '100' : undefined);
      expect(at.answered.map((one) => [one.status, one.keyId])).toEqual([[503, isKnown ? at.keyId : undefined]]);
    }
  });
});

it('an answer in memory is believed for ten seconds at most while commits of other projects, or changes by hand, go on', () => {
  const clock = { now: 0 };
  const cache = createResponseCache(() => clock.now);
  const answer = { text: 'x'.repeat(3_000), etag: '"abcdefgh"', bytes: 3_000, encoding: 'latin1' } as const;
  for (let time = 0; time < 2; time++) cache.learn('acme', '/path', answer, '7 event', 1);
  const found = (version: string, at: number | undefined) => cache.find('acme', '/path', version, at) !== undefined;
  clock.now = 9_999;
  expect([found('7 event', 1), found('7 event', 2), found('7 event', undefined), found('8 event', 1)]).toEqual([
    true,
    true,
    true,
    false,
  ]);
  clock.now = 10_000;
  expect([found('7 event', 1), found('7 event', 2), found('7 event', undefined)]).toEqual([true, false, false]);
});
