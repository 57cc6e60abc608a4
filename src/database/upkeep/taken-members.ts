import type { Role, StoredMember } from '../../members/member.ts';
import { nextRevision } from '../../revision.ts';
import { rightsOf } from '../../sign-in/session.ts';
import type { Database, Transaction } from '../database.ts';
import { memberWrites } from '../members.ts';
import { sql } from '../sql.ts';

export interface MemberRow {
  project_id: string;
  id: string;
  roles: string;
  /** Null if the member was removed. */
  now: string | null;
  owner_now: string | null;
}

/** Members of the backup who are now removed or may do less. */
export async function changedMembers(database: Database): Promise<MemberRow[]> {
  const rows = await database.all<MemberRow>(sql`select project_id, id, roles, now, owner_now from changed_members`);
  return rows.filter(({ roles, now }) => now === null || rolesLeft(roles, now) !== roles);
}

function listOf(roles: string): Role[] {
  return roles.split(',') as Role[];
}

/** The roles that allow no more than the present ones; if there is none, the present ones. */
function rolesLeft(roles: string, now: string): string {
  const allowed = new Set(rightsOf({ roles: listOf(now) }));
  const left = listOf(roles).filter((role) => rightsOf({ roles: [role] }).every((right) => allowed.has(right)));
  return left.join() || now;
}

export async function changeMember(connection: Transaction, row: MemberRow): Promise<void> {
  const { project_id: projectId, id, now, roles, owner_now: ownerNow } = row;
  const writes = memberWrites(connection);
  const found = await writes.findForWriting(projectId, { ids: [id, ...(ownerNow === null ? [] : [ownerNow])] });
  const [member, successor] = [id, ownerNow].map((sought) => found.find((one) => one.id === sought));
  if (!member) return;
  const after = withRoles(member, listOf(rolesLeft(roles, now ?? 'Viewer')));
  if (roles.startsWith('Owner')) {
    if (successor?.status === 'Active') {
      const others = successor.roles.filter((role) => role !== 'Admin');
      await writes.handOver(projectId, after, withRoles(successor, ['Owner', ...others]));
    } else await dismissOwner(connection, projectId, after);
  } else if (now !== null) await writes.save(projectId, [after]);
  if (now === null) await writes.remove(projectId, id);
}

function withRoles(member: StoredMember, roles: Role[]): StoredMember {
  return { ...member, roles, revision: nextRevision(member.revision) };
}

/** If the new Owner came after the backup, the project has none. */
async function dismissOwner(connection: Transaction, projectId: string, after: StoredMember): Promise<void> {
  await connection.run(sql`update projects set is_deleted = 1 where id = ${projectId}`);
  await connection.run(sql`delete from members where project_id = ${projectId} and position = 0`);
  await connection.run(sql`update projects set is_deleted = 0 where id = ${projectId}`);
  await memberWrites(connection).save(projectId, [after]);
}
