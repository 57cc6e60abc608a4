import type { Role, StoredMember } from '../../members/member.ts';
import { nextRevision } from '../../revision.ts';
import { formatTimestamp } from '../../values/timestamp.ts';
import { chatbotWrites } from '../chatbots.ts';
import { contactsUnder } from '../contact-keys.ts';
import { contactWrites } from '../contacts.ts';
import type { Database, Transaction } from '../database.ts';
import { memberWrites } from '../members.ts';
import { projectWrites } from '../projects.ts';
import { emptySearchIndex, searchIndexState } from '../search/status.ts';
import { sql } from '../sql.ts';
import { webhookWrites } from '../webhooks.ts';
import { type ChangedMember, type ChangedWebhook, findGone } from './gone.ts';
import { narrowedKey, rolesLeft } from './narrowed.ts';

const givesMembersIds = '0003-events';

export type TakenAway = ReturnType<typeof counted>;

/** With `asItWas` it only counts. `migrated`: the migrations that the backup or the attached database lacked. */
export async function takeAway(database: Database, migrated: readonly string[], asItWas: boolean): Promise<TakenAway> {
  const gone = await findGone(database, migrated.includes(givesMembersIds) ? 'email_key' : 'id');
  const now = formatTimestamp(new Date());
  const keys = gone.keys.flatMap((key) => narrowedKey(key, now) ?? []);
  const members = gone.members.filter((one) => one.roles_now === null || rolesLeft(one).join() !== one.roles);
  const taken = counted({ ...gone, keys, members });
  if (asItWas || Object.values(taken).every((number) => number === 0)) return taken;
  await takeContacts(database);
  await database.transaction(async (connection) => {
    for (const { project_id: projectId, member_id: memberId } of gone.invitations)
      await connection.run(sql`delete from invitations where project_id = ${projectId} and member_id = ${memberId}`);
    for (const { project_id: projectId, id } of gone.passkeys)
      await connection.run(sql`delete from passkeys where project_id = ${projectId} and id = ${id}`);
    for (const key of keys) await narrowKey(connection, key);
    for (const member of members) await changeMember(connection, member);
    for (const webhook of gone.webhooks) await changeWebhook(connection, webhook);
    for (const { project_id: projectId, id } of gone.chatbots) await chatbotWrites(connection).delete(projectId, id);
    for (const { id } of gone.projects) await projectWrites(connection).delete(id);
  });
  await leaveNoTrace(database);
  return taken;
}

type NarrowedKey = NonNullable<ReturnType<typeof narrowedKey>>;
type Gone = Omit<Awaited<ReturnType<typeof findGone>>, 'keys'> & { keys: readonly NarrowedKey[] };

function counted({ projects, chatbots, contacts, members, invitations, passkeys, keys, webhooks }: Gone) {
  const lost = new Set(projects.map(({ id }) => id));
  const keysOf = (kind: NarrowedKey['kind']) => keys.filter((key) => key.kind === kind).length;
  const webhooksOf = (kind: ChangedWebhook['kind']) => webhooks.filter((webhook) => webhook.kind === kind).length;
  return {
    projects: projects.length,
    chatbots: chatbots.filter(({ project_id: projectId }) => !lost.has(projectId)).length,
    contacts_purged: contacts.purged,
    contacts_deleted: contacts.deleted,
    members: members.filter(({ roles_now: roles }) => roles === null).length,
    roles: members.filter(({ roles_now: roles }) => roles !== null).length,
    invitations: invitations.length,
    passkeys: passkeys.length,
    keys_revoked: keysOf('revoked'),
    keys_narrowed: keysOf('narrowed'),
    keys_rotated: keysOf('rotated'),
    webhooks_deleted: webhooksOf('deleted'),
    webhooks_disabled: webhooksOf('disabled'),
    webhooks_rotated: webhooksOf('rotated'),
    webhooks_changed: webhooksOf('changed'),
  };
}

/** SQLite overwrites freed pages, but moved pages may leave copies, and segments of the index may keep words. */
async function leaveNoTrace(database: Database): Promise<void> {
  await database.script("insert into contact_words (contact_words) values ('optimize')");
  await database.script('vacuum');
}

async function narrowKey(connection: Transaction, key: NarrowedKey): Promise<void> {
  await connection.run(
    sql`update api_keys set scopes = ${key.scopes}, expires_at = ${key.expires_at}, revoked_at = ${key.revoked_at},
        replaced_by = coalesce(replaced_by, ${key.replaced_by})
      where project_id = ${key.project_id} and id = ${key.id}`,
  );
}

async function changeMember(connection: Transaction, changed: ChangedMember): Promise<void> {
  const { project_id: projectId, id, owner_now: ownerNow } = changed;
  const writes = memberWrites(connection);
  const found = await writes.findForWriting(projectId, { ids: [id, ...(ownerNow === null ? [] : [ownerNow])] });
  const [member, successor] = [id, ownerNow].map((sought) => found.find((one) => one.id === sought));
  if (!member) return;
  const after = withRoles(member, rolesLeft(changed));
  if (changed.roles.startsWith('Owner')) {
    if (successor?.status === 'Active') {
      const others = successor.roles.filter((role) => role !== 'Admin');
      await writes.handOver(projectId, after, withRoles(successor, ['Owner', ...others]));
    } else await dismissOwner(connection, projectId, after);
  } else if (changed.roles_now !== null) await writes.save(projectId, [after]);
  if (changed.roles_now === null) await writes.remove(projectId, id);
}

/** Copies URL, secret, filters and payload of the present webhook. It stays disabled if either of the two is. */
async function changeWebhook(connection: Transaction, { project_id, id, kind }: ChangedWebhook): Promise<void> {
  if (kind === 'deleted') return webhookWrites(connection).delete(project_id, id);
  // Keep the backup's maker only if nothing else differs: another maker may see more.
  const isSame = sql`(webhooks.url, webhooks.events, webhooks.payload) = (theirs.url, theirs.events, theirs.payload)
    and webhooks.chatbot_ids is theirs.chatbot_ids`;
  await connection.run(
    sql`update webhooks set (url, events, payload, chatbot_ids, secret, old_secret, old_secret_until, disabled_reason,
          created_by_type, created_by_id) = (
        select theirs.url, theirs.events, theirs.payload, theirs.chatbot_ids, theirs.secret, theirs.old_secret,
          theirs.old_secret_until, coalesce(webhooks.disabled_reason, theirs.disabled_reason),
          iif(${isSame}, webhooks.created_by_type, theirs.created_by_type),
          iif(${isSame}, webhooks.created_by_id, theirs.created_by_id)
        from present.webhooks as theirs where theirs.project_id = webhooks.project_id and theirs.id = webhooks.id
      ), revision = max(revision + 1, ${nextRevision()})
      where project_id = ${project_id} and id = ${id}`,
  );
}

function withRoles(member: StoredMember, roles: Role[]): StoredMember {
  return { ...member, roles, revision: nextRevision(member.revision) };
}

/** Leaves the project without an Owner, as the new one joined after the backup. */
async function dismissOwner(connection: Transaction, projectId: string, after: StoredMember): Promise<void> {
  await connection.run(sql`update projects set is_deleted = 1 where id = ${projectId}`);
  await connection.run(sql`delete from members where project_id = ${projectId} and position = 0`);
  await connection.run(sql`update projects set is_deleted = 0 where id = ${projectId}`);
  await memberWrites(connection).save(projectId, [after]);
}

interface GoneContact {
  project_id: string;
  chatbot_id: string;
  id: string;
  fate: 'purged' | 'deleted' | 'chatbot';
  deleted_at: string | null;
}

const contactsOfStep = 500;

async function takeContacts(database: Database): Promise<void> {
  const { isMissing, isOtherFolding } = await searchIndexState(database);
  if (isMissing || isOtherFolding) await emptySearchIndex(database);
  let last: GoneContact | undefined;
  do {
    const step = await database.all<GoneContact>(
      sql`select project_id, chatbot_id, id, fate, deleted_at from gone_contacts
        where (project_id, chatbot_id, id) > (${last?.project_id ?? ''}, ${last?.chatbot_id ?? ''}, ${last?.id ?? ''})
        order by project_id, chatbot_id, id limit ${contactsOfStep}`,
    );
    last = step.at(-1);
    await database.transaction(async (connection) => {
      const contacts = contactWrites(connection, 1);
      const groups = Map.groupBy(step, (one) => JSON.stringify([one.project_id, one.chatbot_id, one.deleted_at]));
      for (const group of groups.values()) {
        const { project_id: projectId, chatbot_id: chatbotId, deleted_at: deletedAt, fate } = group[0] as GoneContact;
        const ids = group.map(({ id }) => id);
        if (fate === 'deleted') {
          const live = await contactsUnder(connection, projectId, [chatbotId], 'id', ids);
          await contacts.remove(projectId, chatbotId, live, deletedAt ?? '');
        } else await contacts.purge(projectId, chatbotId, ids);
      }
    });
  } while (last);
}
