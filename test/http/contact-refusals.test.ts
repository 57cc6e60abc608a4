import { describe, expect, it } from 'vitest';

import { storeOn } from '../../src/database/open-store.ts';
import { openApp, type TestAnswer } from '../support/app.ts';
import { openStoreOfRun } from '../support/engines.ts';
import { aContact, aProject, storeContacts } from '../support/people.ts';

async function openDesk() {
  const stack = new AsyncDisposableStack();
  const { database } = stack.use(await openStoreOfRun());
  const server = stack.use(await openApp({}, storeOn(database, { binDays: 30 })));
  const scopes = ['contacts:read', 'contacts:write', 'chatbots:read', 'chatbots:write', 'project:write'] as const;
  const project = await aProject(server.store, { scopes: [...scopes] });
  const path = `/v2/chatbots/${project.chatbotId}/contacts`;
  const ask = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object | string, headers = {}) =>
    server.ask({
      method,
      url: url.startsWith('/v2') ? url : `${path}${url}`,
      ...(payload !== undefined && { payload }),
      headers: {
        authorization: `Bearer ${project.token}`,
        ...(payload !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
    });
  return {
    ...project,
    database,
    path,
    ask,
    create: async (properties: object) =>
      ((await ask('POST', '', { properties })).json.data as unknown as { id: string }).id,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

const refusal = ({ status, json }: TestAnswer) => [
  status,
  (json.errors ?? []).map(({ field, code }) => `${field} ${code}`),
];
const resultsOf = ({ json }: TestAnswer) =>
  (json.data as unknown as { results: Record<string, unknown>[] }).results.map(({ outcome, errors }) => [
    outcome,
    ((errors ?? []) as { field: string; code: string }[]).map(({ field, code }) => `${field} ${code}`),
  ]);

describe('half of a surrogate pair', () => {
  const half = 'a\ud800';

  it.each([
    ['external_id', half],
    ['name', half],
    ['first_name', half],
    ['email', `${half}@example.com`],
    ['phone', half],
    ['company_name', half],
    ['website_url', `example.com/${half}`],
    ['address', half],
    ['attributes.note', half],
    ['tags[0]', half],
    ['tags.add[0]', half],
  ])(
    'is refused in %s by every write of a contact, and fails its item of a bulk request alone',
    async (field, text) => {
      await using desk = await openDesk();
      const id = await desk.create({ phone: '1' });
      const value = { 'attributes.note': { note: text }, 'tags[0]': [text], 'tags.add[0]': { add: [text] } }[field];
      const properties = { [field.replace(/[.[].*/, '')]: value ?? text };
      const errors = [`properties.${field} format`];
      expect(refusal(await desk.ask('POST', '', { properties }))).toEqual([422, errors]);
      expect(refusal(await desk.ask('PATCH', `/${id}`, { properties }))).toEqual([422, errors]);
      expect(refusal(await desk.ask('POST', '/upsert', { match: { id }, properties }))).toEqual([422, errors]);
      const items = [
        { op: 'create', properties },
        { op: 'create', properties: { name: 'A \u{1f600}' } },
      ];
      const bulk = await desk.ask('POST', '/bulk', { items });
      expect(resultsOf(bulk)).toEqual([
        ['failed', errors],
        ['created', []],
      ]);
    },
  );

  it('is refused as the value of a match or a look-up, and in names of chatbots and projects', async () => {
    await using desk = await openDesk();
    for (const by of ['id', 'email', 'external_id']) {
      const match = { [by]: by === 'email' ? `${half}@example.com` : half };
      expect(refusal(await desk.ask('POST', '/upsert', { match }))).toEqual([422, [`match.${by} format`]]);
      const items = [{ op: 'delete', match }];
      expect(refusal(await desk.ask('POST', '/bulk', { items }))).toEqual([422, [`items[0].match.${by} format`]]);
    }
    for (const by of ['email', 'phone', 'external_id']) {
      expect(refusal(await desk.ask('POST', '/lookup', { [by]: half }))).toEqual([422, [`${by} format`]]);
    }
    expect(refusal(await desk.ask('POST', '/v2/chatbots', { name: half }))).toEqual([422, ['name format']]);
    expect(refusal(await desk.ask('PATCH', '/v2/project/settings', { name: half }))).toEqual([422, ['name format']]);
  });
});

describe('a property', () => {
  it('that is a number beyond the range of a double is refused', async () => {
    await using desk = await openDesk();
    const id = await desk.create({ name: 'Ana', attributes: { kept: 1.5e308 } });
    for (const number of ['1e400', '-1e999']) {
      const body = `{"properties":{"attributes":{"big":${number}}}}`;
      expect(refusal(await desk.ask('PATCH', `/${id}`, body))).toEqual([422, ['properties.attributes.big too_large']]);
    }
    expect((await desk.ask('GET', `/${id}?include=attributes`)).json.data).toMatchObject({
      attributes: { kept: 1.5e308 },
    });
  });

  it('that is an attribute of another name than the rule allows is told with its path and the rule', async () => {
    await using desk = await openDesk();
    const message = 'must begin with a letter a to z and go on with at most 39 letters a to z, digits or _';
    for (const name of ['A', '_a', 'a-b', 'x'.repeat(41), 'y'.repeat(300)]) {
      const { status, json } = await desk.ask('POST', '', { properties: { name: 'A', attributes: { [name]: 1 } } });
      const field = `properties.attributes.${name}`.slice(0, 255);
      expect([status, json.errors]).toEqual([422, [{ field, code: 'format', message }]]);
    }
  });

  it('that is empty or null where a text is required is told as required', async () => {
    await using desk = await openDesk();
    for (const text of ['', '  ', null]) {
      const errors = async (method: 'POST' | 'PATCH', url: string, payload: object) =>
        (await desk.ask(method, url, payload)).json.errors;
      const required = (field: string, message = 'must not be empty') => [{ field, code: 'required', message }];
      expect(await errors('PATCH', '/v2/project/settings', { name: text })).toEqual(required('name'));
      expect(await errors('POST', '/v2/chatbots', { name: text })).toEqual(required('name'));
      expect(await errors('POST', '/lookup', { email: text })).toEqual(
        required('email', 'is required, or phone, external_id or ids'),
      );
      expect(await errors('POST', '/upsert', { match: { email: text } })).toEqual(required('match.email'));
      const tagged = { properties: { name: 'A', tags: ['a', text] } };
      expect(await errors('POST', '', tagged)).toEqual(required('properties.tags[1]'));
    }
  });
});

describe('an external id that another contact has', () => {
  it('is told before what is wrong with the contact that would be left', async () => {
    await using desk = await openDesk();
    const owner = await desk.create({ name: 'Bo', external_id: 'taken' });
    const id = await desk.create({ name: 'Ana' });
    const properties = { external_id: 'taken', name: null };
    for (const answer of [
      await desk.ask('PATCH', `/${id}`, { properties }),
      await desk.ask('POST', '/upsert', { match: { id }, properties }),
    ]) {
      expect([answer.status, answer.json.code, answer.json['existing']]).toEqual([409, 'conflict', [owner]]);
    }
    const { json } = await desk.ask('POST', '/bulk', { items: [{ op: 'update', id, properties }] });
    expect(json.data).toMatchObject({ results: [{ outcome: 'failed', code: 'conflict' }] });
  });
});

describe('a purge with If-Match', () => {
  it('finds the contact in the bin by the tag that it had, or by *', async () => {
    await using desk = await openDesk();
    const id = await desk.create({ name: 'Ana', tags: ['a'] });
    const tagOf = async (query: string) => (await desk.ask('GET', `/${id}${query}`)).headers['etag'];
    const tagged = await tagOf('?include=tags');
    await desk.ask('DELETE', `/${id}`);
    const purge = async (tag: string | undefined) =>
      (await desk.ask('DELETE', `/${id}?purge=true`, undefined, { 'if-match': tag })).status;
    expect(await purge('"other"')).toBe(412);
    expect(await purge(tagged)).toBe(200);
    expect(await purge('*')).toBe(404);
    const other = await desk.create({ name: 'Bo' });
    await desk.ask('DELETE', `/${other}`);
    expect((await desk.ask('DELETE', `/${other}`, undefined, { 'if-match': '*' })).status).toBe(404);
    expect((await desk.ask('DELETE', `/${other}?purge=true`, undefined, { 'if-match': '*' })).status).toBe(200);
  });
});

describe('a restore', () => {
  it('of an id that another contact has meanwhile is 409 and names it', async () => {
    await using desk = await openDesk();
    const people = [aContact({ id: 'X2' })];
    const withoutBin = storeOn(desk.database, { binDays: 0 });
    await storeContacts(withoutBin, desk.projectId, desk.chatbotId, people);
    await desk.ask('DELETE', '/X2');
    await storeContacts(withoutBin, desk.projectId, desk.chatbotId, people);
    const { status, json } = await desk.ask('POST', '/X2/restore');
    expect([status, json.code, json['existing']]).toEqual([409, 'conflict', ['X2']]);
  });
});

describe('a cursor', () => {
  it('with another place than a row can have is refused by every walk', async () => {
    await using desk = await openDesk();
    for (const name of ['A', 'B', 'C']) {
      await desk.ask('DELETE', `/${await desk.create({ name })}`);
      await desk.create({ name });
      await desk.ask('POST', '/v2/chatbots', { name });
    }
    for (const walk of [
      `${desk.path}?`,
      `${desk.path}?sort=date_asc&`,
      `${desk.path}?state=deleted&`,
      '/v2/chatbots?',
    ]) {
      const url = `${walk}per_page=1&cursor=`;
      const { json } = await desk.ask('GET', `${url}*`);
      const { next_cursor: cursor } = json.data as unknown as { next_cursor: string };
      const [mark, time, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as string[];
      const statusOf = async (...parts: (string | undefined)[]) => {
        const forged = Buffer.from(JSON.stringify(parts)).toString('base64url');
        return (await desk.ask('GET', `${url}${forged}`)).status;
      };
      expect(await statusOf(mark, time, id)).toBe(200);
      expect(await statusOf(mark, '2024-06-08T13:38:33+00:00', id)).toBe(200);
      for (const bad of ['\0', '', '\ud800', 'a', `${time} `, `${time}\n`]) {
        expect(await statusOf(mark, bad, id), JSON.stringify(bad)).toBe(422);
      }
      for (const bad of ['\0', '', '\ud800', 'x'.repeat(65)]) expect(await statusOf(mark, time, bad)).toBe(422);
    }
  });
});

describe('what is done one after the other, within one second', () => {
  it('is in the bin with the last deletion first, by page and by cursor, and shown in whole seconds', async () => {
    await using desk = await openDesk();
    const ids: string[] = [];
    for (let i = 0; i < 12; i++) ids.push(await desk.create({ name: `N${i}` }));
    const shuffled = ids.toSorted((a, b) => (a.at(-1) ?? '').localeCompare(b.at(-1) ?? ''));
    for (const id of shuffled) await desk.ask('DELETE', `/${id}`);
    type Bin = { next_cursor?: string | null; contacts: { id: string; deleted_at: string }[] };
    const bin = async (query: string) => (await desk.ask('GET', `?state=deleted${query}`)).json.data as unknown as Bin;
    const { contacts } = await bin('');
    expect(contacts.map(({ id }) => id)).toEqual(shuffled.toReversed());
    expect(contacts.every(({ deleted_at: at }) => /^[\d-]{10}T[\d:]{8}\+00:00$/.test(at))).toBe(true);
    const met: string[] = [];
    for (let cursor: string | null | undefined = '*'; typeof cursor === 'string';) {
      const page: Bin = await bin(`&per_page=5&cursor=${cursor}`);
      met.push(...page.contacts.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    expect(met).toEqual(shuffled.toReversed());
  });
});
