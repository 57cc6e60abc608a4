import { describe, expect, it } from 'vitest';

import { eventsOf } from '../support/events.ts';
import { type Method, openFullDesk } from '../support/full-desk.ts';
import { aContact, aProject, storeContacts } from '../support/people.ts';

type Data = Record<string, unknown>;

const ana = { id: 'ana', name: 'Ana Ruiz', email: 'ana@example.com', phone: null, website: null };
const stored = [
  ana,
  { ...ana, id: 'old', created_at: '2020-01-01T00:00:00+00:00', name: 'A. Ruiz', email: 'ruiz@example.com' },
  { ...ana, id: 'new', phone: '+1 555 0101', external_id: 'crm-1', tags: ['vip'], attributes: { plan: 'pro' } },
];

async function openDesk() {
  const { server, project, contacts, ask } = await openFullDesk();
  await storeContacts(server.store, project.projectId, project.chatbotId, stored.map(aContact));
  const merge = (from: string[], more: object = {}, query = '') =>
    ask('POST', `${contacts}/ana/merge${query}`, { from, ...more });
  const undo = (id: unknown) => ask('POST', `/v2/chatbots/${project.chatbotId}/merges/${String(id)}/undo`);
  const whole = async (id: string) =>
    (await ask('GET', `${contacts}/${id}?include=details,external_id,attributes,tags`)).data;
  return {
    ...project,
    server,
    contacts,
    ask,
    merge,
    undo,
    whole,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

describe('POST /v2/chatbots/{chatbotId}/contacts/{contactId}/merge', () => {
  it('fills what is empty from the oldest, joins tags, and tells what each field took and what is lost', async () => {
    await using desk = await openDesk();
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
    const [event] = (await eventsOf(desk.server.store, desk.projectId)).slice(-1);
    expect(event).toMatchObject({ type: 'contact.merged', contact_id: 'ana', contact_ids: ['new', 'old'] });
  });

  it('keeps the values that `keep` names, the parts of a name with the name', async () => {
    await using desk = await openDesk();
    const { data } = await desk.merge(['old'], { keep: { name: 'old', email: 'old' } });
    expect(data).toMatchObject({
      contact: { id: 'ana', name: 'A. Ruiz', email: 'ruiz@example.com' },
      taken: { name: 'old', email: 'old' },
      lost: [
        { field: 'name', contact_id: 'ana' },
        { field: 'email', contact_id: 'ana' },
      ],
    });
  });

  it('leaves out attributes and tags beyond the limit, and tells them as lost', async () => {
    await using desk = await openDesk();
    const many = (of: string, count: number) => Array.from({ length: count }, (_, i) => `${of}${i}`);
    const given = (of: string, count: number) => ({
      tags: many(of, count),
      attributes: Object.fromEntries(many(of, count).map((name) => [name, 'x'])),
    });
    await desk.ask('PATCH', `${desk.contacts}/ana`, { properties: given('a', 49) });
    await desk.ask('PATCH', `${desk.contacts}/old`, { properties: given('b', 2) });
    const { data } = await desk.merge(['old']);
    const lost = (data['lost'] as unknown as { field: string }[]).map(({ field }) => field);
    expect(lost).toEqual(['name', 'email', 'attributes.b1', 'tags']);
    const { attributes, tags } = await desk.whole('ana');
    expect([Object.keys(attributes ?? {}).length, (tags as unknown as string[]).length]).toEqual([50, 50]);
    await desk.undo(data['merge_id']);
    expect(await desk.whole('ana')).toMatchObject({ tags: many('a', 49).toSorted() });
  });

  it('takes the tags alone of the contact that `keep` names for them, and gives them back', async () => {
    await using desk = await openDesk();
    await desk.ask('PATCH', `${desk.contacts}/ana`, { properties: { tags: ['lead', 'late'] } });
    await desk.ask('PATCH', `${desk.contacts}/new`, { properties: { tags: ['vip', 'late'] } });
    const { data } = await desk.merge(['new'], { keep: { tags: 'new' } });
    expect(data).toMatchObject({ taken: { tags: 'new' }, lost: [{ field: 'tags', contact_id: 'ana' }] });
    expect(await desk.whole('ana')).toMatchObject({ tags: ['late', 'vip'] });
    // Somebody takes away what both had.
    await desk.ask('PATCH', `${desk.contacts}/ana`, { properties: { tags: { remove: ['late'] } } });
    await desk.undo(data['merge_id']);
    expect(await desk.whole('ana')).toMatchObject({ tags: ['lead'] });
  });

  it('stores nothing in a dry run', async () => {
    await using desk = await openDesk();
    const { status, data } = await desk.merge(['old', 'new'], {}, '?dry_run=true');
    expect([status, data]).toMatchObject([200, { merge_id: null, contact: { phone: '+1 555 0101' } }]);
    expect(await desk.whole('ana')).toMatchObject({ phone: null });
    expect((await desk.ask('GET', `${desk.contacts}/old`)).status).toBe(200);
  });

  it('answers a repeated merge as the first, without an event', async () => {
    await using desk = await openDesk();
    const first = await desk.merge(['old', 'new']);
    const again = await desk.merge(['new', 'old']);
    expect(again).toMatchObject({ status: 200, data: first.data });
    const types = (await eventsOf(desk.server.store, desk.projectId)).map(({ type }) => type);
    expect(types.filter((type) => type === 'contact.merged')).toHaveLength(1);
    expect((await desk.merge(['old'])).status).toBe(410);
    expect((await desk.merge(['old', 'new'], {}, '?dry_run=true')).data).toEqual({ ...first.data, merge_id: null });
  });

  it('answers a repeated merge as the first also under the If-Match of the first', async () => {
    await using desk = await openDesk();
    const guard = { 'if-match': (await desk.ask('GET', `${desk.contacts}/ana`)).etag };
    const merge = () => desk.ask('POST', `${desk.contacts}/ana/merge`, { from: ['new'] }, guard);
    const first = await merge();
    expect(await merge()).toMatchObject({ status: 200, data: first.data });
  });

  it('is 412 where If-Match is of another state of the contact that stays', async () => {
    await using desk = await openDesk();
    const body = { from: ['old'] };
    const stale = { 'if-match': '"1.x"' };
    expect((await desk.ask('POST', `${desk.contacts}/ana/merge`, { from: ['nobody'] }, stale)).status).toBe(404);
    expect((await desk.ask('POST', `${desk.contacts}/ana/merge`, body, stale)).status).toBe(412);
    const { etag } = await desk.ask('GET', `${desk.contacts}/ana`);
    expect((await desk.ask('POST', `${desk.contacts}/ana/merge`, body, { 'if-match': etag })).status).toBe(200);
  });

  it('is 422 for itself, an unknown field or a contact that takes no part, and 404 for one that is not there', async () => {
    await using desk = await openDesk();
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

  it.each(asked)('is 410 to %s old%s, with the way to the one that stays', async (method, path, body) => {
    await using desk = await openDesk();
    await desk.merge(['old']);
    for (const headers of [{}, { 'if-match': '*' }]) {
      const { status, json, headers: answered } = await desk.ask(method, `${desk.contacts}/old${path}`, body, headers);
      expect([status, json]).toMatchObject([410, { code: 'merged', merged_into: 'ana' }]);
      expect(answered['link']).toBe(`<${desk.contacts}/ana>; rel="canonical"`);
    }
  });

  it('is 404 to keys of another project', async () => {
    await using desk = await openDesk();
    const { data } = await desk.merge(['old']);
    const other = await aProject(desk.server.store, { scopes: ['contacts:read', 'contacts:write'] });
    const headers = { authorization: `Bearer ${other.token}` };
    for (const [method, path, body] of asked) {
      expect((await desk.ask(method, `${desk.contacts}/old${path}`, body, headers)).status).toBe(404);
    }
    const undo = `/v2/chatbots/${desk.chatbotId}/merges/${String((data as Data)['merge_id'])}/undo`;
    expect((await desk.ask('POST', undo, undefined, headers)).status).toBe(404);
  });

  it('is 410 in a dismissal of duplicates', async () => {
    await using desk = await openDesk();
    await desk.merge(['old']);
    const dismissed = await desk.ask('POST', `${desk.contacts}/duplicates/dismiss`, { contact_ids: ['ana', 'old'] });
    expect([dismissed.status, dismissed.json]).toMatchObject([410, { code: 'merged', merged_into: 'ana' }]);
  });

  it('fails an item of a bulk request', async () => {
    await using desk = await openDesk();
    await desk.merge(['old']);
    const items = [
      { op: 'update', id: 'old', properties: { name: 'Bo' } },
      { op: 'delete', id: 'old' },
    ];
    const { data } = await desk.ask('POST', `${desk.contacts}/bulk`, { items });
    const refused = { code: 'merged', merged_into: 'ana' };
    expect(data['results']).toMatchObject([refused, refused]);
  });

  it('leads to the one that stays from a bulk request in which the last who has its e-mail goes', async () => {
    await using desk = await openDesk();
    await desk.merge(['old']);
    const match = { email: 'ruiz@example.com' };
    const { data: bo } = await desk.ask('POST', desk.contacts, { properties: match });
    const items = [
      { op: 'delete', id: bo['id'] },
      { op: 'upsert', match, properties: { city: 'Lisbon' } },
    ];
    const { data } = await desk.ask('POST', `${desk.contacts}/bulk`, { items });
    expect(data['results']).toMatchObject([{ outcome: 'deleted' }, { outcome: 'updated', id: 'ana' }]);
  });

  it('replaces no e-mail by an upsert that finds the one that stays by what an earlier item of the bulk gave it', async () => {
    await using desk = await openDesk();
    await desk.merge(['old']);
    const items = [
      { op: 'update', id: 'ana', properties: { external_id: 'crm-7' } },
      { op: 'upsert', match: { external_id: 'crm-7' }, properties: { email: 'ruiz@example.com' } },
    ];
    const { data } = await desk.ask('POST', `${desk.contacts}/bulk`, { items });
    expect(data['results']).toMatchObject([{ outcome: 'updated' }, { outcome: 'unchanged', id: 'ana' }]);
  });

  it('leads to the one that stays by its id, e-mail and external id, and changes nothing by them', async () => {
    await using desk = await openDesk();
    await desk.merge(['old', 'new'], { keep: { external_id: 'ana' } });
    const before = await desk.whole('ana');
    for (const [match, properties] of [
      [{ id: 'old' }, {}],
      [{ email: 'Ruiz@example.com' }, {}],
      [{ external_id: 'crm-1' }, { email: 'ruiz@example.com' }],
      [{ id: 'ana' }, { email: 'ruiz@example.com' }],
    ]) {
      const { status, data } = await desk.ask('POST', `${desk.contacts}/upsert`, { match, properties });
      expect([status, data]).toMatchObject([200, { outcome: 'unchanged', contact: { id: 'ana' } }]);
    }
    expect(await desk.whole('ana')).toEqual(before);
    for (const sought of [{ email: 'ruiz@example.com' }, { external_id: 'crm-1' }, { ids: ['old', 'new'] }]) {
      const { data } = await desk.ask('POST', `${desk.contacts}/lookup`, sought);
      expect([sought, (data['contacts'] as unknown as Data[]).map(({ id }) => id)]).toEqual([sought, ['ana']]);
    }
    const { data } = await desk.ask('POST', `${desk.contacts}/lookup`, { phone: '+1 555 0101' });
    expect(data['contacts']).toMatchObject([{ id: 'ana' }]);
  });

  it('changes nothing by an upsert of its values where the one that stays has its external id', async () => {
    await using desk = await openDesk();
    await desk.ask('PATCH', `${desk.contacts}/new`, { properties: { email: 'new@example.com' } });
    await desk.merge(['new']);
    const sent = { match: { external_id: 'crm-1' }, properties: { email: 'new@example.com' } };
    const { data } = await desk.ask('POST', `${desk.contacts}/upsert`, sent);
    expect(data).toMatchObject({ outcome: 'unchanged', contact: { id: 'ana', email: 'ana@example.com' } });
  });

  it('leads nowhere by an external id that somebody takes and gives away in one bulk request', async () => {
    await using desk = await openDesk();
    await desk.merge(['new'], { keep: { external_id: 'ana' } });
    const { data: bo } = await desk.ask('POST', desk.contacts, { properties: { name: 'Bo' } });
    const items = [
      { op: 'update', id: bo['id'], properties: { external_id: 'crm-1' } },
      { op: 'update', id: bo['id'], properties: { external_id: null } },
      { op: 'upsert', match: { external_id: 'crm-1' }, properties: { name: 'Cy' } },
    ];
    const { data } = await desk.ask('POST', `${desk.contacts}/bulk`, { items });
    expect(data['results']).toMatchObject([{ outcome: 'updated' }, { outcome: 'updated' }, { outcome: 'created' }]);
  });

  it('lets an upsert write the e-mail of the one that stays in another letter case, however it is found', async () => {
    await using desk = await openDesk();
    await desk.merge(['new']);
    for (const [match, email] of [
      [{ external_id: 'crm-1' }, 'ANA@example.com'],
      [{ id: 'new' }, 'Ana@example.com'],
    ]) {
      const { data } = await desk.ask('POST', `${desk.contacts}/upsert`, { match, properties: { email } });
      expect(data).toMatchObject({ outcome: 'updated', contact: { id: 'ana', email } });
    }
  });

  it('leads nowhere by an external id that somebody else took', async () => {
    await using desk = await openDesk();
    await desk.merge(['new'], { keep: { external_id: 'ana' } });
    const made = await desk.ask('POST', desk.contacts, { properties: { name: 'Bo', external_id: 'crm-1' } });
    expect(made.status).toBe(201);
    await desk.ask('DELETE', `${desk.contacts}/${String(made.data['id'])}`);
    const { data } = await desk.ask('POST', `${desk.contacts}/lookup`, { external_id: 'crm-1' });
    expect(data['contacts']).toEqual([]);
  });

  it('is ambiguous where its e-mail leads to two', async () => {
    await using desk = await openDesk();
    const two = ['one', 'two', 'three', 'four'].map((id, i) =>
      aContact({ ...ana, id, email: i < 2 ? 'we@example.com' : `${id}@example.com` }),
    );
    await storeContacts(desk.server.store, desk.projectId, desk.chatbotId, two);
    await desk.ask('POST', `${desk.contacts}/three/merge`, { from: ['one'] });
    await desk.ask('POST', `${desk.contacts}/four/merge`, { from: ['two'] });
    const { status, json } = await desk.ask('POST', `${desk.contacts}/upsert`, { match: { email: 'we@example.com' } });
    expect([status, json]).toMatchObject([409, { code: 'ambiguous_match', existing: ['four', 'three'] }]);
  });

  it('leads to the last of a chain in one step, and its own way again once that is undone', async () => {
    await using desk = await openDesk();
    await desk.ask('POST', `${desk.contacts}/old/merge`, { from: ['new'] });
    const { data } = await desk.merge(['old']);
    expect((await desk.ask('GET', `${desk.contacts}/new`)).json).toMatchObject({ merged_into: 'ana' });
    expect(await desk.undo(data['merge_id'])).toMatchObject({ status: 200 });
    expect((await desk.ask('GET', `${desk.contacts}/new`)).json).toMatchObject({ merged_into: 'old' });
  });

  it('is purged with what leads from it, or with the one that stays', async () => {
    await using desk = await openDesk();
    await desk.ask('POST', `${desk.contacts}/old/merge`, { from: ['new'] });
    await desk.merge(['old']);
    expect((await desk.ask('DELETE', `${desk.contacts}/old?purge=true`)).status).toBe(200);
    for (const id of ['old', 'new']) expect((await desk.ask('GET', `${desk.contacts}/${id}`)).status).toBe(404);
    expect((await desk.ask('GET', `${desk.contacts}/ana`)).status).toBe(200);
    const two = ['one', 'two'].map((id) => aContact({ ...ana, id }));
    await storeContacts(desk.server.store, desk.projectId, desk.chatbotId, two);
    await desk.ask('POST', `${desk.contacts}/one/merge`, { from: ['two'] });
    await desk.ask('DELETE', `${desk.contacts}/one`);
    expect((await desk.ask('GET', `${desk.contacts}/two`)).status).toBe(410);
    await desk.ask('DELETE', `${desk.contacts}/one?purge=true`);
    expect((await desk.ask('GET', `${desk.contacts}/two`)).status).toBe(404);
  });
});

describe('POST /v2/chatbots/{chatbotId}/merges/{mergeId}/undo', () => {
  it('brings all back, but for what somebody changed since, and counts them', async () => {
    await using desk = await openDesk();
    const [before, old, last] = [await desk.whole('ana'), await desk.whole('old'), await desk.whole('new')];
    const { data } = await desk.merge(['old', 'new']);
    await desk.ask('PATCH', `${desk.contacts}/ana`, { properties: { phone: '+1 555 0102' } });
    const undone = await desk.undo(data['merge_id']);
    expect([undone.status, undone.data]).toMatchObject([
      200,
      { contacts: [{ id: 'ana' }, { id: 'new' }, { id: 'old' }], kept: ['phone'] },
    ]);
    expect(await desk.whole('ana')).toEqual({ ...before, phone: '+1 555 0102' });
    expect([await desk.whole('old'), await desk.whole('new')]).toEqual([old, last]);
    const { data: list } = await desk.ask('GET', desk.contacts);
    expect(list).toMatchObject({ contacts: { length: 3 } });
    const [event] = (await eventsOf(desk.server.store, desk.projectId)).slice(-1);
    expect(event).toMatchObject({ type: 'contact.unmerged', contact_id: 'ana', contact_ids: ['new', 'old'] });
    expect((await desk.undo(data['merge_id'])).status).toBe(404);
  });

  it('is 409 where the one that stayed was merged, deleted or purged', async () => {
    await using desk = await openDesk();
    const { data } = await desk.merge(['old']);
    const outer = await desk.ask('POST', `${desk.contacts}/new/merge`, { from: ['ana'] });
    expect((await desk.undo(data['merge_id'])).status).toBe(409);
    await desk.undo(outer.data['merge_id']);
    await desk.ask('DELETE', `${desk.contacts}/ana`);
    expect((await desk.undo(data['merge_id'])).status).toBe(409);
    await desk.ask('DELETE', `${desk.contacts}/ana?purge=true`);
    expect((await desk.undo(data['merge_id'])).status).toBe(409);
  });

  it('is 409 where somebody else took the external id', async () => {
    await using desk = await openDesk();
    const { data } = await desk.merge(['new'], { keep: { external_id: 'ana' } });
    await desk.ask('POST', desk.contacts, { properties: { name: 'Bo', external_id: 'crm-1' } });
    const undone = await desk.undo(data['merge_id']);
    expect([undone.status, undone.json]).toMatchObject([409, { code: 'conflict' }]);
  });

  it('is 409 where somebody else took the external id that the contact which stays had before', async () => {
    await using desk = await openDesk();
    await desk.ask('PATCH', `${desk.contacts}/ana`, { properties: { external_id: 'crm-2' } });
    const { data } = await desk.merge(['new'], { keep: { external_id: 'new' } });
    const bo = await desk.ask('POST', desk.contacts, { properties: { name: 'Bo', external_id: 'crm-2' } });
    const { status, json } = await desk.undo(data['merge_id']);
    expect([status, json]).toMatchObject([409, { code: 'conflict', existing: [bo.data['id']] }]);
    expect(await desk.whole('ana')).toMatchObject({ external_id: 'crm-1' });
  });

  it('is 409 where the contact that stays took the external id of a merged one later', async () => {
    await using desk = await openDesk();
    await desk.ask('PATCH', `${desk.contacts}/ana`, { properties: { external_id: 'crm-2' } });
    const { data } = await desk.merge(['new']);
    await desk.ask('PATCH', `${desk.contacts}/ana`, { properties: { external_id: 'crm-1' } });
    expect((await desk.undo(data['merge_id'])).json).toMatchObject({ code: 'conflict', existing: ['ana'] });
  });
});
