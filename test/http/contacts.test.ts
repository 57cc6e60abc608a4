import { describe, expect, it } from 'vitest';

import type { Scope } from '../../src/actor.ts';
import { bulkContacts, type BulkOutput } from '../../src/contacts/bulk.ts';
import { openApp, type TestAnswer, type TestApp } from '../support/app.ts';
import { eventsOf } from '../support/events.ts';
import {
  aContact,
  aProject,
  createApiKey,
  createChatbot,
  type ProjectWithPeople,
  storeContacts,
} from '../support/people.ts';

type Contact = Record<string, unknown> & { id: string; created_at: string };
const mayWrite: Scope[] = ['contacts:read', 'contacts:write'];
const eightKeys = ['id', 'name', 'email', 'job_title', 'phone', 'website', 'company', 'created_at'];

/** A desk with a key that may write contacts, and short ways to ask. */
async function openDesk(given: Parameters<typeof aProject>[1] = {}) {
  const server = await openApp();
  const project = await aProject(server.store, { scopes: mayWrite, ...given });
  return deskOf(server, project);
}

function deskOf(server: TestApp, project: ProjectWithPeople) {
  const { token, chatbotId, projectId } = project;
  const path = `/v2/chatbots/${chatbotId}/contacts`;
  const ask = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object, headers = {}) =>
    server.ask({ method, url, ...(payload && { payload }), headers: { authorization: `Bearer ${token}`, ...headers } });
  const get = async (url: string) => (await ask('GET', `${path}${url}`)).json.data as unknown as Contact;
  const create = async (properties: object) =>
    ((await ask('POST', path, { properties })).json.data as unknown as { id: string }).id;
  return {
    ...project,
    server,
    path,
    ask,
    get,
    create,
    changes: async () =>
      (await eventsOf(server.store, projectId))
        .filter(({ type }) => type.startsWith('contact.'))
        .map(({ type, contact_id: id, contact_ids: ids, changed }) => ({ type, id: id ?? ids, changed })),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const dataOf = ({ json }: TestAnswer) => json.data as unknown as Record<string, never>;
const errorsOf = ({ status, json }: TestAnswer) => [
  status,
  json.code,
  (json.errors ?? []).map(({ field, code }) => `${field} ${code}`),
];

describe('POST /v2/chatbots/{chatbotId}/contacts', () => {
  it('answers 201 with exactly the id, says where it is, and keeps all thirteen properties', async () => {
    await using desk = await openDesk();
    const properties = {
      first_name: ' Ana Lucía ',
      last_name: 'Ferreira',
      email: 'Ana@Example.com',
      phone: '+1 555 0100',
      job_title: 'Head of Sales',
      company_name: 'Example Ltd',
      website_url: 'example.com',
      industry: 'Software',
      address: '1 Main Street',
      city: 'Lisbon',
      state: '',
      postal_code: '1000-001',
      country: 'Portugal',
    };
    const made = await desk.ask('POST', desk.path, { properties });
    const { id } = dataOf(made) as unknown as { id: string };
    expect([made.status, made.json]).toEqual([201, { status: 'success', data: { id } }]);
    expect(made.headers['location']).toBe(`${desk.path}/${id}`);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    const contact = await desk.get(`/${id}?include=details`);
    expect(contact).toEqual({
      id,
      name: 'Ana Lucía Ferreira',
      email: 'Ana@Example.com',
      job_title: 'Head of Sales',
      phone: '+1 555 0100',
      website: 'example.com',
      company: 'Example Ltd',
      created_at: contact.created_at,
      first_name: 'Ana Lucía',
      last_name: 'Ferreira',
      industry: 'Software',
      address: '1 Main Street',
      city: 'Lisbon',
      state: null,
      postal_code: '1000-001',
      country: 'Portugal',
    });
    expect(Object.keys(await desk.get(`/${id}`))).toEqual(eightKeys);
    expect(await desk.changes()).toEqual([{ type: 'contact.created', id, changed: null }]);
  });

  it('makes a second contact of an e-mail that is there already', async () => {
    await using desk = await openDesk();
    const ids = [await desk.create({ email: 'a@example.com' }), await desk.create({ email: 'a@example.com' })];
    expect(new Set(ids).size).toBe(2);
  });

  it.each([
    [{}, ['properties required']],
    [{ properties: {} }, ['properties required']],
    [{ properties: { first_name: ' ', email: null } }, ['properties required']],
    [{ properties: { tags: ['a'], external_id: 'x', attributes: { a: 1 } } }, ['properties required']],
    [{ properties: { email: 'nobody' } }, ['properties.email format']],
    [{ properties: { website_url: 'not a site' } }, ['properties.website_url format']],
    [{ properties: { first_name: 7 } }, ['properties.first_name type']],
    [{ properties: { nickname: 'A' } }, ['properties.nickname unknown']],
    [{ properties: { name: 'A' }, id: 'x' }, ['id unknown']],
    [{ properties: { city: 'x'.repeat(256) } }, ['properties.city too_long']],
    [{ properties: { address: 'x'.repeat(1_001) } }, ['properties.address too_long']],
    [{ properties: { postal_code: 'x'.repeat(65) } }, ['properties.postal_code too_long']],
    [{ properties: { company: 'A', company_name: 'A' } }, ['properties.company not_allowed']],
    [{ properties: { website: 'a.example', website_url: 'a.example' } }, ['properties.website not_allowed']],
    [{ properties: { name: 'A B', first_name: 'A' } }, ['properties.name not_allowed']],
    [{ properties: { first_name: 'x'.repeat(200), last_name: 'y'.repeat(200) } }, ['properties.name too_long']],
    [{ properties: { name: 'A', attributes: { 'Not-A-Name': 1 } } }, ['properties.attributes.Not-A-Name format']],
    [{ properties: { name: 'A', attributes: { list: [1] } } }, ['properties.attributes.list type']],
    [{ properties: { name: 'A', attributes: { a: 'x'.repeat(1_001) } } }, ['properties.attributes.a too_long']],
    [
      { properties: { name: 'A', attributes: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`a${i}`, i])) } },
      ['properties.attributes too_many'],
    ],
    [
      {
        properties: {
          name: 'A',
          attributes: Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`a${i}`, 'x'.repeat(1_000)])),
        },
      },
      ['properties.attributes too_large'],
    ],
    [{ properties: { name: 'A', tags: ['a;b'] } }, ['properties.tags[0] format']],
    [{ properties: { name: 'A', tags: ['x'.repeat(41)] } }, ['properties.tags[0] too_long']],
    [{ properties: { name: 'A', tags: Array.from({ length: 51 }, (_, i) => `t${i}`) } }, ['properties.tags too_many']],
    [{ properties: { name: 'A', external_id: 'x'.repeat(256) } }, ['properties.external_id too_long']],
  ])('refuses what breaks a rule with the field and why (%#)', async (payload, errors) => {
    await using desk = await openDesk();
    expect(errorsOf(await desk.ask('POST', desk.path, payload))).toEqual([422, 'validation_failed', errors]);
    expect(await desk.changes()).toEqual([]);
  });

  it('is 404 for a chatbot that is not there, and for one of another project', async () => {
    await using desk = await openDesk();
    const other = await aProject(desk.server.store);
    for (const chatbotId of ['0000000000', other.chatbotId]) {
      const answer = await desk.ask('POST', `/v2/chatbots/${chatbotId}/contacts`, { properties: { name: 'A' } });
      expect([answer.status, answer.json.code]).toEqual([404, 'not_found']);
    }
  });

  it('refuses a contact that could be in no chatbot before it looks for the chatbot', async () => {
    await using desk = await openDesk();
    for (const properties of [{}, { tags: ['a'] }, { first_name: 'x'.repeat(128), last_name: 'x'.repeat(128) }]) {
      const { status } = await desk.ask('POST', '/v2/chatbots/0000000000/contacts', { properties });
      expect(status).toBe(422);
    }
  });

  it('keeps external ids unique in the chatbot, and names who has one', async () => {
    await using desk = await openDesk();
    const id = await desk.create({ name: 'Ana', external_id: 'crm-7' });
    const refused = await desk.ask('POST', desk.path, { properties: { name: 'Bo', external_id: 'crm-7' } });
    expect([refused.status, refused.json.code, refused.json['existing']]).toEqual([409, 'conflict', [id]]);
  });
});

describe('GET /v2/chatbots/{chatbotId}/contacts', () => {
  const made = (count: number) =>
    Array.from({ length: count }, (_, i) =>
      aContact({ id: `c-${String(i).padStart(3, '0')}`, created_at: `2024-06-08T13:38:${10 + (i % 7)}+00:00` }),
    );

  it('is the newest first, 25 a page of the eight fields, or the oldest first', async () => {
    await using desk = await openDesk({ contacts: made(60) });
    const order = (all: Contact[]) => all.map(({ id, created_at }) => `${created_at} ${id}`);
    const page = async (query: string) => (await desk.get(query)) as unknown as { pages: object; contacts: Contact[] };
    const pages = [await page(''), await page('?page=2'), await page('?page=3')];
    expect(pages.map(({ contacts }) => contacts.length)).toEqual([25, 25, 10]);
    expect(pages[1]?.pages).toEqual({ current_page: 2, last_page: 3, per_page: 25 });
    expect(Object.keys(pages[0]?.contacts[0] ?? {})).toEqual(eightKeys);
    const all = pages.flatMap(({ contacts }) => contacts);
    expect(order(all)).toEqual(order(all).toSorted().toReversed());
    expect(new Set(all.map(({ id }) => id)).size).toBe(60);
    const oldest = await page('?sort=date_asc&per_page=100');
    expect(oldest.contacts).toEqual(all.toReversed());
    expect(await page('?page=4')).toEqual({ pages: { current_page: 4, last_page: 3, per_page: 25 }, contacts: [] });
    for (const size of [1, 7, 59, 60, 61]) {
      for (const number of [1, 2, 3, 5, 8, 9, 60]) {
        const { contacts } = await page(`?per_page=${size}&page=${number}`);
        expect(contacts, `${size} ${number}`).toEqual(all.slice((number - 1) * size, number * size));
      }
    }
  });

  it('is right page after page while people come and go', async () => {
    await using desk = await openDesk({ contacts: made(30) });
    const page = async (number: number) =>
      (await desk.get(`?per_page=10&page=${number}`)) as unknown as {
        pages: { last_page: number };
        contacts: Contact[];
      };
    const first = await page(1);
    const id = await desk.create({ name: 'New' });
    expect((await page(2)).contacts[0]).toEqual(first.contacts[9]);
    await desk.ask('DELETE', `${desk.path}/${id}`);
    expect((await page(2)).contacts[0]).not.toEqual(first.contacts[9]);
    expect((await page(3)).pages.last_page).toBe(3);
  });

  it('walks by cursor through everybody who is there throughout, once, whatever changes', async () => {
    await using desk = await openDesk({ contacts: made(60) });
    for (const sort of ['date_desc', 'date_asc']) {
      const met: string[] = [];
      let cursor: string | null = '*';
      for (let step = 0; cursor !== null; step++) {
        const data = (await desk.get(`?cursor=${cursor}&per_page=7&sort=${sort}`)) as unknown as {
          next_cursor: string | null;
          contacts: Contact[];
        };
        expect(Object.keys(data)).toEqual(['next_cursor', 'contacts']);
        met.push(...data.contacts.map(({ id }) => id));
        cursor = data.next_cursor;
        const passing = await desk.create({ name: `Passing ${step}` });
        await desk.ask('DELETE', `${desk.path}/${passing}`);
        await desk.ask('PATCH', `${desk.path}/c-00${step % 10}`, { properties: { city: `${sort} ${step}` } });
      }
      const throughout = met.filter((id) => id.startsWith('c-'));
      expect([throughout.length, new Set(met).size]).toEqual([60, met.length]);
    }
  });

  it('refuses a cursor that is not of this list, a page beside one, and a sort of the bin', async () => {
    await using desk = await openDesk({ contacts: made(9) });
    const { next_cursor: cursor } = (await desk.get('?cursor=*&per_page=2')) as unknown as { next_cursor: string };
    const refusal = async (query: string) => errorsOf(await desk.ask('GET', `${desk.path}${query}`));
    for (const query of [`?cursor=${cursor}&sort=date_asc`, `?cursor=${cursor}&state=deleted`, '?cursor=abc']) {
      expect(await refusal(query), query).toEqual([422, 'validation_failed', ['cursor format']]);
    }
    expect(await refusal('?cursor=*&page=1')).toEqual([422, 'validation_failed', ['page not_allowed']]);
    expect(await refusal('?state=deleted&sort=date_asc')).toEqual([422, 'validation_failed', ['sort not_allowed']]);
    expect(await refusal('?include=secrets')).toEqual([422, 'validation_failed', ['include not_allowed']]);
    expect(await refusal('?sort=name')).toEqual([422, 'validation_failed', ['sort not_allowed']]);
    const other = await aProject(desk.server.store, { scopes: mayWrite, chatbotId: desk.chatbotId });
    const foreign = await desk.server.get(`${desk.path}?cursor=${cursor}`, other.token);
    expect(errorsOf(foreign)).toEqual([422, 'validation_failed', ['cursor format']]);
  });

  it('is 404 for a chatbot that is not there', async () => {
    await using desk = await openDesk();
    expect((await desk.ask('GET', '/v2/chatbots/0000000000/contacts')).status).toBe(404);
  });

  it('shows the bin, newest deletion first, to a key that may write alone', async () => {
    await using desk = await openDesk({ contacts: made(3) });
    await desk.ask('DELETE', `${desk.path}/c-001`);
    await desk.ask('DELETE', `${desk.path}/c-000`);
    const bin = (await desk.get('?state=deleted')) as unknown as { pages: object; contacts: Contact[] };
    expect(bin.pages).toEqual({ current_page: 1, last_page: 1, per_page: 25 });
    expect(bin.contacts.map(({ id }) => id).toSorted()).toEqual(['c-000', 'c-001']);
    expect(Object.keys(bin.contacts[0] ?? {})).toEqual([...eightKeys, 'deleted_at']);
    const { token } = await createApiKey(desk.server.store, desk.projectId, {
      name: 'reads',
      scopes: ['contacts:read'],
    });
    const refused = await desk.server.get(`${desk.path}?state=deleted`, token);
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([
      403,
      expect.stringContaining('scope="contacts:write"'),
    ]);
  });
});

describe('include', () => {
  it('adds keys in the order of the interface, with null, {} and [] where nothing is known', async () => {
    await using desk = await openDesk();
    const id = await desk.create({ name: 'Ana' });
    const details = ['first_name', 'last_name', 'industry', 'address', 'city', 'state', 'postal_code', 'country'];
    const tagged = await desk.get(`/${id}?include=tags,updated_at`);
    for (const query of [
      'include=tags&include=updated_at',
      'include[]=tags&include[]=updated_at',
      'include=tags&include%5B%5D=updated_at',
    ]) {
      expect(await desk.get(`/${id}?${query}`), query).toEqual(tagged);
    }
    const all = await desk.get(`/${id}?include=tags,updated_at,attributes,details,external_id`);
    expect(Object.keys(all)).toEqual([...eightKeys, ...details, 'external_id', 'attributes', 'tags', 'updated_at']);
    expect(all).toMatchObject({ external_id: null, attributes: {}, tags: [], updated_at: all.created_at, city: null });
  });
});

describe('PATCH /v2/chatbots/{chatbotId}/contacts/{contactId}', () => {
  it('merges properties, attributes and tags: null clears, what is missing stays', async () => {
    await using desk = await openDesk();
    const id = await desk.create({
      name: 'Ana',
      city: 'Lisbon',
      attributes: { party: 'X', age: 7 },
      tags: ['B', 'a', 'b'],
    });
    const answer = await desk.ask('PATCH', `${desk.path}/${id}?include=attributes,tags,details`, {
      properties: {
        city: null,
        country: 'Portugal',
        attributes: { age: null, ok: true },
        tags: { add: ['C'], remove: ['A'] },
      },
    });
    expect(answer.status).toBe(200);
    expect(dataOf(answer)).toMatchObject({
      name: 'Ana',
      city: null,
      country: 'Portugal',
      attributes: { ok: true, party: 'X' },
      tags: ['b', 'c'],
    });
    expect((await desk.changes()).at(-1)).toEqual({
      type: 'contact.updated',
      id,
      changed: ['city', 'country', 'attributes', 'tags'],
    });
  });

  it('takes application/merge-patch+json', async () => {
    await using desk = await openDesk();
    const id = await desk.create({ name: 'Ana' });
    const type = { 'content-type': 'application/merge-patch+json' };
    expect((await desk.ask('PATCH', `${desk.path}/${id}`, { properties: { city: 'Lisbon' } }, type)).status).toBe(200);
  });

  it('makes the name of its two parts, and clears them where the name is written', async () => {
    await using desk = await openDesk();
    const id = await desk.create({ first_name: 'Ana', last_name: 'Ferreira' });
    const patch = async (properties: object) => {
      const data = dataOf(await desk.ask('PATCH', `${desk.path}/${id}?include=details`, { properties }));
      return [data['name'], data['first_name'], data['last_name']];
    };
    expect(await patch({ first_name: 'Lucía' })).toEqual(['Lucía Ferreira', 'Lucía', 'Ferreira']);
    expect(await patch({ last_name: null })).toEqual(['Lucía', 'Lucía', null]);
    expect(await patch({ name: 'Somebody Else', phone: '555 0100' })).toEqual(['Somebody Else', null, null]);
    expect(await patch({ first_name: null, last_name: null })).toEqual([null, null, null]);
  });

  it('that changes nothing is 200 with the same ETag and no event', async () => {
    await using desk = await openDesk();
    const id = await desk.create({ name: 'Ana', tags: ['a'] });
    const before = await desk.ask('GET', `${desk.path}/${id}?include=updated_at`);
    const properties = { name: 'Ana', tags: ['A'] };
    const same = await desk.ask('PATCH', `${desk.path}/${id}?include=updated_at`, { properties });
    expect([same.status, same.headers['etag']]).toEqual([200, before.headers['etag']]);
    expect(await desk.changes()).toHaveLength(1);
  });

  it('leaves nobody without a name or another property', async () => {
    await using desk = await openDesk();
    const id = await desk.create({ name: 'Ana', tags: ['a'] });
    const refused = await desk.ask('PATCH', `${desk.path}/${id}`, { properties: { name: null } });
    expect(errorsOf(refused)).toEqual([422, 'validation_failed', ['properties required']]);
  });

  it('gives the same 404 for nobody, for a contact of another chatbot or project, and for one in the bin', async () => {
    await using desk = await openDesk();
    const other = await aProject(desk.server.store, { contacts: [aContact({ id: 'theirs' })] });
    const gone = await desk.create({ name: 'Gone' });
    await desk.ask('DELETE', `${desk.path}/${gone}`);
    const paths = [`${desk.path}/nobody`, `${desk.path}/theirs`, `${desk.path}/${gone}`];
    paths.push(`/v2/chatbots/${other.chatbotId}/contacts/theirs`, `/v2/chatbots/nowhere/contacts/nobody`);
    for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
      const bodies = new Set<string>();
      for (const path of paths) {
        const payload = method === 'PATCH' ? { properties: { city: 'X' } } : undefined;
        const answer = await desk.ask(method, path, payload, { 'x-request-id': 'same' });
        expect(answer.status, `${method} ${path}`).toBe(404);
        bodies.add(answer.body);
      }
      expect(bodies.size).toBe(1);
    }
  });
});

describe('DELETE and restore', () => {
  it('put a contact into the bin and take it out under the same id, as it was', async () => {
    await using desk = await openDesk();
    const id = await desk.create({ name: 'Ana', email: 'ana@example.com', external_id: 'x', tags: ['a'] });
    const include = '?include=tags,external_id,details,attributes,updated_at';
    const before = await desk.get(`/${id}${include}`);
    const deleted = await desk.ask('DELETE', `${desk.path}/${id}`);
    expect([deleted.status, deleted.json]).toEqual([200, { status: 'success' }]);
    expect((await desk.ask('DELETE', `${desk.path}/${id}`)).status).toBe(404);
    expect((await desk.ask('GET', `${desk.path}/${id}`)).status).toBe(404);
    expect(dataOf(await desk.ask('POST', `${desk.path}/lookup`, { email: 'ana@example.com' }))).toEqual({
      contacts: [],
    });
    const restored = await desk.ask('POST', `${desk.path}/${id}/restore${include}`);
    expect([restored.status, dataOf(restored)]).toEqual([200, before]);
    expect((await desk.ask('POST', `${desk.path}/${id}/restore`)).status).toBe(404);
    expect((await desk.changes()).map(({ type }) => type)).toEqual([
      'contact.created',
      'contact.deleted',
      'contact.restored',
    ]);
  });

  it('free the e-mail and the external id; a restore whose external id is taken is 409', async () => {
    await using desk = await openDesk();
    const id = await desk.create({ name: 'Ana', external_id: 'x' });
    await desk.ask('DELETE', `${desk.path}/${id}`);
    const other = await desk.create({ name: 'Bo', external_id: 'x' });
    const refused = await desk.ask('POST', `${desk.path}/${id}/restore`);
    expect([refused.status, refused.json.code, refused.json['existing']]).toEqual([409, 'conflict', [other]]);
  });

  it('purge deletes for good, from the bin too', async () => {
    await using desk = await openDesk();
    const [one, other] = [await desk.create({ name: 'Ana' }), await desk.create({ name: 'Bo' })];
    await desk.ask('DELETE', `${desk.path}/${one}`);
    for (const id of [one, other]) {
      expect((await desk.ask('DELETE', `${desk.path}/${id}?purge=true`)).json).toEqual({ status: 'success' });
      expect((await desk.ask('DELETE', `${desk.path}/${id}?purge=true`)).status).toBe(404);
      expect((await desk.ask('POST', `${desk.path}/${id}/restore`)).status).toBe(404);
    }
    const bad = await desk.ask('DELETE', `${desk.path}/x?purge=yes`);
    expect(errorsOf(bad)).toEqual([422, 'validation_failed', ['purge type']]);
  });
});

describe('POST /v2/chatbots/{chatbotId}/contacts/upsert', () => {
  const upsert = (desk: Awaited<ReturnType<typeof openDesk>>, payload: object, headers = {}) =>
    desk.ask('POST', `${desk.path}/upsert`, payload, headers);

  it('creates with 201, then updates and leaves alone with 200, and says what changed', async () => {
    await using desk = await openDesk();
    const match = { email: 'Ana@Example.com' };
    const created = await upsert(desk, { match, properties: { first_name: 'Ana' } });
    expect(created.status).toBe(201);
    expect(dataOf(created)).toMatchObject({ outcome: 'created', changed: [], contact: { email: 'Ana@Example.com' } });
    const again = {
      match: { email: 'ana@example.com' },
      properties: { company_name: 'Example Ltd', email: 'ANA@example.com' },
    };
    const updated = await upsert(desk, again);
    expect([updated.status, dataOf(updated)]).toEqual([
      200,
      { outcome: 'updated', changed: ['company'], contact: expect.objectContaining({ email: 'Ana@Example.com' }) },
    ]);
    const same = await upsert(desk, again);
    expect([same.status, dataOf(same)]).toMatchObject([200, { outcome: 'unchanged', changed: [] }]);
    expect((await desk.changes()).map(({ type }) => type)).toEqual(['contact.created', 'contact.updated']);
  });

  it('matches by id, which never creates, and by external id', async () => {
    await using desk = await openDesk();
    expect((await upsert(desk, { match: { id: 'nobody' }, properties: { name: 'A' } })).status).toBe(404);
    const created = await upsert(desk, { match: { external_id: 'crm-1' }, properties: { name: 'A' } });
    const { contact } = dataOf(created) as unknown as { contact: Contact };
    const updated = await upsert(desk, { match: { id: contact.id }, properties: { name: 'B' } });
    expect([created.status, updated.status]).toEqual([201, 200]);
    const found = await upsert(desk, { match: { external_id: 'crm-1' } });
    expect(dataOf(found)).toMatchObject({ outcome: 'unchanged', contact: { id: contact.id, name: 'B' } });
  });

  it('refuses more or less than one match, and a property that contradicts it', async () => {
    await using desk = await openDesk();
    const refusal = async (payload: object) => errorsOf(await upsert(desk, payload))[2];
    expect(await refusal({ properties: { name: 'A' } })).toEqual(['match required']);
    expect(await refusal({ match: {} })).toEqual(['match required']);
    expect(await refusal({ match: { id: 'a', email: 'a@example.com' } })).toEqual(['match too_many']);
    expect(await refusal({ match: { phone: '1' } })).toEqual(['match.phone unknown']);
    expect(await refusal({ match: { email: 'a@example.com' }, properties: { email: 'b@example.com' } })).toEqual([
      'properties.email not_allowed',
    ]);
    expect(await refusal({ match: { external_id: 'a' } })).toEqual(['properties required']);
  });

  it('is 409 with those in the way where several have the e-mail', async () => {
    await using desk = await openDesk();
    const ids = [await desk.create({ email: 'a@example.com' }), await desk.create({ email: 'A@example.com' })];
    const refused = await upsert(desk, { match: { email: 'a@example.com' }, properties: { name: 'A' } });
    expect([refused.status, refused.json.code]).toEqual([409, 'ambiguous_match']);
    expect(refused.json['existing']).toEqual(ids.toSorted());
  });

  it('names a hundred of those in the way at most', async () => {
    await using desk = await openDesk();
    const items = Array.from({ length: 150 }, () => ({ op: 'create', properties: { email: 'a@example.com' } }));
    await desk.ask('POST', `${desk.path}/bulk`, { items });
    const refused = await upsert(desk, { match: { email: 'a@example.com' } });
    expect([refused.status, refused.json['existing']]).toEqual([409, expect.objectContaining({ length: 100 })]);
  });

  it('repeats its status and outcome from what is stored now, the contact null where it is gone', async () => {
    await using desk = await openDesk();
    const send = () =>
      upsert(desk, { match: { email: 'a@example.com' }, properties: { name: 'A' } }, { 'idempotency-key': 'k' });
    const { contact } = dataOf(await send()) as unknown as { contact: Contact };
    await desk.ask('PATCH', `${desk.path}/${contact.id}`, { properties: { name: 'B' } });
    const later = await send();
    expect([later.status, dataOf(later)]).toMatchObject([201, { outcome: 'created', contact: { name: 'B' } }]);
    await desk.ask('DELETE', `${desk.path}/${contact.id}`);
    expect(dataOf(await send())).toEqual({ outcome: 'created', changed: [], contact: null });
  });
});

describe('a number in place of a text', () => {
  it('is taken as its decimal text for phone and postal_code, on every way in, and for nothing else', async () => {
    await using desk = await openDesk();
    const properties = { phone: 15_550_100, postal_code: 1e4 };
    const known = { phone: '15550100', postal_code: '10000' };
    const id = await desk.create({ name: 'Ana', ...properties });
    expect(await desk.get(`/${id}?include=details`)).toMatchObject(known);
    const ask = async (method: 'PATCH' | 'POST', path: string, body: object) =>
      dataOf(await desk.ask(method, `${desk.path}${path}?include=details`, body)) as Record<string, unknown>;
    expect(await ask('PATCH', `/${id}`, { properties: { phone: 7, postal_code: -1.5 } })).toMatchObject({
      phone: '7',
      postal_code: '-1.5',
    });
    expect(await ask('POST', '/upsert', { match: { id }, properties })).toMatchObject({ contact: known });
    const items = [{ op: 'update', id, properties: { phone: 8 } }];
    expect(await ask('POST', '/bulk', { items })).toMatchObject({ succeeded: 1 });
    expect(await desk.get(`/${id}`)).toMatchObject({ phone: '8' });
    for (const [name, number] of [
      ['phone', 12_345_678_901_234_567_000],
      ['phone', 1e-9],
      ['postal_code', 1e300],
      ['city', 5],
    ] as const) {
      const answer = await desk.ask('PATCH', `${desk.path}/${id}`, { properties: { [name]: number } });
      expect([answer.status, answer.json.errors?.[0]?.field]).toEqual([422, `properties.${name}`]);
    }
  });
});

describe('POST /v2/chatbots/{chatbotId}/contacts/lookup', () => {
  it('finds all with the e-mail in any letter case, the digits of the phone, or the external id, newest first', async () => {
    const people = [
      aContact({ id: 'old', created_at: '2024-01-01T00:00:00+00:00' }),
      aContact({ id: 'new', email: 'ANA@example.com', phone: '(1) 5550100', external_id: 'crm-7' }),
      aContact({ id: 'else', email: 'bo@example.com', phone: 'none', created_at: '2024-01-02T00:00:00+00:00' }),
    ];
    await using desk = await openDesk({ contacts: people, scopes: ['contacts:read'] });
    const ids = async (payload: object) =>
      (
        dataOf(await desk.ask('POST', `${desk.path}/lookup`, payload)) as unknown as { contacts: Contact[] }
      ).contacts.map(({ id }) => id);
    expect(await ids({ email: 'Ana@Example.com' })).toEqual(['new', 'old']);
    expect(await ids({ phone: '1-555-0100' })).toEqual(['new', 'old']);
    expect(await ids({ phone: 'none' })).toEqual([]);
    expect(await ids({ external_id: 'crm-7' })).toEqual(['new']);
    expect(await ids({ email: 'no address' })).toEqual([]);
    const refusal = async (payload: object) => errorsOf(await desk.ask('POST', `${desk.path}/lookup`, payload))[2];
    expect(await refusal({})).toEqual(['email required']);
    expect(await refusal({ email: 'a@example.com', phone: '1' })).toEqual(['phone not_allowed']);
    expect(await refusal({ external_id: 'a', ids: ['1'] })).toEqual(['ids not_allowed']);
    expect(await ids({ phone: 15_550_100 })).toEqual(['new', 'old']);
    expect(await ids({ phone: 1e300 })).toEqual([]);
  });

  it('reads up to a hundred by their ids, in the order asked, without those that are missing', async () => {
    const people = Array.from({ length: 30 }, (_, i) => aContact({ id: `c${i}` }));
    await using desk = await openDesk({ contacts: people });
    const lookup = (ids: unknown, query = '') => desk.ask('POST', `${desk.path}/lookup${query}`, { ids });
    await desk.ask('DELETE', `${desk.path}/c9`);
    const { contacts } = dataOf(await lookup(['c7', 'nobody', 'c9', 'c3', 'c7'])) as unknown as { contacts: Contact[] };
    expect(contacts.map(({ id }) => id)).toEqual(['c7', 'c3', 'c7']);
    const whole = dataOf(await lookup(['c3'], '?include=tags')) as unknown as { contacts: Contact[] };
    expect(whole.contacts[0]).toEqual({ ...contacts[1], tags: [] });
    const many = Array.from({ length: 101 }, (_, i) => `c${i}`);
    expect((await lookup(many.slice(1))).status).toBe(200);
    expect(errorsOf(await lookup(many))).toEqual([422, 'validation_failed', ['ids too_many']]);
    expect(errorsOf(await lookup([]))).toEqual([422, 'validation_failed', ['ids required']]);
    expect(errorsOf(await lookup('c1'))).toEqual([422, 'validation_failed', ['ids type']]);
  });
});

describe('POST /v2/chatbots/{chatbotId}/contacts/bulk', () => {
  const bulk = (desk: Awaited<ReturnType<typeof openDesk>>, items: object[], headers = {}) =>
    desk.ask('POST', `${desk.path}/bulk`, { items }, headers);
  const outcomes = (answer: TestAnswer) =>
    (dataOf(answer) as unknown as { results: { outcome: string; code?: string }[] }).results.map(
      ({ outcome, code }) => code ?? outcome,
    );

  it('does each item in order, sees earlier ones, and fails one alone', async () => {
    await using desk = await openDesk();
    const id = await desk.create({ name: 'Ana', external_id: 'taken' });
    const answer = await bulk(desk, [
      { op: 'create', properties: { email: 'b@example.com' } },
      { op: 'upsert', match: { email: 'B@example.com' }, properties: { name: 'Bo' } },
      { op: 'upsert', match: { email: 'c@example.com' } },
      { op: 'update', id, properties: { city: 'Lisbon' } },
      { op: 'update', id, properties: { city: 'Lisbon' } },
      { op: 'create', properties: { name: 'Dee', external_id: 'taken' } },
      { op: 'create', properties: { nickname: 'E', email: 'x' } },
      { op: 'update', id: 'nobody', properties: { name: 'F' } },
      { op: 'delete', id },
      { op: 'create', properties: { name: 'Gil', external_id: 'taken' } },
      { op: 'delete', match: { email: 'c@example.com' } },
      { op: 'create' },
    ]);
    expect(answer.status).toBe(200);
    expect(dataOf(answer)).toMatchObject({ succeeded: 8, failed: 4 });
    expect(outcomes(answer)).toEqual([
      'created',
      'updated',
      'created',
      'updated',
      'unchanged',
      'conflict',
      'validation_failed',
      'not_found',
      'deleted',
      'created',
      'deleted',
      'validation_failed',
    ]);
    const { results } = dataOf(answer) as unknown as { results: Record<string, unknown>[] };
    const keys = ['index', 'outcome', 'code', 'message'];
    expect(results.slice(5, 7).map(Object.keys)).toEqual([keys, [...keys, 'errors']]);
    expect(results[6]).toMatchObject({
      index: 6,
      errors: [{ field: 'properties.nickname' }, { field: 'properties.email' }],
    });
    const list = (await desk.get('')) as unknown as { contacts: Contact[] };
    expect(new Set(list.contacts.map(({ name }) => name))).toEqual(new Set(['Bo', 'Gil']));
    expect((await desk.changes()).slice(1).map(({ type, changed }) => [type, changed])).toEqual([
      ['contact.created', null],
      ['contact.updated', ['name', 'city']],
      ['contact.deleted', null],
    ]);
  });

  it.each([
    [[], ['items required']],
    [[{ op: 'merge' }], ['items[0].op not_allowed']],
    [
      [
        { op: 'create', properties: { name: 'A' } },
        { op: 'update', properties: {} },
      ],
      ['items[1].id required'],
    ],
    [[{ op: 'upsert', properties: {} }], ['items[0].match required']],
    [[{ op: 'delete', id: 'a', force: true }], ['items[0].force unknown']],
    [Array.from({ length: 1_001 }, () => ({ op: 'create', properties: { name: 'A' } })), ['items too_many']],
  ])('refuses a wrong shape whole (%#)', async (items, errors) => {
    await using desk = await openDesk();
    expect(errorsOf(await bulk(desk, items))).toEqual([422, 'validation_failed', errors]);
    expect(await desk.changes()).toEqual([]);
  });

  it('lets an external id pass from one contact to another, to a new one and back', async () => {
    await using desk = await openDesk();
    const [ana, bo] = [await desk.create({ name: 'Ana', external_id: 'x' }), await desk.create({ name: 'Bo' })];
    const set = (id: string, external_id: string | null) => ({ op: 'update', id, properties: { external_id } });
    const made = { op: 'upsert', match: { external_id: 'x' }, properties: { name: 'Cy' } };
    const items = [
      { op: 'create', properties: { name: 'Di' } },
      set(ana, null),
      set(bo, 'x'),
      set(bo, null),
      made,
      set(ana, 'y'),
      set(bo, 'z'),
    ];
    expect(outcomes(await bulk(desk, items)).join()).toBe('created,updated,updated,updated,created,updated,updated');
    const list = (await desk.get('?include=external_id&sort=date_asc')) as unknown as { contacts: Contact[] };
    expect(list.contacts.map(({ name, external_id: id }) => `${String(name)} ${String(id)}`)).toEqual(
      expect.arrayContaining(['Ana y', 'Bo z', 'Cy x', 'Di null']),
    );
  });

  it('repeats its results, with no word of a caller kept', async () => {
    await using desk = await openDesk();
    const items = [
      { op: 'create', properties: { name: 'A' } },
      { op: 'create', properties: { 'ana@example.com': 'A' } },
      { op: 'create', properties: { name: 'B', attributes: { 'secret name': 1 } } },
    ];
    const first = await bulk(desk, items, { 'idempotency-key': 'k' });
    const again = await bulk(desk, items, { 'idempotency-key': 'k' });
    expect([again.headers['idempotent-replayed'], again.body]).toEqual(['true', first.body]);
    const kept = bulkContacts.repeat?.keep(first.json.data as unknown as BulkOutput);
    expect(JSON.stringify(kept)).not.toMatch(/ana@|secret/);
    expect(await desk.changes()).toHaveLength(1);
  });

  it('costs a request for every 25 items, and is let through while one is left', async () => {
    await using server = await openApp({ rateLimit: 5 });
    const desk = deskOf(server, await aProject(server.store, { scopes: mayWrite }));
    const items = (count: number) => Array.from({ length: count }, () => ({ op: 'create', properties: { name: 'A' } }));
    const left = async (count: number) => {
      const { status, headers } = await bulk(desk, items(count));
      return [status, headers['x-ratelimit-remaining']];
    };
    expect(await left(26)).toEqual([200, '3']);
    expect(await left(25)).toEqual([200, '2']);
    expect(await left(100)).toEqual([200, '0']);
    expect(await left(1)).toEqual([429, '0']);
  });

  it('costs a request for every 25,000 characters that search looks through, where those are more', async () => {
    await using server = await openApp({ rateLimit: 100 });
    const desk = deskOf(server, await aProject(server.store, { scopes: mayWrite }));
    const tags = Array.from({ length: 50 }, (_, i) => `${i}`.padStart(40, '山'));
    const texts = { company: '山'.repeat(240), job_title: '\u{20000}'.repeat(245), address: 'a'.repeat(1_000) };
    // 2,500 characters of each.
    const items = (count: number) =>
      Array.from({ length: count }, (_, i) => ({
        op: 'upsert',
        match: { external_id: `${i}`.padStart(15, 'x') },
        properties: { ...texts, tags: i % 2 === 0 ? tags : { add: tags } },
      }));
    const left = async (count: number) => (await bulk(desk, items(count))).headers['x-ratelimit-remaining'];
    expect(await left(10)).toBe('99');
    expect(await left(11)).toBe('97');
    expect(await left(41)).toBe('92');
  });

  it('takes no more than is left where several pass the door before their bodies are there', async () => {
    await using server = await openApp({ rateLimit: 20 });
    const desk = deskOf(server, await aProject(server.store, { scopes: mayWrite }));
    const items = Array.from({ length: 250 }, () => ({ op: 'create', properties: { name: 'A' } }));
    const answers = await Promise.all(Array.from({ length: 8 }, () => bulk(desk, items)));
    // Eight at the door, and nine more of each of the first two.
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      200,
      ...Array<number>(6).fill(429),
    ]);
  });
});

describe('POST /v2/contacts/lookup', () => {
  it('finds the people of all chatbots of the project and of no other, each with its chatbot first', async () => {
    const same = { external_id: 'crm-7', tags: ['vip'] };
    await using desk = await openDesk({ contacts: [aContact({ id: 'a', ...same }), aContact({ id: 'both' })] });
    const { projectId, chatbotId, server } = desk;
    const other = await aProject(server.store, { contacts: [aContact({ id: 'stranger', ...same })] });
    expect(other.projectId).not.toBe(projectId);
    const { id: second } = await createChatbot(server.store, projectId, { name: 'Second' });
    const people = [aContact({ id: 'both', phone: null, ...same, created_at: '2020-01-01T00:00:00+00:00' })];
    await storeContacts(server.store, projectId, second, people);
    const found = async (payload: object, query = '') =>
      (dataOf(await desk.ask('POST', `/v2/contacts/lookup${query}`, payload)) as unknown as { contacts: Contact[] })
        .contacts;
    const places = async (payload: object) => (await found(payload)).map((one) => [one['chatbot_id'], one.id]);
    expect(await places({ external_id: 'crm-7' })).toEqual([
      [chatbotId, 'a'],
      [second, 'both'],
    ]);
    expect(await places({ phone: '1-555-0100' })).toEqual(
      expect.arrayContaining([
        [chatbotId, 'a'],
        [chatbotId, 'both'],
      ]),
    );
    expect(await places({ email: 'ANA@example.com' })).toHaveLength(3);
    const both = [chatbotId, second].toSorted().map((owner) => [owner, 'both']);
    expect(await places({ ids: ['both', 'stranger', 'a'] })).toEqual([...both, [chatbotId, 'a']]);
    const [first] = await found({ ids: ['a'] }, '?include=tags');
    expect(Object.keys(first ?? {})).toEqual(['chatbot_id', ...eightKeys, 'tags']);
    expect(errorsOf(await desk.ask('POST', '/v2/contacts/lookup', {}))[2]).toEqual(['email required']);
  });
});
