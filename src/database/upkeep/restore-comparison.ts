import { closeSync, openSync, readSync, statSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

import { AppError } from '../../errors.ts';
import { effects } from '../../events/event.ts';
import type { Database } from '../database.ts';
import { raw, sql } from '../sql.ts';
import { openSqlite } from '../sqlite/sqlite.ts';
import { compared, typeIn } from './gone.ts';
import { migrate, readMigrations } from './migrate.ts';

export interface Comparison {
  /** `unknown`: the present database is missing or cannot be read. `unrelated`: it knows no project of the backup. */
  relation: 'compared' | 'unrelated' | 'unknown';
  /** The migrations that the present database lacked, applied to a copy. */
  migrated: string[];
}

/** Attaches the locked `present`, and notes what both know; `copy` is a free path beside it. Never in a transaction. */
export async function compareWith(database: Database, present: string, copy: string): Promise<Comparison> {
  const unknown: Comparison = { relation: 'unknown', migrated: [] };
  try {
    const migrated = await attach(database, present, copy);
    for (const table of compared) if (!(await isSound(database, table))) return unknown;
    await database.script(lineage);
    const related = await database.first<{ found: number }>(
      sql`select exists (select 1 from shared) or exists (select 1 from sign_in_secret join present.sign_in_secret using (secret)) as found`,
    );
    return { relation: related?.found === 1 ? 'compared' : 'unrelated', migrated };
  } catch (error) {
    if (error instanceof AppError) return unknown;
    throw error;
  }
}

async function isSound(database: Database, table: string): Promise<boolean> {
  const query = sql`select 1 from present.sqlite_schema where type = 'table' and name = ${table}`;
  if ((await database.first(query)) === undefined) return false;
  const [found] = await database.all<{ integrity_check: string }>(sql`pragma present.integrity_check(${raw(table)})`);
  return found?.integrity_check === 'ok';
}

/** We hold the lock, so read without one. A copy takes up the log if one was left, and is migrated if it is older. */
async function attach(database: Database, present: string, copy: string): Promise<string[]> {
  const as = (file: string) => database.run(sql`attach ${`${pathToFileURL(file).href}?immutable=1`} as present`);
  const { size = 0 } = statSync(`${present}-wal`, { throwIfNoEntry: false }) ?? {};
  if (size === 0) {
    await as(present);
    if (!(await isOlder(database, 'present'))) return [];
    await database.run(sql`detach present`);
  }
  for (const suffix of size > 0 ? ['', '-wal'] : ['']) copyElsewhere(`${present}${suffix}`, `${copy}${suffix}`);
  const migrated = await completed(copy);
  await as(copy);
  return migrated;
}

async function completed(copy: string): Promise<string[]> {
  await using database = openSqlite(copy, { create: false, writesMany: true });
  return (await isOlder(database, 'main')) ? await migrate(database) : [];
}

async function isOlder(database: Database, schema: 'main' | 'present'): Promise<boolean> {
  const table = sql`select 1 from ${raw(schema)}.sqlite_schema where type = 'table' and name = 'schema_migrations'`;
  if ((await database.first(table)) === undefined) return false;
  const last = readMigrations('sqlite').at(-1)?.name ?? '';
  const applied = sql`select 1 from ${raw(schema)}.schema_migrations where name = ${last}`;
  return (await database.first(applied)) === undefined;
}

/** Leaves `from` open: closing it would release this process's lock on the database. Throws system errors. */
function copyElsewhere(from: string, to: string): void {
  const [source, target] = [openSync(from, 'r'), openSync(to, 'wx', 0o600)];
  const chunk = Buffer.allocUnsafe(2 ** 20);
  try {
    for (let size = 0; (size = readSync(source, chunk)) > 0;) writeFileSync(target, chunk.subarray(0, size));
  } catch (error) {
    throw Object.assign(error as Error, { path: to });
  } finally {
    closeSync(target);
  }
}

// `shared`: the projects of both, with the last event of the backup that the present database has, and its time.
// `later`: what later events of the backup made, which the present database, older or diverged, never had.
// What cannot be undone, such as a revocation, counts anyway.
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
select events.project_id, subject.value, events.type
from shared join events on events.project_id = shared.project_id and events.sequence > shared.known
join json_each(coalesce(contact_ids, member_ids, json_array(coalesce(contact_id, member_id, key_id, webhook_id, chatbot_id)))) as subject
where events.${typeIn((type) => effects[type] !== null)}
  and (not events.${typeIn((type) => type === 'member.updated')} or coalesce(changed, '"roles"') like '%"roles"%')`;
