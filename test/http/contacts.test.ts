import { describe, expect, it } from 'vitest';

import { bulkContacts, type BulkOutput } from '../../src/contacts/bulk.ts';
import { appOfFile, openApp } from '../support/app.ts';
import { aDesk, type Desk, type Method } from '../support/full-desk.ts';
import { aContact, aProject, createChatbot, scopesOf, storeContacts } from '../support/people.ts';

type Contact = Record<string, unknown> & { id: string; created_at: string };
type Answer = Awaited<ReturnType<Desk['ask']>>;
interface Page {
  pages: { last_page: number };
  next_cursor: string | null;
  contacts: Contact[];
}

const server = appOfFile();

/** With short ways to ask. */
async function openDesk(...[given, at = server]: [given?: Parameters<typeof aDesk>[1], at?: typeof server]) {
  const desk = await aDesk(at, given);
  const data = async <T = Contact>(method: Method, url: string, payload?: object) =>
    (await desk.ask(method, url, payload)).data as unknown as T;
  return {
    ...desk,
    get: (url: string) => data('GET', url),
    list: (query: string) => data<Page>('GET', query),
    found: async (payload: object, query = '') =>
      (await data<Page>('POST', `/lookup${query}`, payload)).contacts.map(({ id }) => id),
    changes: async () =>
      (await desk.events())
        .filter(({ type }) => type.startsWith('contact.'))
        .map(({ type, contact_id: id, contact_ids: ids, changed }) => ({ type, id: id ?? ids, changed })),
  };
}

const eightKeys = ['id', 'name', 'email', 'job_title', 'phone', 'website', 'company', 'created_at'];
const made = (count: number) =>
  Array.from({ length: count }, (_, i) =>
    aContact({ id: `c-${String(i).padStart(3, '0')}`, created_at: `2024-06-08T13:38:${10 + (i % 7)}+00:00` }),
  );

describe('POST /v2/chatbots/{chatbotId}/contacts', () => {
  it('answers 201 with exactly the id, says where it is, and keeps all thirteen properties', async () => {
    const desk = await openDesk();
    const kept = {
      first_name: 'Ana Lucía',
      last_name: 'Ferreira',
      industry: 'Software',
      address: '1 Main Street',
      city: 'Lisbon',
      state: null,
      postal_code: '1000-001',
      country: 'Portugal',
      email: 'Ana@Example.com',
      phone: '+1 555 0100',
      job_title: 'Head of Sales',
    };
    const others = { first_name: ' Ana Lucía ', state: '', company_name: 'Example Ltd', website_url: 'example.com' };
    const answer = await desk.ask('POST', '', { properties: { ...kept, ...others } });
    const { id } = answer.data as unknown as Contact;
    expect([answer.status, answer.json]).toEqual([201, { status: 'success', data: { id } }]);
    expect(answer.headers['location']).toBe(`${desk.contacts}/${id}`);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    const contact = await desk.get(`/${id}?include=details`);
    const { created_at } = contact;
    const made_of = { name: 'Ana Lucía Ferreira', website: 'example.com', company: 'Example Ltd' };
    expect(contact).toEqual({ id, ...kept, ...made_of, created_at });
    expect(Object.keys(await desk.get(`/${id}`))).toEqual(eightKeys);
    expect(await desk.changes()).toEqual([{ type: 'contact.created', id, changed: null }]);
  });
});

describe('GET /v2/chatbots/{chatbotId}/contacts', () => {
  it('is the newest first, 25 a page of the eight fields, or the oldest first', async () => {
    const desk = await openDesk({ contacts: made(60) });
    const order = (all: Contact[]) => all.map(({ id, created_at }) => `${created_at} ${id}`);
    const pages = [await desk.list(''), await desk.list('?page=2'), await desk.list('?page=3')];
    expect(pages.map(({ contacts }) => contacts.length)).toEqual([25, 25, 10]);
    expect(pages[1]?.pages).toEqual({ current_page: 2, last_page: 3, per_page: 25 });
    expect(Object.keys(pages[0]?.contacts[0] ?? {})).toEqual(eightKeys);
    const all = pages.flatMap(({ contacts }) => contacts);
    expect(order(all)).toEqual(order(all).toSorted().toReversed());
    expect(new Set(all.map(({ id }) => id)).size).toBe(60);
    expect((await desk.list('?sort=date_asc&per_page=100')).contacts).toEqual(all.toReversed());
    const past = { pages: { current_page: 4, last_page: 3, per_page: 25 }, contacts: [] };
    expect(await desk.list('?page=4')).toEqual(past);
    for (const [size, number] of [
      [1, 60],
      [7, 8],
      [7, 9],
      [59, 2],
      [60, 1],
      [61, 1],
    ] as const) {
      const { contacts } = await desk.list(`?per_page=${size}&page=${number}`);
      expect(contacts, `${size} ${number}`).toEqual(all.slice((number - 1) * size, number * size));
    }
    const id = await desk.create({ name: 'New' });
    expect((await desk.list('?page=2')).contacts[0]).toEqual(all[24]);
    await desk.ask('DELETE', `/${id}`);
    expect((await desk.list('?page=2')).contacts[0]).toEqual(all[25]);
  });

  it.each(['date_desc', 'date_asc'])(
    'walks by cursor, %s, through everybody who is there throughout, once, whatever changes',
    async (sort) => {
      const desk = await openDesk({ contacts: made(60) });
      const met: string[] = [];
      let cursor: string | null = '*';
      for (let step = 0; cursor !== null; step++) {
        const data: Page = await desk.list(`?cursor=${cursor}&per_page=7&sort=${sort}`);
        expect(Object.keys(data)).toEqual(['next_cursor', 'contacts']);
        met.push(...data.contacts.map(({ id }) => id));
        cursor = data.next_cursor;
        await desk.ask('DELETE', `/${await desk.create({ name: `Passing ${step}` })}`);
        await desk.ask('PATCH', `/c-00${step % 10}`, { properties: { city: `${step}` } });
      }
      const throughout = met.filter((id) => id.startsWith('c-'));
      expect([throughout.length, new Set(met).size]).toEqual([60, met.length]);
    },
  );

  it('refuses a cursor that is not of this list, a page beside one, and a sort of the bin', async () => {
    const desk = await openDesk({ contacts: made(9) });
    const { next_cursor: cursor } = await desk.list('?cursor=*&per_page=2');
    for (const [query, error] of [
      [`?cursor=${cursor}&sort=date_asc`, 'cursor format'],
      [`?cursor=${cursor}&state=deleted`, 'cursor format'],
      ['?cursor=abc', 'cursor format'],
      ['?cursor=*&page=1', 'page not_allowed'],
      ['?state=deleted&sort=date_asc', 'sort not_allowed'],
      ['?include=secrets', 'include not_allowed'],
      ['?sort=name', 'sort not_allowed'],
    ] as const) {
      const { status, json, errors } = await desk.ask('GET', query);
      expect([query, status, json.code, errors]).toEqual([query, 422, 'validation_failed', [error]]);
    }
    const other = await openDesk({ chatbotId: desk.chatbotId });
    expect((await other.ask('GET', `?cursor=${cursor}`)).errors).toEqual(['cursor format']);
  });

  it('shows the bin, newest deletion first, to a key that may write alone', async () => {
    const desk = await openDesk({ contacts: made(12) });
    // Within a second, in no order of their ids.
    const gone = made(12).map((_, i) => `c-${String((i * 5) % 12).padStart(3, '0')}`);
    for (const id of gone) await desk.ask('DELETE', `/${id}`);
    const bin = await desk.list('?state=deleted');
    expect(bin.pages).toEqual({ current_page: 1, last_page: 1, per_page: 25 });
    expect(bin.contacts.map(({ id }) => id)).toEqual(gone.toReversed());
    expect(Object.keys(bin.contacts[0] ?? {})).toEqual([...eightKeys, 'deleted_at']);
    for (const one of bin.contacts) expect(one['deleted_at']).toMatch(/^[\d-]{10}T[\d:]{8}\+00:00$/);
    const met: Contact[] = [];
    for (let cursor: string | null = '*'; cursor !== null;) {
      const page: Page = await desk.list(`?state=deleted&per_page=5&cursor=${cursor}`);
      met.push(...page.contacts);
      cursor = page.next_cursor;
    }
    expect(met).toEqual(bin.contacts);
    const { token } = await scopesOf(desk.store, desk.projectId, ['contacts:read']);
    const refused = await server.get(`${desk.contacts}?state=deleted`, token);
    expect(refused.status).toBe(403);
    expect(refused.headers['www-authenticate']).toContain('scope="contacts:write"');
  });
});

describe('include', () => {
  it('adds keys in the order of the interface, with null, {} and [] where nothing is known', async () => {
    const desk = await openDesk();
    const id = await desk.create({ name: 'Ana' });
    const details = ['first_name', 'last_name', 'industry', 'address', 'city', 'state', 'postal_code', 'country'];
    const tagged = await desk.get(`/${id}?include=tags,updated_at`);
    for (const query of [
      'include=tags&include=updated_at',
      'include[]=tags&include[]=updated_at',
      'include=tags&include%5B%5D=updated_at',
      'include=tags,%20updated_at',
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
    const desk = await openDesk();
    const before = { city: 'Lisbon', attributes: { party: 'X', age: 7 }, tags: ['B', 'a', 'b'] };
    const id = await desk.create({ name: 'Ana', ...before });
    const attributes = { age: null, ok: true };
    const properties = { city: null, country: 'Portugal', attributes, tags: { add: ['C'], remove: ['A'] } };
    const type = { 'content-type': 'application/merge-patch+json' };
    const url = `/${id}?include=attributes,tags,details,updated_at`;
    const answer = await desk.ask('PATCH', url, { properties }, type);
    const after = { city: null, country: 'Portugal', attributes: { ok: true, party: 'X' }, tags: ['b', 'c'] };
    expect([answer.status, answer.data]).toMatchObject([200, { name: 'Ana', ...after }]);
    const changed = ['city', 'country', 'attributes', 'tags'];
    expect((await desk.changes()).at(-1)).toEqual({ type: 'contact.updated', id, changed });
    const same = await desk.ask('PATCH', url, { properties: { city: null, tags: ['B', 'c'] } });
    expect([same.status, same.etag]).toEqual([200, answer.etag]);
  });
});

describe('DELETE and restore', () => {
  it('put a contact into the bin and take it out under the same id, as it was', async () => {
    const desk = await openDesk();
    const id = await desk.create({ name: 'Ana', email: 'ana@example.com', external_id: 'x', tags: ['a'] });
    const include = '?include=tags,external_id,details,attributes,updated_at';
    const before = await desk.get(`/${id}${include}`);
    const deleted = await desk.ask('DELETE', `/${id}`);
    expect([deleted.status, deleted.json]).toEqual([200, { status: 'success' }]);
    for (const method of ['DELETE', 'GET'] as const) expect((await desk.ask(method, `/${id}`)).status).toBe(404);
    expect(await desk.found({ email: 'ana@example.com' })).toEqual([]);
    const restored = await desk.ask('POST', `/${id}/restore${include}`);
    expect([restored.status, restored.data]).toEqual([200, before]);
    expect((await desk.ask('POST', `/${id}/restore`)).status).toBe(404);
    const types = (await desk.changes()).map(({ type }) => type);
    expect(types).toEqual(['contact.created', 'contact.deleted', 'contact.restored']);
  });
});

describe('POST /v2/chatbots/{chatbotId}/contacts/upsert', () => {
  const upsert = (desk: Desk, payload: object, headers = {}) => desk.ask('POST', '/upsert', payload, headers);

  it('creates with 201, then updates and leaves alone with 200, and says what changed', async () => {
    const desk = await openDesk();
    const created = await upsert(desk, { match: { email: 'Ana@Example.com' }, properties: { first_name: 'Ana' } });
    expect(created.status).toBe(201);
    expect(created.data).toMatchObject({ outcome: 'created', changed: [], contact: { email: 'Ana@Example.com' } });
    const properties = { company_name: 'Example Ltd', email: 'ANA@example.com' };
    const again = { match: { email: 'ana@example.com' }, properties };
    const { status, data } = await upsert(desk, again);
    const contact = expect.objectContaining({ email: 'Ana@Example.com' });
    expect([status, data]).toEqual([200, { outcome: 'updated', changed: ['company'], contact }]);
    const same = await upsert(desk, again);
    expect([same.status, same.data]).toMatchObject([200, { outcome: 'unchanged', changed: [] }]);
    expect((await desk.changes()).map(({ type }) => type)).toEqual(['contact.created', 'contact.updated']);
  });

  it('is 409 and names at most a hundred contacts if several have the e-mail', async () => {
    const desk = await openDesk();
    const ids = [await desk.create({ email: 'a@example.com' }), await desk.create({ email: 'A@example.com' })];
    const refused = async () => {
      const { status, json } = await upsert(desk, { match: { email: 'a@example.com' }, properties: { name: 'A' } });
      return [status, json.code, json['existing']];
    };
    expect(await refused()).toEqual([409, 'ambiguous_match', ids.toSorted()]);
    const items = Array.from({ length: 100 }, () => ({ op: 'create', properties: { email: 'a@example.com' } }));
    await desk.ask('POST', '/bulk', { items });
    expect(await refused()).toEqual([409, 'ambiguous_match', expect.objectContaining({ length: 100 })]);
  });

  it('repeats its status and outcome from what is stored now, the contact null where it is gone', async () => {
    const desk = await openDesk();
    const body = { match: { email: 'a@example.com' }, properties: { name: 'A' } };
    const send = () => upsert(desk, body, { 'idempotency-key': 'k' });
    const { id } = (await send()).data['contact'] as unknown as Contact;
    await desk.ask('PATCH', `/${id}`, { properties: { name: 'B' } });
    const later = await send();
    expect([later.status, later.data]).toMatchObject([201, { outcome: 'created', contact: { name: 'B' } }]);
    await desk.ask('DELETE', `/${id}`);
    expect((await send()).data).toEqual({ outcome: 'created', changed: [], contact: null });
  });
});

describe('POST /v2/chatbots/{chatbotId}/contacts/lookup', () => {
  it('finds all with the e-mail in any letter case, the digits of the phone, or the external id, newest first', async () => {
    const contacts = [
      aContact({ id: 'old', created_at: '2024-01-01T00:00:00+00:00' }),
      aContact({ id: 'new', email: 'ANA@example.com', phone: '(1) 5550100', external_id: 'crm-7' }),
      aContact({ id: 'else', email: 'bo@example.com', phone: 'none', created_at: '2024-01-02T00:00:00+00:00' }),
    ];
    const desk = await openDesk({ contacts, scopes: ['contacts:read'] });
    for (const [sought, ids] of [
      [{ email: 'Ana@Example.com' }, ['new', 'old']],
      [{ phone: '1-555-0100' }, ['new', 'old']],
      [{ phone: 'none' }, []],
      [{ external_id: 'crm-7' }, ['new']],
      [{ email: 'no address' }, []],
      [{ phone: 15_550_100 }, ['new', 'old']],
      [{ phone: 1e300 }, []],
    ] as const) {
      expect([sought, await desk.found(sought)]).toEqual([sought, ids]);
    }
  });

  it('reads up to a hundred by their ids, in the order asked, without those that are missing', async () => {
    const desk = await openDesk({ contacts: Array.from({ length: 30 }, (_, i) => aContact({ id: `c${i}` })) });
    const lookup = (ids: unknown, query = '') => desk.ask('POST', `/lookup${query}`, { ids });
    await desk.ask('DELETE', '/c9');
    const contacts = (await lookup(['c7', 'nobody', 'c9', 'c3', 'c7'])).data['contacts'] as unknown as Contact[];
    expect(contacts.map(({ id }) => id)).toEqual(['c7', 'c3', 'c7']);
    expect((await lookup(['c3'], '?include=tags')).data['contacts']).toEqual([{ ...contacts[1], tags: [] }]);
    const many = Array.from({ length: 100 }, (_, i) => `c${i}`);
    expect((await lookup(many)).status).toBe(200);
    expect((await lookup([...many, 'c'])).errors).toEqual(['ids too_many']);
    expect((await lookup([])).errors).toEqual(['ids required']);
    expect((await lookup('c1')).errors).toEqual(['ids type']);
  });
});

describe('POST /v2/chatbots/{chatbotId}/contacts/bulk', () => {
  const bulk = (desk: Desk, items: object[], headers = {}) => desk.ask('POST', '/bulk', { items }, headers);
  const created = (count: number) => Array.from({ length: count }, () => ({ op: 'create', properties: { name: 'A' } }));
  const leftAfter = ({ headers }: Answer) => headers['x-ratelimit-remaining'];

  it('does each item in order, sees earlier ones, and fails one alone', async () => {
    const desk = await openDesk();
    const id = await desk.create({ name: 'Ana', external_id: 'taken' });
    const cases: [item: object, outcome: string][] = [
      [{ op: 'create', properties: { email: 'b@example.com' } }, 'created'],
      [{ op: 'upsert', match: { email: 'B@example.com' }, properties: { name: 'Bo' } }, 'updated'],
      [{ op: 'upsert', match: { email: 'c@example.com' } }, 'created'],
      [{ op: 'update', id, properties: { city: 'Lisbon' } }, 'updated'],
      [{ op: 'update', id, properties: { city: 'Lisbon' } }, 'unchanged'],
      [{ op: 'create', properties: { name: 'Dee', external_id: 'taken' } }, 'conflict'],
      [{ op: 'create', properties: { nickname: 'E', email: 'x' } }, 'validation_failed'],
      [{ op: 'update', id: 'nobody', properties: { name: 'F' } }, 'not_found'],
      [{ op: 'delete', id }, 'deleted'],
      [{ op: 'create', properties: { name: 'Gil', external_id: 'taken' } }, 'created'],
      [{ op: 'delete', match: { email: 'c@example.com' } }, 'deleted'],
      [{ op: 'create' }, 'validation_failed'],
    ];
    const { status, data } = await bulk(
      desk,
      cases.map(([item]) => item),
    );
    expect([status, data]).toMatchObject([200, { succeeded: 8, failed: 4 }]);
    const results = data['results'] as unknown as Record<string, unknown>[];
    expect(results.map(({ outcome, code }) => code ?? outcome)).toEqual(cases.map(([, outcome]) => outcome));
    const keys = ['index', 'outcome', 'code', 'message'];
    expect(results.slice(5, 7).map(Object.keys)).toEqual([keys, [...keys, 'errors']]);
    const errors = [{ field: 'properties.nickname' }, { field: 'properties.email' }];
    expect(results[6]).toMatchObject({ index: 6, errors });
    const { contacts } = await desk.list('');
    expect(new Set(contacts.map(({ name }) => name))).toEqual(new Set(['Bo', 'Gil']));
    expect((await desk.changes()).slice(1).map(({ type, changed }) => [type, changed])).toEqual([
      ['contact.created', null],
      ['contact.updated', ['name', 'city']],
      ['contact.deleted', null],
    ]);
  });

  it('repeats its results, with no word of a caller kept', async () => {
    const desk = await openDesk();
    const items = [
      { op: 'create', properties: { name: 'A' } },
      { op: 'create', properties: { 'ana@example.com': 'A' } },
      { op: 'create', properties: { name: 'B', attributes: { 'secret name': 1 } } },
    ];
    const first = await bulk(desk, items, { 'idempotency-key': 'k' });
    const again = await bulk(desk, items, { 'idempotency-key': 'k' });
    expect([again.headers['idempotent-replayed'], again.body]).toEqual(['true', first.body]);
    const kept = bulkContacts.repeat?.keep(first.data as unknown as BulkOutput);
    expect(JSON.stringify(kept)).not.toMatch(/ana@|secret/);
    expect(await desk.changes()).toHaveLength(1);
  });

  it('costs a request for every 25 items, and is let through while one is left', async () => {
    await using limited = await openApp({ rateLimit: 5 });
    const desk = await aDesk(limited);
    for (const [count, status, left] of [
      [26, 200, '3'],
      [25, 200, '2'],
      [100, 200, '0'],
      [1, 429, '0'],
    ] as const) {
      const answer = await bulk(desk, created(count));
      expect([answer.status, leftAfter(answer)]).toEqual([status, left]);
    }
  });

  it('costs a request for every 25,000 characters that search looks through, where those are more', async () => {
    await using limited = await openApp({ rateLimit: 100 });
    const desk = await aDesk(limited);
    const tags = Array.from({ length: 50 }, (_, i) => `${i}`.padStart(40, '山'));
    const texts = { company: '山'.repeat(240), job_title: '\u{20000}'.repeat(245), address: 'a'.repeat(1_000) };
    // 2,500 characters of each.
    const items = (count: number) =>
      Array.from({ length: count }, (_, i) => ({
        op: 'upsert',
        match: { external_id: `${i}`.padStart(15, 'x') },
        properties: { ...texts, tags: i % 2 === 0 ? tags : { add: tags } },
      }));
    const left = async (count: number) => leftAfter(await bulk(desk, items(count)));
    expect([await left(10), await left(11), await left(41)]).toEqual(['99', '97', '92']);
  });

  it('takes no more than is left where several pass the door before their bodies are there', async () => {
    await using limited = await openApp({ rateLimit: 20 });
    const desk = await aDesk(limited);
    const answers = await Promise.all(Array.from({ length: 8 }, () => bulk(desk, created(250))));
    // Eight at the door, and nine more of each of the first two.
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, 200, 429, 429, 429, 429, 429, 429]);
  });
});

describe('POST /v2/contacts/lookup', () => {
  it('finds the people of all chatbots of the project and of no other, each with its chatbot first', async () => {
    const same = { external_id: 'crm-7', tags: ['vip'] };
    const desk = await openDesk({ contacts: [aContact({ id: 'a', ...same }), aContact({ id: 'both' })] });
    const { projectId, chatbotId, store } = desk;
    await aProject(store, { contacts: [aContact({ id: 'stranger', ...same })] });
    const { id: second } = await createChatbot(store, projectId, { name: 'Second' });
    const both = aContact({ id: 'both', phone: null, ...same, created_at: '2020-01-01T00:00:00+00:00' });
    await storeContacts(store, projectId, second, [both]);
    const found = async (payload: object, query = '') =>
      (await desk.ask('POST', `/v2/contacts/lookup${query}`, payload)).data['contacts'] as unknown as Contact[];
    const places = async (payload: object) =>
      (await found(payload)).map(({ chatbot_id, id }) => `${String(chatbot_id)} ${id}`);
    const [a, here, there] = [`${chatbotId} a`, `${chatbotId} both`, `${second} both`];
    expect(await places({ external_id: 'crm-7' })).toEqual([a, there]);
    expect(new Set(await places({ phone: '1-555-0100' }))).toEqual(new Set([a, here]));
    expect(await places({ email: 'ANA@example.com' })).toHaveLength(3);
    expect(await places({ ids: ['both', 'stranger', 'a'] })).toEqual([...[here, there].toSorted(), a]);
    const [first] = await found({ ids: ['a'] }, '?include=tags');
    expect(Object.keys(first ?? {})).toEqual(['chatbot_id', ...eightKeys, 'tags']);
    expect((await desk.ask('POST', '/v2/contacts/lookup', {})).errors).toEqual(['email required']);
  });
});
