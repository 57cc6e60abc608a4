import type { Member, MemberFilter, MemberStatus, Role, StoredMember } from '../members/member.ts';
import type { MemberPage } from '../members/store.ts';
import { emailKey } from '../values/email.ts';
import { type Connection, damagedRow } from './database.ts';
import { allOf, raw, type Sql, sql } from './sql.ts';

interface MemberRow {
  email: string;
  status: MemberStatus;
  roles: string;
}

export type StoredMemberRow = MemberRow & Omit<StoredMember, keyof Member>;

export const wholeColumns = raw('id, email, status, roles, invited_at, joined_at, revision');

export function toMember({ email, status, roles }: MemberRow): Member {
  if (typeof email !== 'string' || typeof roles !== 'string') throw damagedRow();
  return { email, status, roles: roles.split(',') as Role[] };
}

export function toStoredMember(row: StoredMemberRow): StoredMember {
  const { id, invited_at, joined_at, revision } = row;
  return { id, ...toMember(row), invited_at, joined_at, revision };
}

interface MemberRange {
  projectId: string;
  filter: MemberFilter;
  limit: number;
  offset: number;
}

export async function findPage(connection: Connection, range: MemberRange): Promise<MemberPage> {
  const rows = await connection.all<StoredMemberRow & { total: number }>(pageOf(range));
  const [first] = rows;
  const members = rows.map(toStoredMember);
  if (first || range.offset === 0) return { total: first?.total ?? 0, members };
  // No row carries the total past the end; the first page does, which may be of a later moment.
  const { total } = await findPage(connection, { ...range, limit: 1, offset: 0 });
  return total > range.offset ? findPage(connection, range) : { total, members: [] };
}

/** A damaged SQLite file may yield rows of another project, hence the second check. */
export function pageOf({ projectId, filter, limit, offset }: MemberRange): Sql {
  const chosen = matches(filter);
  return sql`select
      (select cast(count(*) as integer) from members where project_id = ${projectId} and ${chosen}) as total,
      ${wholeColumns}
    from members where project_id = ${projectId} and not (project_id <> ${projectId}) and ${chosen}
    order by position limit ${limit} offset ${offset}`;
}

function matches({ status, role, email }: MemberFilter): Sql {
  const conditions: Sql[] = [];
  if (status !== undefined) conditions.push(sql`status = ${status}`);
  if (role !== undefined) conditions.push(sql`',' || roles || ',' like ${`%,${role},%`}`);
  if (email !== undefined) conditions.push(sql`email_key = ${emailKey(email)}`);
  return allOf(conditions);
}

const exportPageSize = 1_000;

export async function* allPages(connection: Connection, projectId: string): AsyncGenerator<Member[]> {
  for (let last: number | undefined = -1; last !== undefined;) {
    const rows: (MemberRow & { position: number })[] = await connection.all(pageAfter(projectId, last));
    if (rows.length > 0) yield rows.map(toMember);
    last = rows.length < exportPageSize ? undefined : rows.at(-1)?.position;
  }
}

export function pageAfter(projectId: string, position: number): Sql {
  return sql`select position, email, status, roles from members
    where project_id = ${projectId} and position > ${position} order by position limit ${exportPageSize}`;
}
