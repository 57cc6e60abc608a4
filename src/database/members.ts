import { isOwner } from '../members/member.ts';
import type { MemberReads, MemberWrites, StoredMember } from '../members/store.ts';
import { emailKey } from '../values/email.ts';
import type { Access, Insertion, Transaction } from './database.ts';
import { allPages, findPage, type MemberRow, toMember } from './member-pages.ts';
import { inList, sql } from './sql.ts';

export function memberReads(access: Access): MemberReads {
  return {
    list: (projectId, filter, limit, offset) => findPage(access.of(projectId), { projectId, filter, limit, offset }),
    listAll: (projectId) => allPages(access.of(projectId), projectId),
    listProjectsWithoutOwner: async () => {
      const rows = await access.all<{ project_id: string }>(
        sql`select project_id from members group by project_id having min(position) > 0 order by project_id`,
      );
      return rows.map((row) => row.project_id);
    },
  };
}

export function memberWrites(connection: Transaction): MemberWrites {
  return {
    findForImport: async (projectId, emails) => {
      await connection.alone(`members of ${projectId}`);
      const rows = await connection.all<MemberRow & { id: string }>(
        sql`select id, email, status, roles from members
          where project_id = ${projectId} and (position = 0 or email_key in ${inList(emails.map(emailKey))})`,
      );
      return rows.map((row): StoredMember => {
        const { email, status, roles } = toMember(row);
        return { id: row.id, email, status, roles };
      });
    },
    save: (projectId, members) => save(connection, projectId, members),
  };
}

// Members keep their id and position, but for one who becomes the Owner. A process of an earlier version stores no id.
const insertion: Insertion = {
  into: 'members',
  columns: ['project_id', 'position', 'id', 'email', 'email_key', 'status', 'roles'],
  foundBy: ['project_id', 'position', 'email_key'],
  ending: sql`on conflict (project_id, email_key) do update set
    id = coalesce(members.id, excluded.id),
    email = excluded.email,
    status = excluded.status,
    roles = excluded.roles,
    position = case when excluded.position = 0 then 0 else members.position end`,
};

async function save(connection: Transaction, projectId: string, members: readonly StoredMember[]): Promise<void> {
  const end = await connection.first<{ last: number }>(
    sql`select coalesce(max(position), 0) as last from members where project_id = ${projectId}`,
  );
  // A stored member keeps its position, but the offered one must be free.
  let next = (end?.last ?? 0) + 1;
  const rows = members.map((member) => [
    projectId,
    isOwner(member) ? 0 : next++,
    member.id,
    member.email,
    emailKey(member.email),
    member.status,
    member.roles.join(),
  ]);
  await connection.insertAll(insertion, rows);
}
