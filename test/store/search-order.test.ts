import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { createContact } from '../../src/contacts/create.ts';
import { deleteContact } from '../../src/contacts/delete.ts';
import { restoreContact } from '../../src/contacts/restore.ts';
import type { ContactSearch } from '../../src/contacts/store.ts';
import type { Database } from '../../src/database/database.ts';
import { emptySearchIndex } from '../../src/database/search/status.ts';
import { sql } from '../../src/database/sql.ts';
import { searchContacts } from '../../src/database/sqlite/contact-search.ts';
import { copyDatabase } from '../../src/database/upkeep/copy.ts';
import { run } from '../../src/operation.ts';
import { engines, type Opened, shared } from '../support/engines.ts';
import { aContact, aProject, createChatbot, storeContacts } from '../support/people.ts';
import { seededRandom } from '../support/random.ts';
import { askOf, type Asked, type Desk, expected, findAll } from '../support/searches.ts';

/** The ids of all contacts of the projects, in the order of their places. */
async function idsByPlace({ database }: Opened, desks: readonly Desk[]): Promise<string[]> {
  const rows: { id: string; place: number }[] = [];
  for (const { projectId } of desks) {
    rows.push(
      ...(await database.all<(typeof rows)[number]>(
        sql`select id, place from contacts where project_id = ${projectId}`,
      )),
    );
  }
  expect(new Set(rows.map(({ place }) => place)).size).toBe(rows.length);
  return rows.toSorted((a, b) => a.place - b.place).map(({ id }) => id);
}

describe.each(engines)('the order of search on $engine', ({ open, openOwn }) => {
  const opened = shared(open);

  // That it is the order of additions, whenever contacts were created, and that changes move nobody: search.test.ts.
  it('counts a restored contact as added then, by request and by import', async () => {
    const contacts = ['a', 'b', 'c'].map((id) => aContact({ id }));
    const desk = await aProject(opened.store, { contacts });
    const { projectId, chatbotId } = desk;
    const actor = operator(projectId);
    const ask = askOf(opened.store, desk);
    for (const contactId of ['a', 'b']) await run(deleteContact, opened.store, actor, { chatbotId, contactId });
    await run(restoreContact, opened.store, actor, { chatbotId, contactId: 'a' });
    expect((await ask({ query: 'ana' })).ids).toEqual(['a', 'c']);
    await storeContacts(opened.store, projectId, chatbotId, [aContact({ id: 'b' })]);
    expect((await ask({ query: 'ana' })).ids).toEqual(['b', 'a', 'c']);
  });

  it('is one of all chatbots, also in one transaction', async () => {
    const desks = [await aProject(opened.store), await aProject(opened.store)];
    // Twice each: from the second on they ask nothing, and are stored with those of the other.
    const created = [...desks, ...desks].map(async ({ projectId, chatbotId }) => {
      const { output } = await run(createContact, opened.store, operator(projectId), {
        chatbotId,
        properties: { name: 'Ana' },
      });
      return output.id;
    });
    const ids = await Promise.all(created);
    expect((await idsByPlace(opened, desks)).toSorted()).toEqual(ids.toSorted());
    for (const desk of desks) expect((await askOf(opened.store, desk)({ query: 'ana' })).ids).toHaveLength(2);
  });

  it('stays when the index is made anew, and nobody gets the place of the last contact, which is gone', async () => {
    await using opened = await openOwn();
    const desk = await aProject(opened.store, { contacts: [aContact({ id: 'b' }), aContact({ id: 'a' })] });
    const { projectId, chatbotId } = desk;
    const { id: second } = await createChatbot(opened.store, projectId, { name: 'Second' });
    await storeContacts(opened.store, projectId, second, [aContact({ id: 'other' })]);
    await storeContacts(opened.store, projectId, chatbotId, [aContact({ id: 'last' })]);
    const ask = askOf(opened.store, desk);
    const { next } = await ask({ query: 'ana', sort: 'added_asc', limit: 2 });
    await run(deleteContact, opened.store, operator(projectId), { chatbotId, contactId: 'last' });
    await emptySearchIndex(opened.database);
    await storeContacts(opened.store, projectId, chatbotId, [aContact({ id: 'new' })]);
    expect(await opened.store.upkeep.indexContacts(projectId, 10)).toBe(3);
    expect((await ask({ query: 'ana' })).ids).toEqual(['new', 'a', 'b']);
    expect((await ask({ query: 'ana', sort: 'date_asc', limit: 2, cursor: String(next) })).ids).toEqual(['new']);
    expect((await askOf(opened.store, { ...desk, chatbotId: second })({ query: 'ana' })).ids).toEqual(['other']);
  });
});

it.each(engines.slice(1))(
  'a copy of $engine keeps the order, and who is added to it comes last',
  async ({ open, openOwn }) => {
    await using source = await openOwn();
    const desk = await aProject(source.store, { contacts: ['b', 'a'].map((id) => aContact({ id })) });
    await source.database.run(
      sql`update contacts set place = null, search_key = null where project_id = ${desk.projectId}`,
    );
    expect(await source.store.upkeep.indexContacts(desk.projectId, 1)).toBe(1);
    await storeContacts(source.store, desk.projectId, desk.chatbotId, [aContact({ id: 'c' })]);
    await using target = await open();
    await copyDatabase(source.database, target.database);
    const { projectId, chatbotId } = desk;
    await storeContacts(target.store, projectId, chatbotId, [aContact({ id: 'd' })]);
    for (let rows = 1; rows > 0;) rows = await target.store.upkeep.indexContacts(projectId, 10);
    expect((await askOf(target.store, desk)({ query: 'ana' })).ids).toEqual(['d', 'c', 'b', 'a']);
  },
);

const words = ['Ana', 'Bo', 'Cy', 'Dora', 'Emil', 'Fay', 'Gus', 'Hal', 'Ivo', 'Jo'];

describe.each(engines.slice(1))('a search with times of creation on $engine', ({ open }) => {
  it.each(['in the order of creation', 'in any order'])(
    'finds those of three thousand who were added %s that a plain reading finds',
    async (order) => {
      await using opened = await open();
      const random = seededRandom(26);
      const minutes = Array.from({ length: 3_000 }, () => random.below(60 * 24 * 300));
      if (order === 'in the order of creation') minutes.sort((a, b) => a - b);
      const people = minutes.map((minute, i) =>
        aContact({
          id: `${random.below(1e9).toString(36)}-${i}`,
          name: `${random.pick(words)} ${random.pick(words)}${i % 400 === 0 ? ' Rarissima' : ''}`,
          email: null,
          tags: i % 3 === 0 ? ['vip'] : [],
          created_at: `${new Date(Date.UTC(2025, 0, 1, 0, minute)).toISOString().slice(0, 19)}+00:00`,
        }),
      );
      const ask = askOf(opened.store, await aProject(opened.store, { contacts: people }));
      const middle = { created_after: '2025-05-01T00:00:00Z', created_before: '2025-06-10T00:00:00+00:00' };
      const asked: Asked[] = [
        { query: 'ana bo', ...middle, limit: 3 },
        { query: 'rariss', ...middle, limit: 1 },
        { query: 'rariss', created_after: '2025-02-01T00:00:00Z', sort: 'added_asc', limit: 2 },
        { query: 'ivo rariss', created_before: '2025-09-01T00:00:00Z' },
        { query: 'dora', tag: 'vip', sort: 'date_asc', ...middle, limit: 7 },
        { query: 'nobody', ...middle },
        { ...middle, limit: 100 },
        { tag: 'vip', created_before: '2025-01-10T00:00:00Z', limit: 9 },
        { query: 'gus', created_after: '2030-01-01T00:00:00Z' },
        { query: 'a', limit: 40 },
      ];
      for (const one of asked) {
        expect({ one, ids: await findAll(ask, one) }).toEqual({ one, ids: expected(people, one) });
      }
    },
  );
});

/** A connection that keeps what it is asked. */
function listening({ database }: Opened) {
  const plans: Promise<{ detail: string }[]>[] = [];
  const listen = (query: Parameters<Database['all']>[0]) => {
    const [beginning = '', ...rest] = query.pieces;
    plans.push(database.all({ pieces: [`explain query plan ${beginning}`, ...rest], values: query.values }));
  };
  const connection: Pick<Database, 'all' | 'first' | 'usingIndex'> = {
    all: (query) => {
      listen(query);
      return database.all(query);
    },
    first: (query) => {
      listen(query);
      return database.first(query);
    },
    usingIndex: (name) => database.usingIndex(name),
  };
  return { connection, plans };
}

describe('the questions of a search on SQLite', () => {
  const contacts = Array.from({ length: 1_000 }, (_, i) =>
    aContact({
      id: String(i),
      name: i >= 800 ? 'Anatol Bernard' : 'Anabel Bertold',
      created_at: `20${10 + (i % 10)}-01-01T00:00:00+00:00`,
    }),
  );
  const created = { after: '2012', before: '2015' };
  const searches: Omit<ContactSearch, 'order' | 'limit'>[] = [
    { words: ['anabel', 'bernard'] },
    { words: [], created },
    { words: ['anabel', 'bernard'], tag: 'vip', created, after: 900 },
  ];

  it('are few for two frequent words that nobody has together, and none scans a table', async () => {
    await using opened = await engines[0].open();
    const { projectId, chatbotId } = await aProject(opened.store, { contacts });
    for (const search of searches) {
      for (const order of ['newest', 'oldest'] as const) {
        const { connection, plans } = listening(opened);
        const found = await searchContacts(
          connection,
          projectId,
          { chatbotIds: [chatbotId], ...search, order, limit: 5 },
          false,
        );
        expect(found).toHaveLength(search.words.length > 0 ? 0 : 5);
        const details = (await Promise.all(plans)).flat().map(({ detail }) => detail);
        expect(
          details.filter((detail) =>
            /^SCAN (?!contact_words VIRTUAL|search_state|block|found|CONSTANT|\(subquery)/.test(detail),
          ),
        ).toEqual([]);
        expect(plans.length).toBeLessThan(12);
      }
    }
  });

  it('sort the few who meet a condition by update, and walk no further through all changes', async () => {
    await using opened = await engines[0].open();
    const one = aContact({ id: 'rare', company: 'Rare Ltd', updated_at: '2009-01-01T00:00:00+00:00' });
    const { projectId, chatbotId } = await aProject(opened.store, { contacts: [one, ...contacts] });
    const { connection, plans } = listening(opened);
    const search = { chatbotIds: [chatbotId], words: [], where: [{ field: 'company', is: 'rare ltd' }] };
    const asked = { ...search, byUpdate: {}, order: 'newest', limit: 5 } as const;
    const found = await searchContacts(connection, projectId, asked, false);
    expect(found.map(({ id }) => id)).toEqual(['rare']);
    const details = (await Promise.all(plans)).map((plan) => plan.map(({ detail }) => detail));
    expect(details.at(-1)).toContain('SEARCH contacts USING PRIMARY KEY (project_id=? AND chatbot_id=? AND id=?)');
  });
});
