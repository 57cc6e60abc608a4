import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { createContact } from '../../src/contacts/create.ts';
import { updateContact } from '../../src/contacts/update.ts';
import { openDatabase, storeOn } from '../../src/database/open-store.ts';
import { searchIndexState } from '../../src/database/search/status.ts';
import { sql } from '../../src/database/sql.ts';
import { migrate, readMigrations } from '../../src/database/upkeep/migrate.ts';
import { run } from '../../src/operation.ts';
import { engines, type Place, postgresDatabase, sqliteFile } from '../support/engines.ts';
import { aContact, aProject } from '../support/people.ts';
import { askOf, type Desk } from '../support/searches.ts';

const places: { engine: string; place: () => Promise<Place> }[] = [
  { engine: 'SQLite', place: async () => sqliteFile() },
  { engine: 'PostgreSQL', place: () => postgresDatabase('template0') },
];

const at = '2026-01-01T00:00:00+00:00';
const untilTermsOfChatbots = 9;

/** What the index had of contacts that are named by one word: the first of 2026-01-01 on SQLite. */
const indexedBefore = {
  sqlite: `
    update contacts set search_key = 20454 * 33554432 + (id = 'second');
    insert into indexed_contacts (search_key, contact_id) select search_key, id from contacts;
    insert into contact_words (rowid, words) select search_key, '~0123456789ab ' || lower(name) from contacts;`,
  postgres: `update contacts set search_key = array_to_tsvector(array['~0123456789ab', lower(name)]);`,
};

describe.each(places)('a database whose index has terms without their chatbots, on $engine', ({ place }) => {
  it('is not searched until all are indexed anew, and then finds them, by creation and id, and what changes', async () => {
    await using old = await place();
    await using database = await openDatabase(old.url);
    await migrate(database, readMigrations(database.engine).slice(0, untilTermsOfChatbots));
    const desk = { projectId: 'acme', chatbotId: 'desk' };
    await database.run(sql`insert into projects (id, name, created_at) values ('acme', 'Acme', ${at})`);
    await database.run(sql`insert into chatbots (project_id, id, name, created_at)
      values ('acme', 'desk', 'Desk', ${at})`);
    for (const [id, name] of Object.entries({ first: 'Ana', second: 'Bo' })) {
      await database.run(sql`insert into contacts (project_id, chatbot_id, id, name, created_at, updated_at)
        values ('acme', 'desk', ${id}, ${name}, ${at}, ${at})`);
    }
    await database.script(indexedBefore[database.engine]);
    await database.run(sql`insert into contacts (project_id, chatbot_id, id, name, created_at, updated_at)
      values ('acme', 'desk', 'zero', 'Zoe', '2025-01-01T00:00:00+00:00', ${at})`);
    await migrate(database);
    const store = storeOn(database);
    const ask = askOf(store, desk as Desk);
    await expect(ask({ query: 'bo' })).rejects.toMatchObject({ code: 'unavailable' });
    expect(await store.upkeep.unindexedProjects()).toEqual(['acme']);
    for (const indexed of [2, 1, 0]) expect(await store.upkeep.indexContacts('acme', 2)).toBe(indexed);
    expect(await searchIndexState(database)).toEqual({ isMissing: false, isOtherFolding: false, unindexed: 0 });
    expect((await ask({ query: 'bo' })).ids).toEqual(['second']);
    const change = { chatbotId: 'desk', contactId: 'second', properties: { name: 'Cy' } };
    await run(updateContact, store, operator('acme'), change);
    expect((await ask({ query: 'bo' })).ids).toEqual([]);
    expect((await ask({ query: 'cy' })).ids).toEqual(['second']);
    await run(createContact, store, operator('acme'), { chatbotId: 'desk', properties: { name: 'New' } });
    expect((await ask({})).ids.slice(1)).toEqual(['second', 'first', 'zero']);
  });
});

it('whom a program of the version before writes on PostgreSQL is found once the job has indexed them', async () => {
  await using opened = await engines[1].open();
  const { database, store } = opened;
  const desk = await aProject(store, { contacts: [aContact({ id: 'known', name: 'Ana', email: null })] });
  const ask = askOf(store, desk);
  const writeAsBefore = (id: string, name: string) =>
    database.run(sql`insert into contacts (project_id, chatbot_id, id, name, created_at, search_key)
      select project_id, chatbot_id, id, name, created_at, search_key
      from unnest(array[${desk.projectId}], array[${desk.chatbotId}], array[${id}], array[${name}], array[${at}],
        cast(array[${`~k3f ~k3f${name.toLowerCase()} ~k3f~0123456789ab`}] as tsvector[])
      ) as given (project_id, chatbot_id, id, name, created_at, search_key)
      on conflict (project_id, chatbot_id, id) do update set name = excluded.name, search_key = excluded.search_key`);
  for (const [id, name] of [
    ['new', 'Bo'],
    ['known', 'Cy'],
  ] as const) {
    await writeAsBefore(id, name);
    await expect(ask({ query: name })).rejects.toMatchObject({ code: 'unavailable' });
    expect(await store.upkeep.indexContacts(desk.projectId, 10)).toBe(1);
    expect((await ask({ query: name })).ids).toEqual([id]);
  }
  expect((await ask({ query: 'ana' })).ids).toEqual([]);
  // Its job, which would index the same contacts without end, is never due.
  expect(await database.all(sql`select name from jobs where name = 'index-contacts'`)).toEqual([]);
});

it('a program does not index where a newer one has made the index', async () => {
  for (const { open } of engines) {
    await using opened = await open();
    const { projectId } = await aProject(opened.store, { contacts: [aContact({ id: 'one' })] });
    await opened.database.run(sql`update contacts set search_key = null where project_id = ${projectId}`);
    await opened.database.run(sql`update search_state set folding = folding + 1`);
    try {
      expect(await opened.store.upkeep.indexContacts(projectId, 1)).toBe(0);
    } finally {
      await opened.database.run(sql`update search_state set folding = folding - 1`);
    }
  }
});

it('a look for contacts to index steps from project to project on SQLite, and reads no others', async () => {
  await using opened = await engines[0].open();
  const { database, store } = opened;
  for (const id of ['acme', 'beta', 'gamma', 'zeta']) {
    const desk = await aProject(store, {
      id,
      contacts: [aContact({ id: 'one' }), aContact({ id: 'two', email: null })],
    });
    if (id === 'beta') continue;
    await database.run(sql`update contacts set search_key = null where project_id = ${desk.projectId} and id = 'two'`);
  }
  expect(await store.upkeep.unindexedProjects()).toEqual(['acme', 'gamma', 'zeta']);
  // A service does it in the process that answers: reading a million would stop it for seconds.
  const plan = await database.all<{ detail: string }>(
    sql`explain query plan select project_id from unindexed_projects order by project_id limit ${100}`,
  );
  expect(plan.map(({ detail }) => detail).filter((detail) => detail.includes('contacts'))).toEqual([
    'SEARCH contacts USING INDEX contacts_unindexed',
    'SEARCH contacts USING INDEX contacts_unindexed (project_id>?)',
  ]);
});
