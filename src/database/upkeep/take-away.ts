import { chatbotWrites } from '../chatbots.ts';
import { contactsUnder } from '../contact-keys.ts';
import { contactWrites } from '../contacts.ts';
import type { Database } from '../database.ts';
import { projectWrites } from '../projects.ts';
import { emptySearchIndex, searchIndexState } from '../search/status.ts';
import { sql } from '../sql.ts';
import { countKeys, narrowedKeys, narrowKey } from './taken-keys.ts';
import { changedMembers, changeMember } from './taken-members.ts';

/** Counts of each kind that was taken away since the backup. */
export type Taken = Record<
  | 'projects'
  | 'chatbots'
  | 'contacts_purged'
  | 'contacts_deleted'
  | 'members'
  | 'roles'
  | 'invitations'
  | 'passkeys'
  | 'keys_revoked'
  | 'keys_narrowed'
  | 'keys_rotated',
  number
>;

/** Takes away from the backup what `compareWith` found to be gone; with `asItWas` only counts it. */
export async function takeAway(database: Database, asItWas: boolean): Promise<Taken> {
  const [keys, members] = [await narrowedKeys(database), await changedMembers(database)];
  const counted = await database.first<Omit<Taken, 'members' | 'roles' | `keys_${string}`>>(sql`
    select (select count(*) from gone_projects) as projects,
      (select count(*) from gone_chatbots where project_id not in (select id from gone_projects)) as chatbots,
      (select count(*) from gone_contacts where fate = 'purged') as contacts_purged,
      (select count(*) from gone_contacts where fate = 'deleted') as contacts_deleted,
      (select count(*) from gone_invitations) as invitations, (select count(*) from gone_passkeys) as passkeys`);
  if (!counted) throw new Error('a count has no row');
  const { projects, chatbots, contacts_purged, contacts_deleted, ...links } = counted;
  const taken = {
    projects,
    chatbots,
    contacts_purged,
    contacts_deleted,
    members: members.filter(({ now }) => now === null).length,
    roles: members.filter(({ now }) => now !== null).length,
    ...links,
    ...countKeys(keys),
  };
  if (asItWas || Object.values(taken).every((number) => number === 0)) return taken;
  await takeContacts(database);
  await database.transaction(async (connection) => {
    await connection.script(takenByRow);
    for (const key of keys) await narrowKey(connection, key);
    for (const member of members) await changeMember(connection, member);
    for (const chatbot of await connection.all<Owned>(sql`select project_id, id from gone_chatbots`)) {
      await chatbotWrites(connection).delete(chatbot.project_id, chatbot.id);
    }
    for (const { id } of await connection.all<{ id: string }>(sql`select id from gone_projects`)) {
      await projectWrites(connection).delete(id);
    }
  });
  await leaveNoTrace(database);
  return taken;
}

/** SQLite overwrites freed pages, but moved pages may leave copies and index segments their words. */
async function leaveNoTrace(database: Database): Promise<void> {
  await database.script("insert into contact_words (contact_words) values ('optimize')");
  await database.script('vacuum');
}

const takenByRow = `
delete from invitations where (project_id, member_id) in (select project_id, member_id from gone_invitations);
delete from passkeys where (project_id, id) in (select project_id, id from gone_passkeys);`;

interface Owned {
  project_id: string;
  id: string;
}

const contactsOfStep = 500;

async function takeContacts(database: Database): Promise<void> {
  const { isMissing, isOtherFolding } = await searchIndexState(database);
  if (isMissing || isOtherFolding) await emptySearchIndex(database);
  interface Gone extends Owned {
    chatbot_id: string;
    fate: 'purged' | 'deleted' | 'chatbot';
    deleted_at: string | null;
  }
  let last: Gone | undefined;
  do {
    const step = await database.all<Gone>(
      sql`select project_id, chatbot_id, id, fate, deleted_at from gone_contacts
        where (project_id, chatbot_id, id) > (${last?.project_id ?? ''}, ${last?.chatbot_id ?? ''}, ${last?.id ?? ''})
        order by project_id, chatbot_id, id limit ${contactsOfStep}`,
    );
    last = step.at(-1);
    await database.transaction(async (connection) => {
      const contacts = contactWrites(connection, 1);
      const groups = Map.groupBy(step, (one) => JSON.stringify([one.project_id, one.chatbot_id, one.deleted_at]));
      for (const [one, ...others] of groups.values()) {
        if (!one) continue;
        const ids = [one, ...others].map(({ id }) => id);
        const { project_id: projectId, chatbot_id: chatbotId, deleted_at: deletedAt, fate } = one;
        if (fate === 'deleted') {
          const live = await contactsUnder(connection, projectId, chatbotId, 'id', ids);
          await contacts.remove(projectId, chatbotId, live, deletedAt ?? '');
        } else await contacts.purge(projectId, chatbotId, ids);
      }
    });
  } while (last);
}
