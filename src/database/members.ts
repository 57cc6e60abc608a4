import {
  isOwner,
  type Member,
  type MemberFilter,
  memberKey,
  type MemberStore,
  ownerKey,
} from '../members.ts';
import type { MemberStatus, Role } from '../members.ts';
import { emailKey } from '../text-checks.ts';
import type { Connection, Database } from './database.ts';
import { allOf, inList, type Sql, sql } from './sql.ts';

interface MemberRow {
  email: string;
  status: MemberStatus;
  roles: string;
}

export function memberStore(database: Database): MemberStore {
  return {
    countMembers: async (projectId, filter) => {
      const row = await database.of(projectId).first<{ total: number }>(
        sql`select cast(count(*) as integer) as total from members
          where project_id = ${projectId} and ${matches(filter)}`,
      );
      return row?.total ?? 0;
    },
    // Position 0 is the Owner's.
    listMembers: async (projectId, filter, limit, offset) => {
      const rows = await database.of(projectId).all<MemberRow>(
        sql`select email, status, roles from members
          where project_id = ${projectId} and ${matches(filter)}
          order by position limit ${limit} offset ${offset}`,
      );
      return rows.map(toMember);
    },
    listProjectsWithoutOwner: async () => {
      const rows = await database.all<{ project_id: string }>(
        sql`select project_id from members group by project_id having min(position) > 0 order by project_id`,
      );
      return rows.map((row) => row.project_id);
    },
    importMembers: (projectId, drafts, decide) =>
      database.of(projectId).transaction(async (connection) => {
        await connection.alone(`members of ${projectId}`);
        const found = new Map<string, Member>();
        const keys = drafts.map((draft) => emailKey(draft.email));
        const rows = await connection.all<MemberRow>(
          sql`select email, status, roles from members
            where project_id = ${projectId} and (position = 0 or email_key in ${inList(keys)})`,
        );
        for (const member of rows.map(toMember)) {
          found.set(memberKey(member), member);
          if (isOwner(member)) found.set(ownerKey, member);
        }
        const members = decide((key) => [found.get(key) ?? []].flat());
        // All at once: they go out in this order without waiting for each other's answers.
        await Promise.all(members.map((member) => write(connection, projectId, member)));
      }),
  };
}

// Whoever is stored keeps the position, but for one who becomes the Owner.
async function write(connection: Connection, projectId: string, member: Member): Promise<void> {
  const position = isOwner(member)
    ? sql`0`
    : sql`(select coalesce(max(position), 0) + 1 from members where project_id = ${projectId})`;
  await connection.run(
    sql`insert into members (project_id, position, email, email_key, status, roles)
      values (${projectId}, ${position}, ${member.email}, ${emailKey(member.email)}, ${member.status},
        ${member.roles.join()})
      on conflict (project_id, email_key) do update set
        email = excluded.email,
        status = excluded.status,
        roles = excluded.roles,
        position = case when excluded.position = 0 then 0 else members.position end`,
  );
}

function matches({ status, role, email }: MemberFilter): Sql {
  const conditions: Sql[] = [];
  if (status !== undefined) conditions.push(sql`status = ${status}`);
  if (role !== undefined) conditions.push(sql`',' || roles || ',' like ${`%,${role},%`}`);
  if (email !== undefined) conditions.push(sql`email_key = ${emailKey(email)}`);
  return allOf(conditions);
}

function toMember({ email, status, roles }: MemberRow): Member {
  return { email, status, roles: roles.split(',') as Role[] };
}
