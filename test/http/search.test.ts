import { describe, expect, it } from 'vitest';

import { appOfFile } from '../support/app.ts';
import { aDesk } from '../support/full-desk.ts';
import { aContact } from '../support/people.ts';

const people = [
  { id: 'ana', name: 'Ana Lucía Ferreira', email: 'Ana.Fer@Example.com', phone: '+1 (555) 010-0199', tags: ['vip'] },
  { id: 'bo', name: 'Bo Øster', email: null, phone: null, company: 'Straße GmbH', external_id: 'crm-4711' },
  { id: 'cy', name: '山田太郎', email: null, phone: null, job_title: 'Ana’s manager', tags: ['très bien', 'vip'] },
].map((given, place) => aContact({ created_at: `2024-06-0${place + 1}T12:00:00+00:00`, ...given }));

const server = appOfFile();

async function openDesk(contacts = people) {
  const desk = await aDesk(server, { contacts });
  const search = (payload?: object, query = '') => desk.ask('POST', `/search${query}`, payload);
  return {
    ...desk,
    search,
    ids: async (payload?: object) =>
      ((await search(payload)).data['contacts'] as unknown as { id: string }[]).map(({ id }) => id),
  };
}

describe('POST /v2/chatbots/{chatbotId}/contacts/search', () => {
  it('answers exactly the contacts and the next cursor, newest first, with the eight fields or what include asks for', async () => {
    const desk = await openDesk();
    const plain = await desk.search({ query: 'ana' });
    expect(plain.status).toBe(200);
    expect(Object.keys(plain.data)).toEqual(['contacts', 'next_cursor']);
    expect(plain.data).toMatchObject({ contacts: [{ id: 'cy' }, { id: 'ana' }], next_cursor: null });
    const keys = 'id name email job_title phone website company created_at';
    expect(Object.keys(plain.data['contacts']?.[0] ?? {}).join(' ')).toBe(keys);
    const { data } = await desk.search({ query: 'ana' }, '?include=tags,external_id');
    const [first] = data['contacts'] as unknown as object[];
    expect(first).toMatchObject({ id: 'cy', external_id: null, tags: ['très bien', 'vip'] });
  });

  it('lists by the filters without a query, also with no body at all, and takes null for what may be missing', async () => {
    const desk = await openDesk();
    const nothing = { query: null, sort: null, limit: null, cursor: null, tag: null, created_after: null };
    for (const [sought, ids] of [
      [undefined, ['cy', 'bo', 'ana']],
      [{ query: null, sort: 'date_asc' }, ['ana', 'bo', 'cy']],
      [{ tag: 'VIP' }, ['cy', 'ana']],
      [{ tag: 'vi' }, []],
      [{ created_after: '2024-06-01T12:00:00Z' }, ['cy', 'bo']],
      [{ created_after: '2024-06-01T11:59:59.5Z' }, ['cy', 'bo', 'ana']],
      [{ created_before: '2024-06-02T12:00:00+00:00' }, ['ana']],
      [{ created_before: '2024-06-02T12:00:00.5+00:00' }, ['bo', 'ana']],
      [{ created_before: '2024-06-02T14:00:01+02:00', query: 'bo' }, ['bo']],
      [nothing, ['cy', 'bo', 'ana']],
      // An empty text is null.
      [{ query: '', cursor: ' ', tag: '' }, ['cy', 'bo', 'ana']],
    ] as const) {
      expect([sought, await desk.ids(sought)]).toEqual([sought, ids]);
    }
  });

  it('goes on with the cursor of the same search, and of no other', async () => {
    const desk = await openDesk();
    const cursor = (await desk.search({ limit: 2 })).data['next_cursor'];
    expect(await desk.ids({ limit: 2, cursor })).toEqual(['ana']);
    expect(await desk.ids({ limit: 100, cursor: '*' })).toEqual(['cy', 'bo', 'ana']);
    for (const other of [{ query: 'ana' }, { tag: 'vip' }, { sort: 'date_asc' }, { created_after: '2024-06-01' }]) {
      expect((await desk.search({ ...other, cursor })).errors).toEqual(['cursor format']);
    }
  });

  it('hides in a cursor how many contacts all projects have added, and takes no place that a caller made up', async () => {
    const desk = await openDesk();
    const cursor = String((await desk.search({ limit: 2 })).data['next_cursor']);
    const [mark, hidden = '', ...more] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as string[];
    expect([hidden, more]).toEqual([expect.stringMatching(/^[\w-]{22}$/), []]);
    const altered = hidden.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'));
    for (const parts of [[mark, 1], [mark, '1'], [mark, altered], [mark, hidden, hidden], [mark]]) {
      const madeUp = Buffer.from(JSON.stringify(parts)).toString('base64url');
      expect((await desk.search({ limit: 2, cursor: madeUp })).status).toBe(422);
    }
  });

  it('takes ten words of 64 characters, in scripts that are taken apart too', async () => {
    const desk = await openDesk([aContact({ id: 'k', name: '각'.repeat(64) })]);
    expect(await desk.ids({ query: '각'.repeat(64) })).toEqual(['k']);
    expect(await desk.ids({ query: Array.from({ length: 10 }, (_, i) => 'x'.repeat(54 + i)).join(' ') })).toEqual([]);
  });
});
