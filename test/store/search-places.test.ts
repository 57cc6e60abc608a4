import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { createContact } from '../../src/contacts/create.ts';
import type { Database } from '../../src/database/database.ts';
import { emptySearchIndex } from '../../src/database/search/status.ts';
import { searchContacts } from '../../src/database/sqlite/contact-search.ts';
import { run } from '../../src/operation.ts';
import { engines } from '../support/engines.ts';
import { aContact, aProject, createChatbot, storeContacts } from '../support/people.ts';
import { seededRandom } from '../support/random.ts';
import { askOf, expected, findAll } from '../support/searches.ts';

describe.each(engines)('the places of contacts on $engine', ({ open, openOwn }) => {
  it('are many for a day of several chatbots in one transaction', async () => {
    await using opened = await open();
    const desks = [await aProject(opened.store), await aProject(opened.store)];
    // Of each chatbot twice: from the second on its works ask nothing, and are stored with those of the other.
    await Promise.all(
      [...desks, ...desks].map(({ projectId, chatbotId }) =>
        run(createContact, opened.store, operator(projectId), { chatbotId, properties: { name: 'Ana' } }),
      ),
    );
    for (const desk of desks) expect((await askOf(opened.store, desk)({ query: 'ana' })).ids).toHaveLength(2);
  });

  it('are many for a day of several chatbots in one step of indexing', async () => {
    await using opened = await openOwn();
    const desk = await aProject(opened.store, { contacts: [aContact({ id: 'a' })] });
    const { id: chatbotId } = await createChatbot(opened.store, desk.projectId, { name: 'Second' });
    await storeContacts(opened.store, desk.projectId, chatbotId, [aContact({ id: 'b' })]);
    await emptySearchIndex(opened.database);
    expect(await opened.store.upkeep.indexContacts(desk.projectId, 10)).toBe(2);
    expect((await askOf(opened.store, desk)({ query: 'ana' })).ids).toEqual(['a']);
    expect((await askOf(opened.store, { ...desk, chatbotId })({ query: 'ana' })).ids).toEqual(['b']);
  });

  it('are in order on the last day that a time can name, too', async () => {
    await using opened = await open();
    const contacts = ['10', '12', '11'].map((hour) =>
      aContact({ id: hour, created_at: `9999-12-31T${hour}:00:00+00:00` }),
    );
    const desk = await aProject(opened.store);
    for (const one of contacts) await storeContacts(opened.store, desk.projectId, desk.chatbotId, [one]);
    const ask = askOf(opened.store, desk);
    expect(await findAll(ask, { query: 'ana', limit: 1 })).toEqual(['12', '11', '10']);
    expect(await findAll(ask, { query: 'ana', limit: 1, sort: 'date_asc' })).toEqual(['10', '11', '12']);
    expect((await ask({ created_before: '9999-12-31T23:59:59.5Z' })).ids).toEqual(['12', '11', '10']);
  });
});

it('two frequent words that nobody has together are sought in few questions', async () => {
  await using opened = await engines[0].open();
  const contacts = Array.from({ length: 1_000 }, (_, i) =>
    aContact({ id: String(i).padStart(4, '0'), name: i >= 800 ? 'Anatol Bernard' : 'Anabel Bertold' }),
  );
  const { projectId, chatbotId } = await aProject(opened.store, { contacts });
  let questions = 0;
  const { database } = opened;
  const counted: Pick<Database, 'all' | 'first' | 'usingIndex'> = {
    all: (query) => {
      questions++;
      return database.all(query);
    },
    first: (query) => database.first(query),
    usingIndex: (name) => database.usingIndex(name),
  };
  const search = {
    words: ['anabel', 'bernard'],
    order: 'newest',
    lower: ['', ''],
    upper: ['A', ''],
    limit: 5,
  } as const;
  expect(await searchContacts(counted, projectId, chatbotId, search)).toEqual([]);
  expect(questions).toBeLessThan(10);
});

describe('a day on which many came late', () => {
  it('is read as any other, for frequent words and rare ones, with filters and cursors', async () => {
    await using opened = await engines[0].open();
    const random = seededRandom(26);
    const words = ['Ana', 'Bo', 'Cy', 'Dora', 'Emil', 'Fay', 'Gus', 'Hal', 'Ivo', 'Jo'];
    const people = Array.from({ length: 2_600 }, (_, i) =>
      aContact({
        id: `${random.below(1e9).toString(36)}-${i}`,
        name: `${random.pick(words)} ${random.pick(words)}${i % 400 === 0 ? ' Rarissima' : ''}`,
        email: null,
        tags: i % 3 === 0 ? ['vip'] : [],
        created_at: `2026-03-01T10:00:${String(random.below(4)).padStart(2, '0')}+00:00`,
      }),
    );
    const desk = await aProject(opened.store);
    for (let from = 0; from < people.length; from += 100) {
      await storeContacts(opened.store, desk.projectId, desk.chatbotId, people.slice(from, from + 100));
    }
    const ask = askOf(opened.store, desk);
    for (const asked of [
      { query: 'a', limit: 40 },
      { query: 'ana bo', limit: 100 },
      { query: 'rariss', limit: 2 },
      { query: 'ivo rariss' },
      { query: 'dora', tag: 'vip', sort: 'date_asc' as const, limit: 7 },
      {
        query: 'gus',
        created_after: '2026-03-01T10:00:01+00:00',
        created_before: '2026-03-01T10:00:03+00:00',
        limit: 9,
      },
      { limit: 100 },
    ]) {
      expect({ asked, ids: await findAll(ask, asked) }).toEqual({ asked, ids: expected(people, asked) });
    }
  });
});
