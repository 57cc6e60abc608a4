import { expect, it } from 'vitest';

import { sql } from '../../src/database/sql.ts';
import { engines } from '../support/engines.ts';
import { aContact, aProject } from '../support/people.ts';
import { askOf } from '../support/searches.ts';

const at = '2026-01-01T00:00:00+00:00';

// Databases that older programs have indexed: old-databases.test.ts.
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
