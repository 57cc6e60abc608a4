import { isOwner, type StoredMember } from '../members/member.ts';
import type { Invitation, MemberReads, MemberWrites, NewInvitation } from '../members/store.ts';
import { emailKey } from '../values/email.ts';
import { formatTimestamp } from '../values/timestamp.ts';
import { type Access, damagedRow, type Transaction } from './database.ts';
import { allPages, findPage, type StoredMemberRow, toStoredMember, wholeColumns } from './member-pages.ts';
import { forgetSignIn } from './sign-in.ts';
import { inList, insertInto, type Insertion, orUpdate, sql, type Value } from './sql.ts';

export function memberReads(access: Access): MemberReads {
  return {
    find: async (projectId, memberId) => {
      const row = await access.first<StoredMemberRow>(
        sql`select ${wholeColumns} from members where project_id = ${projectId} and id = ${memberId}`,
      );
      return row && toStoredMember(row);
    },
    list: (projectId, filter, limit, offset) => findPage(access, { projectId, filter, limit, offset }),
    listAll: (projectId) => allPages(access, projectId),
    listProjectsWithoutOwner: async () => {
      const rows = await access.all<{ id: string }>(
        sql`select id from projects
          where not exists (select 1 from members where project_id = projects.id and position = 0) order by id`,
      );
      return rows.map(({ id }) => id);
    },
    listInvitedBy: async (projectId, makerIds) => {
      const rows = await access.all<StoredMemberRow>(
        sql`select ${wholeColumns} from members where project_id = ${projectId} and status = 'Pending' and id in (
            select member_id from invitations where project_id = ${projectId} and created_by_id in ${inList(makerIds)}
          ) order by position`,
      );
      return rows.map(toStoredMember);
    },
    // This hash or the next lower one: each token takes the same steps, so that the time tells nothing.
    findInvitation: async (tokenHash, now = new Date()) => {
      const moment = formatTimestamp(now);
      const row = await access.first<Invitation & { found: string; sought: string }>(
        sql`select invitations.token_hash as found, sought.token_hash as sought, project_id, member_id, expires_at
          from (
            select project_id as sought_project_id, member_id as sought_id, token_hash from invitations
            where token_hash <= ${tokenHash} order by token_hash desc limit 1
          ) as sought
          join invitations on project_id = sought_project_id and member_id = sought_id`,
      );
      if (!row) return undefined;
      const { found, sought, ...invitation } = row;
      if (found !== sought) throw damagedRow();
      return found === tokenHash && invitation.expires_at > moment ? invitation : undefined;
    },
  };
}

export function memberWrites(connection: Transaction): MemberWrites {
  return {
    findForWriting: async (projectId, { emails = [], ids = [] }) => {
      await connection.first(sql`select id from projects where id = ${projectId} ${connection.forChange}`);
      const rows = await connection.all<StoredMemberRow>(
        sql`select ${wholeColumns} from members where project_id = ${projectId}
          and (position = 0 or email_key in ${inList(emails.map(emailKey))} or id in ${inList(ids)})`,
      );
      return rows.map(toStoredMember);
    },
    save: (projectId, members) => save(connection, projectId, members),
    // The invitation goes with the member.
    remove: async (projectId, memberId) => {
      await forgetSignIn(connection, projectId, memberId);
      await connection.run(sql`delete from members where project_id = ${projectId} and id = ${memberId}`);
    },
    handOver: (projectId, owner, successor) => handOver(connection, projectId, owner, successor),
    keepInvitation: (projectId, invitation) => keepInvitation(connection, projectId, invitation),
    endInvitations: async (projectId, memberIds) => {
      await connection.run(
        sql`delete from invitations where project_id = ${projectId} and member_id in ${inList(memberIds)}`,
      );
    },
  };
}

// Members keep their id and position, but for one who becomes the Owner. A process of an earlier version stores no id.
export const memberInsertion: Insertion = {
  into: 'members',
  columns: ['project_id', ...'position id email email_key status roles invited_at joined_at revision'.split(' ')],
  foundBy: ['project_id', 'position', 'email_key'],
  ending: sql`on conflict (project_id, email_key) do update set
    id = coalesce(members.id, excluded.id),
    email = excluded.email,
    status = excluded.status,
    roles = excluded.roles,
    invited_at = excluded.invited_at,
    joined_at = excluded.joined_at,
    revision = excluded.revision,
    position = case when excluded.position = 0 then 0 else members.position end`,
};

function rowOf(projectId: string, position: number, member: StoredMember): Value[] {
  const { id, email, status, roles, invited_at: invitedAt, joined_at: joinedAt, revision } = member;
  return [projectId, position, id, email, emailKey(email), status, roles.join(), invitedAt, joinedAt, revision];
}

async function keepInvitation(connection: Transaction, projectId: string, invitation: NewInvitation): Promise<void> {
  await connection.run(
    sql`${insertInto('invitations', { project_id: projectId, ...invitation })}
      ${orUpdate('project_id, member_id', ['token_hash', 'expires_at', 'created_by_type', 'created_by_id'])}`,
  );
}

async function save(connection: Transaction, projectId: string, members: readonly StoredMember[]): Promise<void> {
  const end = await connection.first<{ last: number | null }>(
    sql`select max(position) as last from members where project_id = ${projectId}`,
  );
  // A stored member keeps its position, but the offered one must be free.
  let next = Math.max(end?.last ?? 0, positionsBefore) + 1;
  const rows = members.map((member) => rowOf(projectId, isOwner(member) ? 0 : next++, member));
  await connection.insertAll(memberInsertion, rows);
}

/** Former Owners get the positions up to here, others those behind. */
const positionsBefore = 1_000_000_000;

/** The row at the front is never without an Owner: the successor takes it over, and the Owner gets one of their own. */
async function handOver(
  connection: Transaction,
  projectId: string,
  owner: StoredMember | undefined,
  successor: StoredMember,
): Promise<void> {
  await connection.run(sql`delete from members where project_id = ${projectId} and id = ${successor.id}`);
  if (!owner) return connection.insertAll(memberInsertion, [rowOf(projectId, 0, successor)]);
  const { email, status, roles, invited_at: invitedAt, joined_at: joinedAt, revision } = successor;
  // An invitation belongs to a row by its id, which is about to be the successor's.
  const [link] = await connection.all<NewInvitation>(
    sql`delete from invitations where project_id = ${projectId} and member_id = ${owner.id}
      returning member_id, token_hash, expires_at, created_by_type, created_by_id`,
  );
  await connection.run(
    sql`update members set id = ${successor.id}, email = ${email}, email_key = ${emailKey(email)}, status = ${status},
        roles = ${roles.join()}, invited_at = ${invitedAt}, joined_at = ${joinedAt}, revision = ${revision}
      where project_id = ${projectId} and position = 0`,
  );
  const others = await connection.first<{ least: number | null }>(
    sql`select min(position) as least from members where project_id = ${projectId} and position > 0`,
  );
  const place = (others?.least ?? positionsBefore) - 1;
  await connection.insertAll(memberInsertion, [rowOf(projectId, place, owner)]);
  if (link) await keepInvitation(connection, projectId, link);
}
