import * as fs from 'node:fs';
import { pathToFileURL } from 'node:url';

import { AppError } from '../../errors.ts';
import type { Database } from '../database.ts';
import { raw, sql } from '../sql.ts';
import { openSqlite } from '../sqlite/sqlite.ts';

const compared = [
  'projects',
  'chatbots',
  'members',
  'contacts',
  'deleted_contacts',
  'api_keys',
  'events',
  'invitations',
  'passkeys',
  'sign_in_secret',
];

/** `unknown`: the present database is missing or cannot be read. `unrelated`: it knows no project of the backup. */
export type Relation = 'compared' | 'unrelated' | 'unknown';

/**
 * Attaches the locked present database as `present`, and notes in temporary tables what both databases know. `copy` is a free
 * path beside it, needed if its last process was killed. Must not run in a transaction.
 */
export async function compareWith(database: Database, present: string, copy: string): Promise<Relation> {
  try {
    await attach(database, present, copy);
    for (const table of compared) if (!(await isSound(database, table))) return 'unknown';
    await database.script(lineage);
    const related = await database.first<{ found: number }>(
      sql`select exists (select 1 from shared) or exists (select 1 from sign_in_secret join present.sign_in_secret using (secret)) as found`,
    );
    return related?.found === 1 ? 'compared' : 'unrelated';
  } catch (error) {
    if (error instanceof AppError) return 'unknown';
    throw error;
  }
}

/** False if an older schema lacks the table. */
async function isSound(database: Database, table: string): Promise<boolean> {
  const query = sql`select 1 from present.sqlite_schema where type = 'table' and name = ${table}`;
  if ((await database.first(query)) === undefined) return false;
  const [found] = await database.all<{ integrity_check: string }>(sql`pragma present.integrity_check(${raw(table)})`);
  return found?.integrity_check === 'ok';
}

/** We hold the lock, so read without one. If a log was left, read a copy that has taken it up. */
async function attach(database: Database, present: string, copy: string): Promise<void> {
  const { size = 0 } = fs.statSync(`${present}-wal`, { throwIfNoEntry: false }) ?? {};
  if (size > 0) {
    for (const suffix of ['', '-wal']) {
      fs.copyFileSync(`${present}${suffix}`, `${copy}${suffix}`, fs.constants.COPYFILE_FICLONE);
    }
    await openSqlite(copy, { create: false })[Symbol.asyncDispose]();
  }
  await database.run(sql`attach ${`${pathToFileURL(size > 0 ? copy : present).href}?immutable=1`} as present`);
}

/**
 * `shared` has the projects in both, with the last event of the backup that the present database has, and its time. If it lacks
 * later events of the backup, the present database is older or diverged, and never had what those events made: they are in
 * `later`. What cannot be undone, such as a revocation, counts anyway.
 */
const lineage = `
create temp table shared as
select project_id, known, case known when last_event then '9999' else coalesce(
  (select occurred_at from events where events.project_id = pairs.project_id and sequence = known), ''
) end as known_at
from (
  select mine.id as project_id, mine.last_event, case
    when theirs.last_event >= mine.last_event and not exists (
      select 1 from events join present.events as other
      on other.project_id = events.project_id and other.sequence = events.sequence
      where events.project_id = mine.id and events.sequence = mine.last_event and other.id <> events.id
    ) then mine.last_event
    else coalesce((
      select events.sequence from events join present.events as other
      on other.project_id = events.project_id and other.sequence = events.sequence and other.id = events.id
      where events.project_id = mine.id order by events.sequence desc limit 1
    ), 0) end as known
  from projects as mine join present.projects as theirs on theirs.id = mine.id and theirs.created_at = mine.created_at
) as pairs;

create temp table later (project_id text, id text, type text, primary key (project_id, id, type)) without rowid;

insert or ignore into later
select events.project_id, subject.value, case events.type when 'owner.transferred' then 'member.updated' else events.type end
from shared join events on events.project_id = shared.project_id and events.sequence > shared.known
join json_each(coalesce(contact_ids, member_ids, json_array(coalesce(contact_id, member_id, key_id, chatbot_id)))) as subject
where events.type in ('contact.created', 'contact.restored', 'chatbot.created', 'owner.transferred')
  or events.type like 'key.%'
  or events.type like 'member.%' and coalesce(changed, '') not in ('["sessions"]', '["sign_in_link"]');`;
