import { describe, expect, it } from 'vitest';

import { appOfFile } from '../support/app.ts';
import { aDesk, type Method } from '../support/full-desk.ts';
import { aContact, aProject, storeContacts } from '../support/people.ts';

type Data = Record<string, unknown>;

const ana = { id: 'ana', name: 'Ana Ruiz', email: 'ana@example.com', phone: null, website: null };
const stored = [
  ana,
  { ...ana, id: 'old', created_at: '2020-01-01T00:00:00+00:00', name: 'A. Ruiz', email: 'ruiz@example.com' },
  { ...ana, id: 'new', phone: '+1 555 0101', external_id: 'crm-1', tags: ['vip'], attributes: { plan: 'pro' } },
];

const server = appOfFile();

async function openDesk() {
  const desk = await aDesk(server, { contacts: stored.map((one) => aContact(one)) });
  const { ask, chatbotId, projectId } = desk;
  const change = (id: string, properties: object) => ask('PATCH', `/${id}`, { properties });
  return {
    ...desk,
    change,
    merge: (from: string[], more: object = {}, query = '') => ask('POST', `/ana/merge${query}`, { from, ...more }),
    bulk: async (...items: object[]) => (await ask('POST', '/bulk', { items })).data['results'] as unknown as Data[],
    upsert: (match: object, properties = {}) => ask('POST', '/upsert', { match, properties }),
    found: async (sought: object) =>
      ((await ask('POST', '/lookup', sought)).data['contacts'] as unknown as Data[]).map(({ id }) => id),
    store: (...people: Parameters<typeof aContact>[0][]) =>
      storeContacts(
        server.store,
        projectId,
        chatbotId,
        people.map((one) => aContact(one)),
      ),
    undo: (id: unknown) => ask('POST', `/v2/chatbots/${chatbotId}/merges/${String(id)}/undo`),
    whole: async (id: string) => (await ask('GET', `/${id}?include=details,external_id,attributes,tags`)).data,
  };
}

describe('POST /v2/chatbots/{chatbotId}/contacts/{contactId}/merge', () => {
  it('fills what is empty from the oldest, joins tags, and tells what each field took and what is lost', async () => {
    const desk = await openDesk();
    const { status, data } = await desk.merge(['new', 'old']);
    expect([status, data]).toMatchObject([
      200,
      {
        merge_id: expect.any(String),
        undo_until: expect.stringMatching(/^20.*\+00:00$/),
        contact: { id: 'ana', name: 'Ana Ruiz', email: 'ana@example.com', phone: '+1 555 0101' },
        taken: { phone: 'new', external_id: 'new', 'attributes.plan': 'new', tags: 'new' },
      },
    ]);
    expect(data['lost']).toEqual([
      { field: 'name', contact_id: 'old' },
      { field: 'email', contact_id: 'old' },
    ]);
    expect(await desk.whole('ana')).toMatchObject({ external_id: 'crm-1', tags: ['vip'], attributes: { plan: 'pro' } });
    const [event] = (await desk.events()).slice(-1);
    expect(event).toMatchObject({ type: 'contact.merged', contact_id: 'ana', contact_ids: ['new', 'old'] });
  });

  it('takes the values that `keep` names, and the parts of a name with the name', async () => {
    const desk = await openDesk();
    await desk.change('ana', { first_name: 'Ana', last_name: 'Ruiz' });
    const { data } = await desk.merge(['old'], { keep: { name: 'old', email: 'old' } });
    expect([data['taken'], data['lost']]).toEqual([
      { name: 'old', email: 'old' },
      ['name', 'email'].map((field) => ({ field, contact_id: 'ana' })),
    ]);
    const taken = { name: 'A. Ruiz', first_name: null, last_name: null, email: 'ruiz@example.com' };
    expect(await desk.whole('ana')).toMatchObject(taken);
  });

  it('leaves out attributes and tags beyond the limit, and tells them as lost', async () => {
    const desk = await openDesk();
    const many = (of: string, count: number) => Array.from({ length: count }, (_, i) => `${of}${i}`);
    const given = (of: string, count: number) => ({
      tags: many(of, count),
      attributes: Object.fromEntries(many(of, count).map((name) => [name, 'x'])),
    });
    await desk.change('ana', given('a', 49));
    await desk.change('old', given('b', 2));
    const { data } = await desk.merge(['old']);
    const lost = (data['lost'] as unknown as { field: string }[]).map(({ field }) => field);
    expect(lost).toEqual(['name', 'email', 'attributes.b1', 'tags']);
    const { attributes, tags } = await desk.whole('ana');
    expect([Object.keys(attributes ?? {}).length, (tags as unknown as string[]).length]).toEqual([50, 50]);
    await desk.undo(data['merge_id']);
    expect(await desk.whole('ana')).toMatchObject({ tags: many('a', 49).toSorted() });
  });

  it('takes the tags alone of the contact that `keep` names for them, and gives them back', async () => {
    const desk = await openDesk();
    await desk.change('ana', { tags: ['lead', 'late'] });
    await desk.change('new', { tags: ['vip', 'late'] });
    const { data } = await desk.merge(['new'], { keep: { tags: 'new' } });
    expect(data).toMatchObject({ taken: { tags: 'new' }, lost: [{ field: 'tags', contact_id: 'ana' }] });
    expect(await desk.whole('ana')).toMatchObject({ tags: ['late', 'vip'] });
    // Somebody takes away what both had.
    await desk.change('ana', { tags: { remove: ['late'] } });
    await desk.undo(data['merge_id']);
    expect(await desk.whole('ana')).toMatchObject({ tags: ['lead'] });
  });

  it('stores nothing in a dry run', async () => {
    const desk = await openDesk();
    const { status, data } = await desk.merge(['old', 'new'], {}, '?dry_run=true');
    expect([status, data]).toMatchObject([200, { merge_id: null, contact: { phone: '+1 555 0101' } }]);
    expect(await desk.whole('ana')).toMatchObject({ phone: null });
    expect((await desk.ask('GET', '/old')).status).toBe(200);
  });

  it('answers a repeated merge as the first, without an event', async () => {
    const desk = await openDesk();
    const first = await desk.merge(['old', 'new']);
    const again = await desk.merge(['new', 'old']);
    expect(again).toMatchObject({ status: 200, data: first.data });
    expect((await desk.events()).filter(({ type }) => type === 'contact.merged')).toHaveLength(1);
    expect((await desk.merge(['old'])).status).toBe(410);
    expect((await desk.merge(['old', 'new'], {}, '?dry_run=true')).data).toEqual({ ...first.data, merge_id: null });
  });

  it('is 412 if If-Match names another state of the contact that stays; a repeat with the first tag gets the first answer', async () => {
    const desk = await openDesk();
    const merge = (from: string, tag: string) => desk.ask('POST', '/ana/merge', { from: [from] }, { 'if-match': tag });
    expect((await merge('nobody', '"1.x"')).status).toBe(404);
    expect((await merge('old', '"1.x"')).status).toBe(412);
    const { etag } = await desk.ask('GET', '/ana');
    const { status, data } = await merge('old', etag);
    expect([status, await merge('old', etag)]).toMatchObject([200, { status: 200, data }]);
  });

  it('is 422 for itself, an unknown field or a contact that takes no part, and 404 for one that is not there', async () => {
    const desk = await openDesk();
    for (const [from, keep] of [
      [['ana'], {}],
      [['old', 'old'], {}],
      [[], {}],
      [['old'], { nickname: 'old' }],
      [['old'], { first_name: 'old' }],
      [['old'], { name: 'new' }],
    ] as const) {
      expect([from, keep, (await desk.merge([...from], { keep })).status]).toEqual([from, keep, 422]);
    }
    expect((await desk.merge(['nobody'])).status).toBe(404);
  });
});

describe('a contact that was merged', () => {
  const asked: [Method, string, object?][] = [
    ['GET', ''],
    ['GET', '?include=tags'],
    ['PATCH', '', { properties: { name: 'Bo' } }],
    ['DELETE', ''],
    ['POST', '/restore'],
    ['POST', '/merge', { from: ['new'] }],
  ];

  it('is 410 with the way to the one that stays, whatever is asked of it', async () => {
    const desk = await openDesk();
    await desk.merge(['old']);
    for (const [method, path, body] of asked) {
      for (const guard of [{}, { 'if-match': '*' }]) {
        const { status, json, headers } = await desk.ask(method, `/old${path}`, body, guard);
        expect([method, path, status, json]).toMatchObject([method, path, 410, { code: 'merged', merged_into: 'ana' }]);
        expect(headers['link']).toBe(`<${desk.contacts}/ana>; rel="canonical"`);
      }
    }
  });

  it('is 404 to keys of another project', async () => {
    const desk = await openDesk();
    const { data } = await desk.merge(['old']);
    const other = await aProject(desk.server.store, { scopes: ['contacts:read', 'contacts:write'] });
    const headers = { authorization: `Bearer ${other.token}` };
    for (const [method, path, body] of asked) {
      expect((await desk.ask(method, `/old${path}`, body, headers)).status).toBe(404);
    }
    const undo = `/v2/chatbots/${desk.chatbotId}/merges/${String((data as Data)['merge_id'])}/undo`;
    expect((await desk.ask('POST', undo, undefined, headers)).status).toBe(404);
  });

  it('is 410 in a dismissal of duplicates, and fails an item of a bulk request', async () => {
    const desk = await openDesk();
    await desk.merge(['old']);
    const merged = { code: 'merged', merged_into: 'ana' };
    const { status, json } = await desk.ask('POST', '/duplicates/dismiss', { contact_ids: ['ana', 'old'] });
    expect([status, json]).toMatchObject([410, merged]);
    const update = { op: 'update', id: 'old', properties: { name: 'Bo' } };
    expect(await desk.bulk(update, { op: 'delete', id: 'old' })).toMatchObject([merged, merged]);
  });

  it('leads to the one that stays from a bulk request in which the last who has its e-mail goes', async () => {
    const desk = await openDesk();
    await desk.merge(['old']);
    const match = { email: 'ruiz@example.com' };
    const bo = await desk.create(match);
    const results = await desk.bulk({ op: 'delete', id: bo }, { op: 'upsert', match, properties: { city: 'Lisbon' } });
    expect(results).toMatchObject([{ outcome: 'deleted' }, { outcome: 'updated', id: 'ana' }]);
  });

  it('replaces no e-mail by an upsert that finds the one that stays by what an earlier item of the bulk gave it', async () => {
    const desk = await openDesk();
    await desk.merge(['old']);
    const results = await desk.bulk(
      { op: 'update', id: 'ana', properties: { external_id: 'crm-7' } },
      { op: 'upsert', match: { external_id: 'crm-7' }, properties: { email: 'ruiz@example.com' } },
    );
    expect(results).toMatchObject([{ outcome: 'updated' }, { outcome: 'unchanged', id: 'ana' }]);
  });

  it('leads to the one that stays by its id, e-mail and external id, and changes nothing by them', async () => {
    const desk = await openDesk();
    await desk.merge(['old', 'new'], { keep: { external_id: 'ana' } });
    const before = await desk.whole('ana');
    for (const [match, properties] of [
      [{ id: 'old' }, {}],
      [{ email: 'Ruiz@example.com' }, {}],
      [{ external_id: 'crm-1' }, { email: 'ruiz@example.com' }],
      [{ id: 'ana' }, { email: 'ruiz@example.com' }],
    ] as const) {
      const { status, data } = await desk.upsert(match, properties);
      expect([status, data]).toMatchObject([200, { outcome: 'unchanged', contact: { id: 'ana' } }]);
    }
    expect(await desk.whole('ana')).toEqual(before);
    for (const sought of [
      { email: 'ruiz@example.com' },
      { external_id: 'crm-1' },
      { ids: ['old', 'new'] },
      { phone: '+1 555 0101' },
    ]) {
      expect([sought, await desk.found(sought)]).toEqual([sought, ['ana']]);
    }
  });

  it('changes nothing by an upsert of its values where the one that stays has its external id', async () => {
    const desk = await openDesk();
    await desk.change('new', { email: 'new@example.com' });
    await desk.merge(['new']);
    const { data } = await desk.upsert({ external_id: 'crm-1' }, { email: 'new@example.com' });
    expect(data).toMatchObject({ outcome: 'unchanged', contact: { id: 'ana', email: 'ana@example.com' } });
  });

  it('lets an upsert write the e-mail of the one that stays in another letter case, however it is found', async () => {
    const desk = await openDesk();
    await desk.merge(['new']);
    for (const [match, email] of [
      [{ external_id: 'crm-1' }, 'ANA@example.com'],
      [{ id: 'new' }, 'Ana@example.com'],
    ] as const) {
      const { data } = await desk.upsert(match, { email });
      expect(data).toMatchObject({ outcome: 'updated', contact: { id: 'ana', email } });
    }
  });

  it('leads nowhere by an external id that another contact took, even if that one drops it in the same bulk request', async () => {
    const desk = await openDesk();
    await desk.merge(['new'], { keep: { external_id: 'ana' } });
    const id = await desk.create({ name: 'Bo' });
    const results = await desk.bulk(
      { op: 'update', id, properties: { external_id: 'crm-1' } },
      { op: 'update', id, properties: { external_id: null } },
      { op: 'upsert', match: { external_id: 'crm-1' }, properties: { name: 'Cy' } },
    );
    expect(results).toMatchObject([{ outcome: 'updated' }, { outcome: 'updated' }, { outcome: 'created' }]);
    await desk.ask('DELETE', `/${String(results[2]?.['id'])}`);
    expect(await desk.found({ external_id: 'crm-1' })).toEqual([]);
  });

  it('is ambiguous where its e-mail leads to two', async () => {
    const desk = await openDesk();
    const email = 'we@example.com';
    await desk.store({ ...ana, id: 'one', email }, { ...ana, id: 'two', email });
    await desk.merge(['one']);
    await desk.ask('POST', '/old/merge', { from: ['two'] });
    const { status, json } = await desk.upsert({ email });
    expect([status, json]).toMatchObject([409, { code: 'ambiguous_match', existing: ['ana', 'old'] }]);
  });

  it('leads to the last of a chain in one step, and its own way again once that is undone', async () => {
    const desk = await openDesk();
    await desk.ask('POST', '/old/merge', { from: ['new'] });
    const { data } = await desk.merge(['old']);
    expect((await desk.ask('GET', '/new')).json).toMatchObject({ merged_into: 'ana' });
    expect(await desk.undo(data['merge_id'])).toMatchObject({ status: 200 });
    expect((await desk.ask('GET', '/new')).json).toMatchObject({ merged_into: 'old' });
  });

  it('is purged with what leads from it, or with the one that stays', async () => {
    const desk = await openDesk();
    await desk.ask('POST', '/old/merge', { from: ['new'] });
    await desk.merge(['old']);
    expect((await desk.ask('DELETE', `/old?purge=true`)).status).toBe(200);
    for (const id of ['old', 'new']) expect((await desk.ask('GET', `/${id}`)).status).toBe(404);
    expect((await desk.ask('GET', '/ana')).status).toBe(200);
    await desk.store({ ...ana, id: 'one' }, { ...ana, id: 'two' });
    await desk.ask('POST', '/one/merge', { from: ['two'] });
    await desk.ask('DELETE', '/one');
    expect((await desk.ask('GET', '/two')).status).toBe(410);
    await desk.ask('DELETE', `/one?purge=true`);
    expect((await desk.ask('GET', '/two')).status).toBe(404);
  });
});

describe('POST /v2/chatbots/{chatbotId}/merges/{mergeId}/undo', () => {
  it('brings all back, but for what somebody changed since, and counts them', async () => {
    const desk = await openDesk();
    const [before, old, last] = [await desk.whole('ana'), await desk.whole('old'), await desk.whole('new')];
    const { data } = await desk.merge(['old', 'new']);
    await desk.change('ana', { phone: '+1 555 0102' });
    const undone = await desk.undo(data['merge_id']);
    expect([undone.status, undone.data]).toMatchObject([
      200,
      { contacts: [{ id: 'ana' }, { id: 'new' }, { id: 'old' }], kept: ['phone'] },
    ]);
    expect(await desk.whole('ana')).toEqual({ ...before, phone: '+1 555 0102' });
    expect([await desk.whole('old'), await desk.whole('new')]).toEqual([old, last]);
    const { data: list } = await desk.ask('GET', '');
    expect(list).toMatchObject({ contacts: { length: 3 } });
    const [event] = (await desk.events()).slice(-1);
    expect(event).toMatchObject({ type: 'contact.unmerged', contact_id: 'ana', contact_ids: ['new', 'old'] });
    expect((await desk.undo(data['merge_id'])).status).toBe(404);
  });

  it('is 409 where the one that stayed was merged, deleted or purged', async () => {
    const desk = await openDesk();
    const { data } = await desk.merge(['old']);
    const outer = await desk.ask('POST', '/new/merge', { from: ['ana'] });
    expect((await desk.undo(data['merge_id'])).status).toBe(409);
    await desk.undo(outer.data['merge_id']);
    await desk.ask('DELETE', '/ana');
    expect((await desk.undo(data['merge_id'])).status).toBe(409);
    await desk.ask('DELETE', `/ana?purge=true`);
    expect((await desk.undo(data['merge_id'])).status).toBe(409);
  });

  it('is 409 if another contact took the external id of a merged one, or the former one of the contact that stays', async () => {
    const desk = await openDesk();
    await desk.change('ana', { external_id: 'crm-2' });
    const { data } = await desk.merge(['new'], { keep: { external_id: 'new' } });
    const bo = await desk.create({ name: 'Bo', external_id: 'crm-2' });
    const { status, json } = await desk.undo(data['merge_id']);
    expect([status, json]).toMatchObject([409, { code: 'conflict', existing: [bo] }]);
    expect(await desk.whole('ana')).toMatchObject({ external_id: 'crm-1' });
    await desk.change(bo, { external_id: null });
    await desk.change('ana', { external_id: null });
    const cy = await desk.create({ name: 'Cy', external_id: 'crm-1' });
    expect((await desk.undo(data['merge_id'])).json).toMatchObject({ code: 'conflict', existing: [cy] });
  });

  it('is 409 where the contact that stays took the external id of a merged one later', async () => {
    const desk = await openDesk();
    await desk.change('ana', { external_id: 'crm-2' });
    const { data } = await desk.merge(['new']);
    await desk.change('ana', { external_id: 'crm-1' });
    expect((await desk.undo(data['merge_id'])).json).toMatchObject({ code: 'conflict', existing: ['ana'] });
  });
});
