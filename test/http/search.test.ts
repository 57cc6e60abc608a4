import { describe, expect, it } from 'vitest';

import type { StoredContact } from '../../src/contacts/contact.ts';
import { storeOn } from '../../src/database/open-store.ts';
import { sql } from '../../src/database/sql.ts';
import { openApp } from '../support/app.ts';
import { openStoreOfRun } from '../support/engines.ts';
import { aContact, aProject, createApiKey } from '../support/people.ts';

const people = [
  { id: 'ana', name: 'Ana Lucía Ferreira', email: 'Ana.Fer@Example.com', phone: '+1 (555) 010-0199', tags: ['vip'] },
  { id: 'bo', name: 'Bo Øster', email: null, phone: null, company: 'Straße GmbH', external_id: 'crm-4711' },
  { id: 'cy', name: '山田太郎', email: null, phone: null, job_title: 'Ana’s manager', tags: ['très bien', 'vip'] },
].map((given, place) => aContact({ created_at: `2024-06-0${place + 1}T12:00:00+00:00`, ...given }));

async function openDesk(contacts: StoredContact[] = people) {
  const stack = new AsyncDisposableStack();
  const opened = stack.use(await openStoreOfRun());
  const store = storeOn(opened.database);
  const server = stack.use(await openApp({}, store));
  const project = await aProject(store, { contacts });
  const { token, chatbotId } = project;
  const search = (payload?: object, query = '', key = token, chatbot = chatbotId) =>
    server.ask({
      method: 'POST',
      url: `/v2/chatbots/${chatbot}/contacts/search${query}`,
      ...(payload && { payload }),
      headers: { authorization: `Bearer ${key}` },
    });
  const ids = async (payload?: object) => {
    const { status, json } = await search(payload);
    const { contacts } = json.data as unknown as { contacts?: { id: string }[] };
    return contacts?.map(({ id }) => id) ?? [status, json.code];
  };
  return { ...project, ...opened, store, server, search, ids, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

describe('POST /v2/chatbots/{chatbotId}/contacts/search', () => {
  it('answers exactly the contacts and the next cursor, newest first, with the eight fields or what include asks for', async () => {
    await using desk = await openDesk();
    const plain = await desk.search({ query: 'ana' });
    expect(plain.status).toBe(200);
    expect(Object.keys(plain.json.data as unknown as object)).toEqual(['contacts', 'next_cursor']);
    const found = plain.json.data as unknown as { contacts: Record<string, unknown>[]; next_cursor: null };
    expect(found.contacts.map(({ id }) => id)).toEqual(['cy', 'ana']);
    expect(Object.keys(found.contacts[0] ?? {})).toEqual(
      'id name email job_title phone website company created_at'.split(' '),
    );
    expect(found.next_cursor).toBeNull();
    const more = await desk.search({ query: 'ana' }, '?include=tags,external_id');
    const [first] = (more.json.data as unknown as typeof found).contacts;
    expect(first).toMatchObject({ id: 'cy', external_id: null, tags: ['très bien', 'vip'] });
  });

  it('finds by the beginnings of all words, and by nothing else', async () => {
    await using desk = await openDesk();
    for (const [query, ids] of [
      ['ana fer', ['ana']],
      ['FER, Ána', ['ana']],
      ['Ana.Fer@Example.com', ['ana']],
      ['oster strasse', ['bo']],
      ['crm 47', ['bo']],
      ['太郎', ['cy']],
      ['tres', ['cy']],
      ['0199', ['ana']],
      ['0100199', ['ana']],
      ['5550100199', ['ana']],
      ['+1 555', ['ana']],
      ['erreira', []],
      ['199', []],
      ['%', []],
      ['"', []],
      ["ana' or 1=1 --", []],
      ['ana AND NOT', []],
      ['ana*', ['cy', 'ana']],
      ['~', []],
      ['', ['cy', 'bo', 'ana']],
    ] as const) {
      expect([query, await desk.ids({ query })]).toEqual([query, ids]);
    }
  });

  it('lists by the filters without a query, also with no body at all', async () => {
    await using desk = await openDesk();
    expect(await desk.ids()).toEqual(['cy', 'bo', 'ana']);
    expect(await desk.ids({ query: null, sort: 'date_asc' })).toEqual(['ana', 'bo', 'cy']);
    expect(await desk.ids({ tag: 'VIP' })).toEqual(['cy', 'ana']);
    expect(await desk.ids({ tag: 'vi' })).toEqual([]);
    expect(await desk.ids({ created_after: '2024-06-01T12:00:00Z' })).toEqual(['cy', 'bo']);
    expect(await desk.ids({ created_after: '2024-06-01T11:59:59.5Z' })).toEqual(['cy', 'bo', 'ana']);
    expect(await desk.ids({ created_before: '2024-06-02T12:00:00+00:00' })).toEqual(['ana']);
    expect(await desk.ids({ created_before: '2024-06-02T12:00:00.5+00:00' })).toEqual(['bo', 'ana']);
    expect(await desk.ids({ created_before: '2024-06-02T14:00:01+02:00', query: 'bo' })).toEqual(['bo']);
  });

  it('takes null for what may be missing, as a walk begins that has no cursor yet', async () => {
    await using desk = await openDesk();
    const all = await desk.ids({});
    const nothing = { query: null, sort: null, limit: null, cursor: null, tag: null, created_after: null };
    expect(await desk.ids(nothing)).toEqual(all);
    // An empty text is null.
    expect(await desk.ids({ cursor: ' ', tag: '' })).toEqual(all);
    expect(all).toHaveLength(people.length);
  });

  it('goes on with the cursor of the same search, and of no other', async () => {
    await using desk = await openDesk();
    const walk = async (body: object) => (await desk.search(body)).json.data as unknown as { next_cursor: string };
    const { next_cursor: cursor } = await walk({ limit: 2 });
    expect(await desk.ids({ limit: 2, cursor })).toEqual(['ana']);
    expect(await desk.ids({ limit: 100, cursor: '*' })).toEqual(['cy', 'bo', 'ana']);
    for (const other of [{ query: 'ana' }, { tag: 'vip' }, { sort: 'date_asc' }, { created_after: '2024-06-01' }]) {
      const { status, json } = await desk.search({ ...other, cursor });
      expect([status, json.errors?.map(({ field, code }) => `${field} ${code}`)]).toEqual([422, ['cursor format']]);
    }
  });

  it('hides in a cursor how many contacts all projects have added, and takes no place that a caller made up', async () => {
    await using desk = await openDesk();
    const { json } = await desk.search({ limit: 2 });
    const { next_cursor: cursor } = json.data as unknown as { next_cursor: string };
    const [mark, hidden = '', ...more] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as string[];
    expect([hidden, more]).toEqual([expect.stringMatching(/^[\w-]{22}$/), []]);
    const altered = hidden.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'));
    for (const parts of [[mark, 1], [mark, '1'], [mark, altered], [mark, hidden, hidden], [mark]]) {
      const madeUp = Buffer.from(JSON.stringify(parts)).toString('base64url');
      expect((await desk.search({ limit: 2, cursor: madeUp })).status).toBe(422);
    }
  });

  it('refuses what breaks a rule with the field and why', async () => {
    await using desk = await openDesk();
    for (const [payload, error] of [
      [{ query: 7 }, 'query type'],
      [{ query: Array.from({ length: 11 }, (_, i) => `a${i}`).join(' ') }, 'query too_many'],
      [{ query: 'a '.repeat(11) }, 'query too_many'],
      [{ query: 'x'.repeat(65) }, 'query too_long'],
      [{ limit: 0 }, 'limit too_small'],
      [{ limit: 101 }, 'limit too_large'],
      [{ limit: '5' }, 'limit type'],
      [{ sort: 'name' }, 'sort not_allowed'],
      [{ tag: 'a,b' }, 'tag format'],
      [{ tag: 'x'.repeat(41) }, 'tag too_long'],
      [{ created_after: 'yesterday' }, 'created_after format'],
      [{ page: 1 }, 'page unknown'],
      [{ cursor: 'nonsense' }, 'cursor format'],
    ] as const) {
      const { status, json } = await desk.search(payload);
      const errors = json.errors?.map(({ field, code }) => `${field} ${code}`);
      expect([payload, status, errors]).toEqual([payload, 422, [error]]);
    }
  });

  it('takes ten words of 64 characters, in scripts that are taken apart too', async () => {
    await using desk = await openDesk([aContact({ id: 'k', name: '각'.repeat(64) })]);
    expect(await desk.ids({ query: '각'.repeat(64) })).toEqual(['k']);
    expect(await desk.ids({ query: Array.from({ length: 10 }, (_, i) => 'x'.repeat(54 + i)).join(' ') })).toEqual([]);
  });

  it('shows nobody of another chatbot or project, and needs contacts:read', async () => {
    await using desk = await openDesk();
    const other = await aProject(desk.store, { contacts: people.map((one) => ({ ...one, id: `other-${one.id}` })) });
    const foreign = await desk.search({ query: 'ana' }, '', desk.token, other.chatbotId);
    expect([foreign.status, foreign.json.code]).toEqual([404, 'not_found']);
    expect(await desk.ids({ query: 'ana' })).toEqual(['cy', 'ana']);
    const { token } = await createApiKey(desk.store, desk.projectId, { name: 'x', scopes: ['contacts:write'] });
    expect((await desk.search({ query: 'ana' }, '', token)).status).toBe(403);
  });

  it('is answered 503 with Retry-After while the contacts are being indexed', async () => {
    await using desk = await openDesk();
    await desk.database.run(sql`insert into contacts (project_id, chatbot_id, id, name, created_at, updated_at)
      values (${desk.projectId}, ${desk.chatbotId}, 'old', 'Ana', '2024-06-08T13:38:33+00:00', '2024-06-08T13:38:33+00:00')`);
    const { status, json, headers } = await desk.search({ query: 'ana' });
    expect([status, json.code, headers['retry-after']]).toEqual([503, 'unavailable', '5']);
    await desk.store.upkeep.indexContacts(desk.projectId, 10);
    expect(new Set(await desk.ids({ query: 'ana' }))).toEqual(new Set(['ana', 'cy', 'old']));
  });
});
