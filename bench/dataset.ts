import { contactFields } from '../src/contacts/contact.ts';
import type { Database } from '../src/database/database.ts';
import { storeOn } from '../src/database/open-store.ts';
import { migrate } from '../src/database/upkeep/migrate.ts';
import { createApiKey, createProject, storeMembers } from '../test/support/people.ts';
import { chatbots, keysPerProject, members, projects } from './people.ts';

/** Fills an empty database with the people of people.ts, members and keys; returns the tokens, two a project. */
export async function fill(database: Database, contacts: number): Promise<string[]> {
  await prepare(database);
  const store = storeOn(database);
  const tokens: string[] = [];
  for (let project = 0; project < projects; project++) {
    await storeMembers(store, String(project), members);
    for (let key = 0; key < keysPerProject; key++) {
      tokens.push((await createApiKey(store, String(project), { name: `bench ${key}` })).token);
    }
  }
  await grow(database, 1, contacts);
  return tokens;
}

const series = {
  postgres: (from: number, to: number) => `generate_series(${from}, ${to}) as series(i)`,
  sqlite: (from: number, to: number) =>
    `(with recursive series(i) as (select ${from} union all select i + 1 from series where i < ${to}) select i from series)`,
};

function asText(expression: string): string {
  return `cast(${expression} as text)`;
}

/** Adds the contacts from number `from` to number `to`, within the engine. */
export async function grow(database: Database, from: number, to: number): Promise<void> {
  const step = 500_000;
  // Rows in no order would have the default of 2 MB read and write the same pages over and over.
  if (database.engine === 'sqlite') await database.script('pragma cache_size = -2000000');
  for (let at = from; at <= to; at += step) {
    await database.script(`insert into contacts (project_id, chatbot_id, ${contactFields.join(', ')}, email_key)
      select ${asText(`i % ${projects}`)}, ${asText(`i % ${chatbots}`)}, ${asText('(cast(i as bigint) * 740737387) % 4294967296')},
        'Person ' || i, 'person' || i || '@example.com', 'Engineer', '+1 555 0100', 'https://example.com/' || i,
        'Example Ltd', '2024-06-08T13:38:33+00:00', 'person' || i || '@example.com'
      from ${series[database.engine](at, Math.min(to, at + step - 1))}`);
  }
  if (database.engine === 'postgres') {
    await database.script('vacuum analyze contacts');
    await database.script('checkpoint');
  } else {
    // Otherwise its size is still in the log.
    await database.script('pragma wal_checkpoint(truncate); pragma cache_size = -2000; pragma shrink_memory');
  }
}

/** The schema, the projects and their chatbots. */
export async function prepare(database: Database): Promise<void> {
  await migrate(database);
  for (let i = 0; i < projects; i++) await createProject(storeOn(database), { name: 'P', id: String(i) });
  await database.script(`insert into chatbots (project_id, id, name, created_at)
    select distinct cast(i % ${projects} as text), cast(i as text), 'B', '2024-06-08T13:38:33+00:00'
    from ${series[database.engine](0, chatbots - 1)}`);
}
