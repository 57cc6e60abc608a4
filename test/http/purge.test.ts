import { globSync, readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import type { GivenProperties } from '../../src/contacts/properties.ts';
import { sqlitePath, storeOn } from '../../src/database/open-store.ts';
import { openApp } from '../support/app.ts';
import { type Opened, openStoreOfRun } from '../support/engines.ts';
import { aDesk } from '../support/full-desk.ts';

/** A desk on a store that keeps deleted contacts for so many days, with all that is stored. */
async function openDesk(binDays = 30) {
  const stack = new AsyncDisposableStack();
  const opened = stack.use(await openStoreOfRun());
  const server = stack.use(await openApp({}, storeOn(opened.database, { binDays })));
  const desk = await aDesk(server);
  return {
    ...desk,
    database: opened.database,
    createBy: async (key: string, given: object): Promise<string> =>
      (await desk.ask('POST', '', { properties: given }, keyed(key))).data['id'] ?? '',
    stored: () => everything(opened),
    /** Of the file and its log; nothing on PostgreSQL. */
    bytes: () =>
      globSync(`${sqlitePath(opened.url) ?? '/dev/null/none'}*`)
        .map((file) => readFileSync(file, 'latin1'))
        .join('')
        .toLowerCase(),
    types: async (): Promise<string[]> =>
      (await desk.events()).map(({ type }) => type).filter((type) => type.startsWith('contact.')),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

const keyed = (key: string) => ({ 'idempotency-key': key });

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

/** What is planted otherwise: the name by its parts. */
type Other = 'name' | 'phone' | 'attributes' | 'tags' | 'company_name' | 'website_url';
const properties = {
  first_name: 'Plantedfirst',
  last_name: 'Plantedlast',
  email: 'Planted@Mail.example',
  phone: '+1 (555) 019-98877',
  job_title: 'Plantedtitle',
  company: 'Plantedcompany',
  website: 'planted-site.example',
  industry: 'Plantedindustry',
  address: 'Plantedstreet 1',

  city: 'Plantedcity',
  state: 'Plantedstate',
  postal_code: 'Planted 4',
  country: 'Plantedland',
  external_id: 'planted-external',
  attributes: { planted_name: 'plantedvalue' },
  tags: ['plantedtag'],
} satisfies GivenProperties & Record<Exclude<keyof GivenProperties, Other>, `${'P' | 'p'}lanted${string}`>;
const planted = ['planted', '15550199', '019-98877'];

describe('after a purge', () => {
  it.each(['at once', 'from the bin'])('no byte of the properties is left in any table: %s', async (way) => {
    await using desk = await openDesk();
    const id = await desk.createBy('create', properties);
    const match = { external_id: properties.external_id };
    await desk.ask('POST', '/upsert', { match, properties: { city: 'Planted other city' } }, keyed('upsert'));
    await desk.ask('POST', '/bulk', { items: [{ op: 'update', id, properties: { tags: { add: ['planted2'] } } }] });
    await desk.ask('PATCH', `/${id}`, { properties: { attributes: { planted_other: 'planted' } } });
    const before = await desk.stored();
    for (const text of planted) expect(before).toContain(text);
    if (way === 'from the bin') {
      await desk.ask('DELETE', `/${id}`);
      await desk.ask('POST', `/${id}/restore`, undefined, keyed('restore'));
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
    const id = await desk.createBy('create', properties);
    const inBin = await desk.createBy('bin', { ...properties, external_id: 'planted-bin' });
    const source = await desk.createBy('source', {
      ...properties,
      external_id: 'planted-source',
      city: 'Plantedmerged',
    });
    const first = await desk.createBy('first', { ...properties, external_id: 'planted-first' });
    await desk.ask('POST', '/upsert', { match: { external_id: 'planted-external' }, properties }, keyed('upsert'));
    const items = [{ op: 'update', id, properties: { tags: { add: ['planted2'] } } }];
    await desk.ask('POST', '/bulk', { items }, keyed('bulk'));
    await desk.ask('DELETE', `/${inBin}`, undefined, keyed('delete'));
    for (const [into, from] of [
      [source, first],
      [id, source],
    ] as const) {
      const body = { from: [from], keep: { city: from } };
      expect((await desk.ask('POST', `/${into}/merge`, body, keyed(into))).status).toBe(200);
    }
    const stranger = await desk.createBy('stranger', { name: 'Stays', email: 'stays@example.com' });
    for (const text of planted) expect(await desk.stored()).toContain(text);
    const contacts = [id, inBin, 'nobody'].map((one) => ({ chatbot_id: desk.chatbotId, id: one }));
    const request = { contacts, reference: 'Plantedreference' };
    const { data } = await desk.ask('POST', '/v2/contacts/erase', request, keyed('erase'));
    expect(data).toMatchObject({ contacts: 2, reference: 'Plantedreference' });
    const after = await desk.stored();
    for (const text of planted) expect(after).not.toContain(text);
    for (const one of [id, inBin, source, first, 'stays@example.com', stranger]) expect(after).toContain(one);
    expect(desk.bytes()).not.toContain('planted');
  });
});

describe('without a bin', () => {
  it('a deletion is for good: nothing is kept, and nobody can be restored', async () => {
    await using desk = await openDesk(0);
    const id = await desk.createBy('create', properties);
    const other = await desk.createBy('other', { name: 'Planted' });
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
    const id = await desk.createBy('create', properties);
    await desk.ask('DELETE', `/${id}`);
    await using server = await openApp({}, storeOn(desk.database, { binDays: 0 }));
    expect((await server.ask(desk.optionsOf('POST', `/${id}/restore`))).status).toBe(404);
  });
});
