import { memberKey, ownerKey } from '../members/import.ts';
import { isOwner, type Member } from '../members/member.ts';
import type { MemberStore } from '../members/store.ts';
import { emailKey } from '../values/email.ts';
import type { Connection, Database, Insertion } from './database.ts';
import { allPages, findPage, type MemberRow, toMember } from './member-pages.ts';
import { inList, sql } from './sql.ts';

export function memberStore(database: Database): MemberStore {
  return {
    listMembers: (projectId, filter, limit, offset) =>
      findPage(database.of(projectId), { projectId, filter, limit, offset }),
    listAllMembers: (projectId) => allPages(database.of(projectId), projectId),
    listProjectsWithoutOwner: async () => {
      const rows = await database.all<{ project_id: string }>(
        sql`select project_id from members group by project_id having min(position) > 0 order by project_id`,
      );
      return rows.map((row) => row.project_id);
    },
    listProjectsWithGaps: async () => {
      const rows = await database.all<{ id: string; members_have_gaps: number }>(
        sql`select projects.id, members_have_gaps from members join projects on projects.id = members.project_id
          group by projects.id, members_have_gaps
          having count(*) <> max(position) + case min(position) when 0 then 1 else 0 end
          order by projects.id`,
      );
      return rows.map((row) => ({ id: row.id, isNoted: row.members_have_gaps === 1 }));
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
        if (members.length === 0) return;
        await write(connection, projectId, members);
        await closeGaps(connection, projectId);
      }),
    closeMemberGaps: (projectId) =>
      database.of(projectId).transaction(async (connection) => {
        await connection.alone(`members of ${projectId}`);
        await closeGaps(connection, projectId);
      }),
  };
}

// Whoever is stored keeps the position, but for one who becomes the Owner.
const insertion: Insertion = {
  into: 'members',
  columns: ['project_id', 'position', 'email', 'email_key', 'status', 'roles'],
  foundBy: ['project_id', 'position', 'email_key'],
  ending: sql`on conflict (project_id, email_key) do update set
    email = excluded.email,
    status = excluded.status,
    roles = excluded.roles,
    position = case when excluded.position = 0 then 0 else members.position end`,
};

async function write(connection: Connection, projectId: string, members: readonly Member[]): Promise<void> {
  const keys = members.map(({ email }) => emailKey(email));
  const [end, stored] = await Promise.all([
    connection.first<{ last: number }>(
      sql`select coalesce(max(position), 0) as last from members where project_id = ${projectId}`,
    ),
    connection.all<{ email_key: string }>(
      sql`select email_key from members where project_id = ${projectId} and email_key in ${inList(keys)}`,
    ),
  ]);
  const known = new Set(stored.map((row) => row.email_key));
  const isNew = (member: Member) => !known.has(emailKey(member.email));
  // Behind those who join: nobody takes these positions, but they have to be free.
  const inOrder = [...members.filter(isNew), ...members.filter((member) => !isNew(member))];
  let free = (end?.last ?? 0) + 1;
  const rows = inOrder.map((member) => [
    projectId,
    isOwner(member) ? 0 : free++,
    member.email,
    emailKey(member.email),
    member.status,
    member.roles.join(),
  ]);
  await connection.insertAll(insertion, rows);
}

/** Above every position, and so that twice as much is still an integer of 32 bits. */
const far = 1_000_000_000;

/** Numbers everybody but the Owner from 1 on, in their order, where somebody became the Owner or was removed by hand. */
async function closeGaps(connection: Connection, projectId: string): Promise<void> {
  const project = await connection.first<{ members_have_gaps: number }>(
    sql`select members_have_gaps from projects where id = ${projectId}`,
  );
  if (project?.members_have_gaps !== 1) return;
  // The row of the project is locked first: whoever writes members meanwhile waits for it, and notes the gap again.
  await connection.run(sql`update projects set members_have_gaps = 1 where id = ${projectId}`);
  await connection.run(
    sql`update members set position = ${far} + places.place
      from (
        select email_key, row_number() over (order by position) as place from members
        where project_id = ${projectId} and position > 0
      ) as places
      where members.project_id = ${projectId} and members.email_key = places.email_key
        and members.position <> places.place`,
  );
  await connection.run(
    sql`update members set position = position - ${far} where project_id = ${projectId} and position > ${far}`,
  );
  await connection.run(sql`update projects set members_have_gaps = 0 where id = ${projectId}`);
}
