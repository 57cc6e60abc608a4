import { effects, type EventType, eventTypes } from '../../events/event.ts';
import { type Noun, nounOf } from '../../events/patterns.ts';
import type { Database } from '../database.ts';
import { sql } from '../sql.ts';

type Columns<Name extends string, Value = string> = Record<Name, Value>;

/** A key of the backup; `…_now` is the present state, null if it is gone. */
export type ChangedKey = Columns<'project_id' | 'id' | 'scopes'> &
  Columns<'expires_at' | 'scopes_now' | 'expires_now' | 'replaced_now' | 'revoked_now', string | null>;

/** `roles_now` is null if the member was removed; `owner_now` names the member of the backup who is the Owner now. */
export type ChangedMember = Columns<'project_id' | 'id' | 'roles'> & Columns<'roles_now' | 'owner_now', string | null>;

export type ChangedWebhook = Columns<'project_id' | 'id'> & { kind: 'deleted' | 'disabled' | 'rotated' | 'changed' };

/** A table whose rows a restore must not revive. In its SQL `mine` is a row of the backup, `theirs` the present one. */
interface Kind {
  table: string;
  /** The column that names a row in its project, and its subject in `later`. */
  key: string;
  now?: string;
  /** Whether the row is gone, or allows less. */
  isGone: string;
  /** A condition on later events of the backup: if one holds, the present database never had this row. */
  unless: string;
}

export function typeIn(isMeant: (type: EventType) => boolean): string {
  const types = eventTypes.filter(isMeant).map((type) => `'${type}'`);
  return `type in (${types.join()})`;
}

/** An event of these nouns made the row, or allowed again what the present one has. */
function madeOrAllowed(nouns: readonly Noun[], theirs = 'theirs'): string {
  const has = (effect: string) => typeIn((type) => effects[type] === effect && nouns.includes(nounOf(type)));
  return `${has('makes')} or ${theirs}.id is not null and ${has('allows')}`;
}

const memberIsThere =
  'exists (select 1 from present.members where project_id = mine.project_id and id = mine.member_id)';

const kinds = {
  chatbots: { table: 'chatbots', key: 'id', isGone: 'theirs.id is null', unless: madeOrAllowed(['chatbot']) },
  invitations: {
    table: 'invitations',
    key: 'member_id',
    isGone: `${memberIsThere} and not (theirs.token_hash is mine.token_hash and theirs.expires_at >= mine.expires_at)`,
    unless: typeIn((type) => type === 'member.invited'),
  },
  passkeys: {
    table: 'passkeys',
    key: 'credential_id',
    isGone: `${memberIsThere} and theirs.id is null and mine.created_at <= known_at`,
    unless: 'false',
  },
  keys: {
    table: 'api_keys',
    key: 'id',
    now: `, theirs.scopes as scopes_now, theirs.expires_at as expires_now, theirs.revoked_at as revoked_now,
      case when mine.replaced_by is null then theirs.replaced_by end as replaced_now`,
    isGone: `mine.revoked_at is null and (
      theirs.id is null or theirs.revoked_at is not null or theirs.scopes <> mine.scopes
      or theirs.expires_at is not mine.expires_at or theirs.replaced_by is not mine.replaced_by
    )`,
    unless: `${madeOrAllowed(['key'])} and coalesce(theirs.revoked_at, theirs.replaced_by) is null`,
  },
  webhooks: {
    table: 'webhooks',
    key: 'id',
    now: `, case when theirs.id is null then 'deleted'
      when theirs.disabled_reason is not null and mine.disabled_reason is null then 'disabled'
      when theirs.secret <> mine.secret then 'rotated' else 'changed' end as kind`,
    isGone: `theirs.id is null or theirs.secret <> mine.secret or theirs.url <> mine.url or theirs.events <> mine.events
      or theirs.payload <> mine.payload or theirs.chatbot_ids is not mine.chatbot_ids
      or theirs.disabled_reason is not null and mine.disabled_reason is null`,
    unless: madeOrAllowed(['webhook']),
  },
} satisfies Record<string, Kind>;

/** Tables of the present database that a restore reads. */
export const compared = [
  ...Object.values(kinds).map(({ table }) => table),
  ...'projects members contacts deleted_contacts merged_contacts events sign_in_secret'.split(' '),
];

/** Matches by e-mail if migrating the backup has just given members their ids. */
const members = (key: 'id' | 'email_key'): Kind => ({
  table: 'members',
  key,
  now: `, theirs.roles as roles_now, (
      select own.id from present.members as owner
      join members as own on own.project_id = owner.project_id and own.${key} = owner.${key}
      where owner.project_id = mine.project_id and owner.position = 0
    ) as owner_now`,
  isGone: 'theirs.roles is not mine.roles',
  // A later invitation or activation may be of a member whom the present database had, and has removed.
  unless: `(${madeOrAllowed(['member', 'owner'])}) and not exists (
      select 1 from present.events where project_id = mine.project_id and member_id = mine.id
        and ${typeIn((type) => type === 'member.removed')}
    )`,
});

function rowsOf({ table, key, now = '', isGone, unless }: Kind): string {
  return `select mine.*${now} from shared join ${table} as mine using (project_id)
    left join present.${table} as theirs on theirs.project_id = mine.project_id and theirs.${key} = mine.${key}
    where (${isGone}) and not exists (
      select 1 from later where later.project_id = mine.project_id and later.id = mine.${key} and (${unless})
    )`;
}

const whole = `
create temp table gone_projects as
select id from projects
where id not in (select project_id from shared)
  and created_at <= coalesce((select min(known_at) from shared), '9999');

create temp table gone_chatbots (project_id text, id text, primary key (project_id, id)) without rowid;

insert into gone_chatbots select project_id, id from (${rowsOf(kinds.chatbots)})
union select project_id, id from chatbots where project_id in (select id from gone_projects);

create temp table gone_contacts (
  project_id text, chatbot_id text, id text, fate text, deleted_at text, primary key (project_id, chatbot_id, id)
) without rowid;

insert or ignore into gone_contacts
select mine.project_id, mine.chatbot_id, mine.id,
  case when lost.id is not null then 'chatbot' when bin.id is null then 'purged' else 'deleted' end, bin.deleted_at
from (
  select project_id, chatbot_id, id, true as is_living from contacts
  union all select project_id, chatbot_id, id, false from deleted_contacts
  union all select project_id, chatbot_id, id, false from merged_contacts
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
    select 1 from present.merged_contacts
    where project_id = mine.project_id and chatbot_id = mine.chatbot_id and id = mine.id
  )
  and not exists (
    select 1 from later where project_id = mine.project_id and id = mine.id
      and (${madeOrAllowed(['contact', 'contacts'], 'bin')})
  )
);`;

/** Rows that the database attached by `compareWith` lacks or allows less; contacts stay in table `gone_contacts`. */
export async function findGone(database: Database, memberKey: 'id' | 'email_key') {
  await database.script(whole);
  const counted = await database.all<{ fate: string; number: number }>(
    sql`select fate, count(*) as number from gone_contacts group by fate`,
  );
  const number = (fate: string) => counted.find((one) => one.fate === fate)?.number ?? 0;
  const rows = <Row>(query: string) => database.all<Row>({ pieces: [query], values: [] });
  return {
    projects: await rows<Columns<'id'>>('select id from gone_projects'),
    chatbots: await rows<Columns<'project_id' | 'id'>>('select project_id, id from gone_chatbots'),
    contacts: { purged: number('purged'), deleted: number('deleted') },
    invitations: await rows<Columns<'project_id' | 'member_id'>>(rowsOf(kinds.invitations)),
    passkeys: await rows<Columns<'project_id' | 'id'>>(rowsOf(kinds.passkeys)),
    keys: await rows<ChangedKey>(rowsOf(kinds.keys)),
    webhooks: await rows<ChangedWebhook>(rowsOf(kinds.webhooks)),
    // The Owner first.
    members: await rows<ChangedMember>(`${rowsOf(members(memberKey))} order by mine.project_id, mine.position`),
  };
}
