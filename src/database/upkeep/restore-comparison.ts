import * as fs from 'node:fs';
import { pathToFileURL } from 'node:url';

import { AppError } from '../../errors.ts';
import type { Database } from '../database.ts';
import { raw, sql } from '../sql.ts';
import { openSqlite } from '../sqlite/sqlite.ts';

/** Name under which the present database is attached to the backup. */
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
 * Attaches the locked present database, and lists in temporary tables what it no longer has. `copy` is a free path beside
 * it, needed if its last process was killed. Must not run in a transaction.
 */
export async function compareWith(database: Database, present: string, copy: string): Promise<Relation> {
  try {
    await attach(database, present, copy);
    for (const table of compared) if (!(await isSound(database, table))) return 'unknown';
    await database.script(lineage);
    const related = await database.first<{ found: number }>(
      sql`select exists (select 1 from shared) or exists (select 1 from sign_in_secret join present.sign_in_secret using (secret)) as found`,
    );
    if (related?.found !== 1) return 'unrelated';
    await database.script(gone);
    return 'compared';
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
 * Projects in both, with the last event of the backup that the present database has. If it lacks later events of the backup,
 * the present database is older or diverged, and never had what those events made. What cannot be undone, such as a
 * revocation, counts anyway.
 */
const lineage = `
create temp table shared as
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
from projects as mine join present.projects as theirs on theirs.id = mine.id and theirs.created_at = mine.created_at;

create temp table later (project_id text, id text, type text, primary key (project_id, id, type)) without rowid;

insert or ignore into later
select events.project_id, subject.value, events.type
from shared join events on events.project_id = shared.project_id and events.sequence > shared.known
join json_each(coalesce(contact_ids, member_ids, json_array(coalesce(contact_id, member_id, key_id, chatbot_id)))) as subject
where events.type in ('contact.created', 'contact.restored', 'chatbot.created')
  or events.type like 'key.%'
  or events.type like 'member.%' and coalesce(changed, '') not in ('["sessions"]', '["sign_in_link"]');

insert or ignore into later
select events.project_id, member_id, 'member.updated'
from shared join events on events.project_id = shared.project_id and events.sequence > shared.known
where events.type = 'owner.transferred';`;

const gone = `
create temp table gone_projects as
select id from projects
where id not in (select project_id from shared) and created_at <= coalesce((
  select min(coalesce(occurred_at, '')) from shared
  left join events on events.project_id = shared.project_id and events.sequence = shared.known
  where known < last_event
), '9999');

create temp table gone_chatbots (project_id text, id text, primary key (project_id, id)) without rowid;

insert into gone_chatbots
select project_id, id from chatbots as mine
where project_id in (select id from gone_projects) or (
  project_id in (select project_id from shared)
  and not exists (select 1 from present.chatbots where project_id = mine.project_id and id = mine.id)
  and not exists (select 1 from later where project_id = mine.project_id and id = mine.id and type = 'chatbot.created')
);

create temp table gone_contacts (
  project_id text, chatbot_id text, id text, fate text, deleted_at text, primary key (project_id, chatbot_id, id)
) without rowid;

insert or ignore into gone_contacts
select mine.project_id, mine.chatbot_id, mine.id,
  case when lost.id is not null then 'chatbot' when bin.id is null then 'purged' else 'deleted' end, bin.deleted_at
from (
  select project_id, chatbot_id, id, true as is_living from contacts
  union all select project_id, chatbot_id, id, false from deleted_contacts
) as mine
left join gone_chatbots as lost on lost.project_id = mine.project_id and lost.id = mine.chatbot_id
left join present.deleted_contacts as bin
on bin.project_id = mine.project_id and bin.chatbot_id = mine.chatbot_id and bin.id = mine.id
where lost.id is not null or (
  mine.project_id in (select project_id from shared) and (is_living or bin.id is null)
  and not exists (
    select 1 from present.contacts
    where project_id = mine.project_id and chatbot_id = mine.chatbot_id and id = mine.id
  )
  and not exists (
    select 1 from later where project_id = mine.project_id and id = mine.id
      and (type = 'contact.created' or bin.id is not null and type = 'contact.restored')
  )
);

create temp table gone_invitations as
select mine.project_id, mine.member_id from invitations as mine join shared using (project_id)
where exists (select 1 from present.members where project_id = mine.project_id and id = mine.member_id)
  and not exists (
    select 1 from present.invitations where project_id = mine.project_id and member_id = mine.member_id
      and token_hash = mine.token_hash and expires_at >= mine.expires_at
  )
  and not exists (
    select 1 from later where project_id = mine.project_id and id = mine.member_id and type like 'member.%'
  );

create temp table gone_passkeys as
select mine.project_id, mine.id from passkeys as mine join shared using (project_id)
left join events on events.project_id = shared.project_id and events.sequence = shared.known
where (known = last_event or mine.created_at <= coalesce(occurred_at, ''))
  and exists (select 1 from present.members where project_id = mine.project_id and id = mine.member_id)
  and not exists (
    select 1 from present.passkeys where project_id = mine.project_id and credential_id = mine.credential_id
  );

create temp table changed_keys as
select mine.project_id, mine.id, mine.scopes, mine.expires_at, theirs.scopes as scopes_now,
  theirs.expires_at as expires_now, theirs.revoked_at as revoked_now,
  case when mine.replaced_by is null then theirs.replaced_by end as replaced_now
from shared join api_keys as mine using (project_id)
left join present.api_keys as theirs on theirs.project_id = mine.project_id and theirs.id = mine.id
where mine.revoked_at is null and (
  theirs.id is null or theirs.revoked_at is not null or theirs.scopes <> mine.scopes
  or theirs.expires_at is not mine.expires_at or theirs.replaced_by is not mine.replaced_by
) and (
  coalesce(theirs.revoked_at, theirs.replaced_by) is not null
  or not exists (select 1 from later where project_id = mine.project_id and id = mine.id and type like 'key.%')
);

create temp table changed_members as
select mine.project_id, mine.id, mine.roles, theirs.roles as now,
  (select id from present.members where project_id = mine.project_id and position = 0) as owner_now
from shared join members as mine using (project_id)
left join present.members as theirs on theirs.project_id = mine.project_id and theirs.id = mine.id
where (theirs.id is null or theirs.roles <> mine.roles)
  and not exists (
    select 1 from later where project_id = mine.project_id and id = mine.id
      and (type in ('member.invited', 'member.activated') or theirs.id is not null and type = 'member.updated')
  )
order by mine.position;`;
