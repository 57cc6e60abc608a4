import { operator } from '../../src/actor.ts';
import { createApiKey } from '../../src/api-keys/create.ts';
import { takeOverChatbot } from '../../src/chatbots/create.ts';
import type { Database } from '../../src/database/database.ts';
import { openDatabase, storeOn } from '../../src/database/open-store.ts';
import { migrate } from '../../src/database/upkeep/migrate.ts';
import { run } from '../../src/operation.ts';
import { createProject } from '../../src/projects/create.ts';

export const chatbot = 'desk';

/** A project with one chatbot and a key that may do everything; and the table that Express writes. */
export async function prepare(url: string, projectId = 'acme'): Promise<string> {
  await using database = await openDatabase(url);
  await migrate(database);
  await database.script(peopleOf(database));
  const store = storeOn(database);
  const actor = operator(projectId);
  await run(createProject, store, actor, { name: 'Bench' });
  await run(takeOverChatbot, store, actor, { name: 'Desk', id: chatbot });
  const { output } = await run(createApiKey, store, actor, {
    name: 'bench',
    scopes: ['contacts:read', 'contacts:write', 'events:read'],
  });
  return output.token;
}

/** The plain table that a service of its own would have, with the indexes that its lists and look-ups need. */
function peopleOf({ engine }: Database): string {
  const text = engine === 'postgres' ? 'text collate "C"' : 'text';
  return `create table if not exists people (
    project_id ${text} not null, chatbot_id ${text} not null, id ${text} not null, name text, email text, phone text,
    job_title text, company text, website text, created_at ${text} not null, email_key ${text},
    primary key (project_id, chatbot_id, id)
  )${engine === 'sqlite' ? ' strict, without rowid' : ''};
  create index if not exists people_by_email on people (project_id, chatbot_id, email_key);
  create index if not exists people_by_age on people (project_id, chatbot_id, created_at, id);`;
}

/** Adds contacts within the engine. */
export async function growTo(url: string, count: number, projectId = 'acme'): Promise<void> {
  await using database = await openDatabase(url);
  const series =
    database.engine === 'postgres'
      ? `generate_series(1, ${count}) as series(i)`
      : `(with recursive series(i) as (select 1 union all select i + 1 from series where i < ${count}) select i from series)`;
  const time =
    database.engine === 'postgres'
      ? `to_char(timestamp '2024-01-01' + i * interval '7 seconds', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"')`
      : `strftime('%Y-%m-%dT%H:%M:%S+00:00', '2024-01-01', (i * 7) || ' seconds')`;
  const id = `cast((cast(i as bigint) * 740737387) % 4294967296 as text)`;
  if (database.engine === 'sqlite') await database.script('pragma cache_size = -500000');
  await database.script(`insert into contacts (project_id, chatbot_id, id, name, email, phone, company, created_at, email_key)
    select '${projectId}', '${chatbot}', ${id}, 'Person ' || i, 'person' || i || '@example.com', '+1 555 0100',
      'Example Ltd', ${time}, 'person' || i || '@example.com' from ${series}`);
  if (database.engine === 'postgres') await database.script('vacuum analyze contacts');
  else {
    await database.script(`update chatbots set contacts_added = ${count} where project_id = '${projectId}'`);
    await database.script('pragma wal_checkpoint(truncate)');
  }
}

/** Lua for wrk: creates with an e-mail of their own. */
export function creates(token: string): string {
  return `
wrk.headers['Authorization'] = 'Bearer ${token}'
wrk.headers['Content-Type'] = 'application/json'
local n = 0
function init() math.randomseed(os.time()) end
function request()
  n = n + 1
  local body = string.format('{"properties":{"name":"Person %d","email":"p%d-%d@example.com","phone":"+1 555 0100","company":"Example Ltd"}}', n, n, math.random(1, 1000000000))
  return wrk.format('POST', '/v2/chatbots/${chatbot}/contacts', nil, body)
end`;
}
