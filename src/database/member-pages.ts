import type { Member, MemberStatus, Role } from '../members/member.ts';
import type { MemberFilter, MemberPage } from '../members/store.ts';
import { emailKey } from '../values/email.ts';
import type { Scope } from './database.ts';
import { allOf, inList, type Sql, sql } from './sql.ts';

export interface MemberRow {
  email: string;
  status: MemberStatus;
  roles: string;
}

export function toMember({ email, status, roles }: MemberRow): Member {
  return { email, status, roles: roles.split(',') as Role[] };
}

export interface MemberRange {
  projectId: string;
  filter: MemberFilter;
  limit: number;
  offset: number;
}

/** Finds the page by its positions; counts only where somebody is chosen, or where positions have gaps. */
export async function findPage(scope: Scope, range: MemberRange): Promise<MemberPage> {
  const isWhole = Object.values(range.filter).every((value) => value === undefined);
  const rows = isWhole ? await scope.all<PageRow>(pageByPosition(range)) : [];
  const [first] = rows;
  return first && first.total !== null ? toPage(first.total, rows) : countPage(scope, range);
}

async function countPage(scope: Scope, range: MemberRange): Promise<MemberPage> {
  const rows = await scope.all<PageRow>(pageByCounting(range));
  const [first] = rows;
  if (first || range.offset === 0) return toPage(first?.total ?? 0, rows);
  // Past the end no row tells the total: the first page does.
  return { ...(await countPage(scope, { ...range, limit: 1, offset: 0 })), members: [] };
}

/** By position there is one row without a member where nobody is on the page; it has no total where there are gaps. */
type PageRow = { total: number | null } & (MemberRow | Record<keyof MemberRow, null>);

function toPage(total: number, rows: readonly PageRow[]): MemberPage {
  return { total, members: rows.flatMap((row) => (row.email === null ? [] : [toMember(row)])) };
}

/**
 * Positions have no gaps, so those of a page are known beforehand: they count from the Owner's 0, else from 1. One
 * statement without parts: its text is put together once, and the page and its total are of one moment. In a damaged
 * file SQLite may come upon rows that it did not look for, so the project of each is held against it once more.
 */
export function pageByPosition({ projectId, limit, offset }: Omit<MemberRange, 'filter'>): Sql {
  return sql`select
      case when members_have_gaps = 0 then (
        select coalesce(max(position), 0) + 1 from members where project_id = ${projectId}
      ) - coalesce(owner.position, 1) end as total,
      page.email, page.status, page.roles
    from projects
      left join members as owner on owner.project_id = projects.id and owner.position = 0
      left join members as page on page.project_id = projects.id and members_have_gaps = 0
        and page.position >= cast(${offset} as bigint) + coalesce(owner.position, 1)
        and page.position < cast(${offset + limit} as bigint) + coalesce(owner.position, 1)
        and not (page.project_id <> projects.id)
    where projects.id = ${projectId}
    order by page.position`;
}

/** Walks the members from the first on, and all of them for the total. */
export function pageByCounting({ projectId, filter, limit, offset }: MemberRange): Sql {
  const chosen = matches(filter);
  return sql`select
      (select cast(count(*) as integer) from members where project_id = ${projectId} and ${chosen}) as total,
      email, status, roles
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

/** All members in their order, page after page. */
export async function* allPages(scope: Scope, projectId: string): AsyncGenerator<Member[]> {
  for (let before: string[] = []; ;) {
    const rows = await scope.all<MemberRow>(pageBehind(projectId, before));
    if (rows.length > 0) yield rows.map(toMember);
    if (rows.length < exportPageSize) return;
    before = rows.map(({ email }) => emailKey(email));
  }
}

/**
 * The page behind the last of these people who is still there: positions change when a gap is closed, the order does
 * not. With `position` alone in `max`, both engines would look for them from the end of the project.
 */
export function pageBehind(projectId: string, keys: readonly string[]): Sql {
  return sql`select email, status, roles from members
    where project_id = ${projectId} and position > (
      select coalesce(max(position + 0), -1) from members
      where project_id = ${projectId} and email_key in ${inList(keys)}
    )
    order by position limit ${exportPageSize}`;
}
