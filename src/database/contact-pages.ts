import { type ContactList, type ContactReads, type ListedContact, positionIn } from '../contacts/store.ts';
import type { Position } from '../values/cursor.ts';
import { type ContactRow, toContact, wholeColumns } from './contact-rows.ts';
import type { Access, Connection } from './database.ts';
import { type Sql, sql } from './sql.ts';

type Owner = readonly [projectId: string, chatbotId: string];

interface Order {
  table: Sql;
  index: string;
  columns: Sql;
  time: Sql;
  after: Sql;
  forward: Sql;
  backward: Sql;
}

const newest = {
  table: sql`contacts`,
  index: 'contacts_by_age',
  columns: wholeColumns,
  time: sql`created_at`,
  after: sql`<`,
  forward: sql`created_at desc, id desc`,
  backward: sql`created_at, id`,
};
const orders: Record<ContactList, Order> = {
  newest,
  oldest: { ...newest, after: sql`>`, forward: newest.backward, backward: newest.forward },
  deleted: {
    ...newest,
    table: sql`deleted_contacts`,
    index: 'deleted_contacts_by_age',
    columns: sql`${wholeColumns}, deleted_at`,
    time: sql`deleted_at`,
    forward: sql`deleted_at desc, id desc`,
    backward: sql`deleted_at, id`,
  },
};

export function contactPages(access: Access): Pick<ContactReads, 'page' | 'after'> {
  const boundaries = rememberBoundaries();
  return {
    page: async (projectId, chatbotId, list, page, perPage) => {
      const connection = access.of(projectId);
      const owner: Owner = [projectId, chatbotId];
      const { total, version } = await (list === 'deleted' ? countDeleted : count)(connection, owner);
      const offset = (page - 1) * perPage;
      if (offset >= total) return { total, contacts: [] };
      const name = JSON.stringify([...owner, list, perPage, page]);
      const next = JSON.stringify([...owner, list, perPage, page + 1]);
      const before = version === undefined ? undefined : boundaries.at(name, version);
      const rows =
        offset === 0 || before
          ? await rowsAfter(connection, owner, list, before, perPage)
          : await rowsAt(connection, owner, list, offset, perPage, total);
      const last = rows.at(-1);
      if (last && version !== undefined) boundaries.remember(next, version, positionIn(list, last));
      return { total, contacts: rows };
    },
    after: (projectId, chatbotId, list, position, limit) =>
      rowsAfter(access.of(projectId), [projectId, chatbotId], list, position, limit),
  };
}

/** `version` changes whenever somebody is added to the chatbot or removed. */
async function count(connection: Connection, [projectId, chatbotId]: Owner) {
  const row = await connection.first<{ total: number; version: number }>(
    sql`select cast(contacts_added - contacts_removed as integer) as total,
        cast(contacts_added + contacts_removed as integer) as version
      from chatbots where project_id = ${projectId} and id = ${chatbotId}`,
  );
  return row ?? { total: 0, version: 0 };
}

async function countDeleted(connection: Connection, [projectId, chatbotId]: Owner) {
  const row = await connection.first<{ total: number }>(
    sql`select cast(count(*) as integer) as total from deleted_contacts
      where project_id = ${projectId} and chatbot_id = ${chatbotId}`,
  );
  return { total: row?.total ?? 0, version: undefined };
}

async function rowsAfter(
  connection: Connection,
  [projectId, chatbotId]: Owner,
  list: ContactList,
  position: Position | undefined,
  limit: number,
): Promise<ListedContact[]> {
  const { table, index, columns, time, after, forward } = orders[list];
  const beyond = position ? sql`and (${time}, id) ${after} (${position[0]}, ${position[1]})` : sql``;
  const rows = await connection.all<ContactRow>(
    sql`select ${columns} from ${table} ${connection.usingIndex(index)}
      where project_id = ${projectId} and chatbot_id = ${chatbotId} ${beyond} order by ${forward} limit ${limit}`,
  );
  return rows.map(toContact);
}

/** Counts from the nearer end. */
async function rowsAt(
  connection: Connection,
  [projectId, chatbotId]: Owner,
  list: ContactList,
  offset: number,
  perPage: number,
  total: number,
): Promise<ListedContact[]> {
  const { table, index, columns, time, forward, backward } = orders[list];
  const size = Math.min(perPage, total - offset);
  const isNear = offset <= total / 2;
  // The rows that are passed over are read from the index alone.
  const rows = await connection.all<ContactRow>(
    sql`select ${columns} from ${table} where project_id = ${projectId} and chatbot_id = ${chatbotId} and id in (
        select id from (
          select id, ${time} from ${table} ${connection.usingIndex(index)}
          where project_id = ${projectId} and chatbot_id = ${chatbotId}
          order by ${isNear ? forward : backward} limit ${size} offset ${isNear ? offset : total - offset - size}
        ) as found
      ) order by ${forward}`,
  );
  return rows.map(toContact);
}

const boundariesMax = 1_000;

/** Where pages that callers may ask for next begin, so that a walk from page to page need not count its way. */
function rememberBoundaries() {
  const known = new Map<string, { version: number; position: Position }>();
  return {
    at: (name: string, version: number): Position | undefined => {
      const one = known.get(name);
      return one?.version === version ? one.position : undefined;
    },
    remember: (name: string, version: number, position: Position): void => {
      known.delete(name);
      known.set(name, { version, position });
      const [oldest] = known.keys();
      if (known.size > boundariesMax && oldest !== undefined) known.delete(oldest);
    },
  };
}
