import { globSync, readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { sqlitePath, storeOn } from '../../src/database/open-store.ts';
import { openApp } from '../support/app.ts';
import { type Opened, openStoreOfRun } from '../support/engines.ts';
import { eventsOf } from '../support/events.ts';
import { aProject } from '../support/people.ts';

/** A desk on a store that keeps deleted contacts for so many days, with all that is stored. */
async function openDesk(binDays = 30) {
  const stack = new AsyncDisposableStack();
  const opened = stack.use(await openStoreOfRun());
  const store = storeOn(opened.database, { binDays });
  const server = stack.use(await openApp({}, store));
  const { token, projectId, chatbotId } = await aProject(store, { scopes: ['contacts:read', 'contacts:write'] });
  const path = `/v2/chatbots/${chatbotId}/contacts`;
  const ask = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object, headers = {}) =>
    server.ask({
      method,
      url: `${path}${url}`,
      ...(payload && { payload }),
      headers: { authorization: `Bearer ${token}`, ...headers },
    });
  return {
    ask,
    create: async (properties: object, key: string) => {
      const { json } = await ask('POST', '', { properties }, { 'idempotency-key': key });
      return (json.data as unknown as { id: string }).id;
    },
    stored: () => everything(opened),
    /** Of the file and its log; nothing on PostgreSQL. */
    bytes: () =>
      globSync(`${sqlitePath(opened.url) ?? '/dev/null/none'}*`)
        .map((file) => readFileSync(file, 'latin1'))
        .join('')
        .toLowerCase(),
    types: async (): Promise<string[]> =>
      (await eventsOf(store, projectId)).map(({ type }) => type).filter((type) => type.startsWith('contact.')),
    chatbotId,
    erase: (payload: object, headers: object) =>
      server.ask({
        method: 'POST',
        url: '/v2/contacts/erase',
        payload,
        headers: { authorization: `Bearer ${token}`, ...headers },
      }),
    path,
    headers: { authorization: `Bearer ${token}` },
    database: opened.database,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** All rows of all tables, as one text, once the job has erased what it has to. The index of words is in tables, too. */
async function everything({ database }: Opened): Promise<string> {
  await Array.fromAsync(database.mergeIndex());
  const names =
    database.engine === 'sqlite'
      ? "select name from sqlite_schema where type = 'table' and name <> 'contact_words'"
      : "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'";
  const tables = await database.all<{ name: string }>({ pieces: [names], values: [] });
  expect(tables.length).toBeGreaterThan(8);
  const rows = tables.map(({ name }) => database.all({ pieces: [`select * from ${name}`], values: [] }));
  const asText = (_: string, cell: unknown) =>
    cell instanceof Uint8Array ? Buffer.from(cell).toString('latin1') : cell;
  return JSON.stringify(await Promise.all(rows), asText).toLowerCase();
}

const properties = {
  first_name: 'Plantedfirst',
  last_name: 'Plantedlast',
  email: 'Planted@Mail.example',
  phone: '+1 (555) 019-98877',
  job_title: 'Plantedtitle',
  company_name: 'Plantedcompany',
  website_url: 'planted-site.example',
  industry: 'Plantedindustry',
  address: 'Plantedstreet 1',
  city: 'Plantedcity',
  state: 'Plantedstate',
  postal_code: 'PL-4NT3D',
  country: 'Plantedland',
  external_id: 'planted-external',
  attributes: { planted_name: 'plantedvalue' },
  tags: ['plantedtag'],
};
const planted = ['planted', '15550199', 'pl-4nt3d', '019-98877'];

describe('after a purge', () => {
  it.each(['at once', 'from the bin'])('no byte of the properties is left in any table: %s', async (way) => {
    await using desk = await openDesk();
    const id = await desk.create(properties, 'create');
    const match = { external_id: properties.external_id };
    const key = { 'idempotency-key': 'upsert' };
    await desk.ask('POST', '/upsert', { match, properties: { city: 'Planted other city' } }, key);
    await desk.ask('POST', '/bulk', { items: [{ op: 'update', id, properties: { tags: { add: ['planted2'] } } }] });
    await desk.ask('PATCH', `/${id}`, { properties: { attributes: { planted_other: 'planted' } } });
    const before = await desk.stored();
    for (const text of planted) expect(before).toContain(text);
    if (way === 'from the bin') {
      await desk.ask('DELETE', `/${id}`);
      await desk.ask('POST', `/${id}/restore`, undefined, { 'idempotency-key': 'restore' });
      await desk.ask('DELETE', `/${id}`);
      expect(await desk.stored()).toContain('planted');
    }
    expect((await desk.ask('DELETE', `/${id}?purge=true`)).status).toBe(200);
    const after = await desk.stored();
    for (const text of planted) expect(after).not.toContain(text);
    // What tells of it has the id alone.
    expect(after).toContain(id);
    expect((await desk.types()).at(-1)).toBe('contact.purged');
  });
});

describe('after an erasure', () => {
  it('no byte of the person is left in any table: there, in the bin, merged, and in kept answers', async () => {
    await using desk = await openDesk();
    const key = (name: string) => ({ 'idempotency-key': name });
    const id = await desk.create(properties, 'create');
    const inBin = await desk.create({ ...properties, external_id: 'planted-bin' }, 'bin');
    const source = await desk.create({ ...properties, external_id: 'planted-source', city: 'Plantedmerged' }, 'source');
    const first = await desk.create({ ...properties, external_id: 'planted-first' }, 'first');
    await desk.ask('POST', '/upsert', { match: { external_id: 'planted-external' }, properties }, key('upsert'));
    const items = [{ op: 'update', id, properties: { tags: { add: ['planted2'] } } }];
    await desk.ask('POST', '/bulk', { items }, key('bulk'));
    await desk.ask('DELETE', `/${inBin}`, undefined, key('delete'));
    expect(
      (await desk.ask('POST', `/${source}/merge`, { from: [first], keep: { city: first } }, key('m'))).status,
    ).toBe(200);
    expect((await desk.ask('POST', `/${id}/merge`, { from: [source], keep: { city: source } }, key('n'))).status).toBe(
      200,
    );
    const stranger = await desk.create({ name: 'Stays', email: 'stays@example.com' }, 'stranger');
    for (const text of planted) expect(await desk.stored()).toContain(text);
    const { chatbotId: chatbot_id } = desk;
    const contacts = [id, inBin, 'nobody'].map((one) => ({ chatbot_id, id: one }));
    const erased = await desk.erase({ contacts, reference: 'Plantedreference' }, key('erase'));
    expect(erased.json.data).toMatchObject({ contacts: 2, reference: 'Plantedreference' });
    const after = await desk.stored();
    for (const text of planted) expect(after).not.toContain(text);
    for (const one of [id, inBin, source, first, 'stays@example.com', stranger]) expect(after).toContain(one);
    expect(desk.bytes()).not.toContain('planted');
  });
});

describe('without a bin', () => {
  it('a deletion is for good: nothing is kept, and nobody can be restored', async () => {
    await using desk = await openDesk(0);
    const id = await desk.create(properties, 'create');
    const other = await desk.create({ name: 'Planted' }, 'other');
    expect((await desk.ask('DELETE', `/${id}`)).json).toEqual({ status: 'success' });
    const items = [{ op: 'delete', id: other }];
    expect((await desk.ask('POST', '/bulk', { items })).json.data).toMatchObject({ succeeded: 1 });
    for (const one of [id, other]) {
      expect((await desk.ask('POST', `/${one}/restore`)).status).toBe(404);
      expect((await desk.ask('DELETE', `/${one}`)).status).toBe(404);
      expect((await desk.ask('DELETE', `/${one}?purge=true`)).status).toBe(404);
    }
    expect((await desk.ask('GET', '?state=deleted')).json.data).toMatchObject({ contacts: [] });
    expect(await desk.stored()).not.toContain('planted');
    expect(await desk.types()).toEqual(['contact.created', 'contact.created', 'contact.purged', 'contact.purged']);
  });

  it('nobody who is left in it from before can be restored', async () => {
    await using desk = await openDesk();
    const id = await desk.create(properties, 'create');
    await desk.ask('DELETE', `/${id}`);
    await using server = await openApp({}, storeOn(desk.database, { binDays: 0 }));
    const answer = await server.ask({ method: 'POST', url: `${desk.path}/${id}/restore`, headers: desk.headers });
    expect(answer.status).toBe(404);
  });
});
