import type { ContactList, ContactReads, ListedAs, ListedContact } from '../contacts/store.ts';
import type { Position } from '../values/cursor.ts';
import { attributesIn, type ContactRow, shownColumns, toContact, wholeColumns } from './contact-rows.ts';
import type { Access, Connection } from './database.ts';
import { type Sql, sql } from './sql.ts';

const pageSize = 1_000;

type Owner = readonly [projectId: string, chatbotId: string];

interface Order {
  table: Sql;
  index: string;
  time: Sql;
  after: Sql;
  forward: Sql;
  backward: Sql;
}

const newest = {
  table: sql`contacts`,
  index: 'contacts_by_age',
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
    time: sql`deleted_at`,
    forward: sql`deleted_at desc, id desc`,
    backward: sql`deleted_at, id`,
  },
};

export function contactPages(access: Access): Pick<ContactReads, 'page' | 'after' | 'listAll' | 'attributeNames'> {
  return {
    page: async (projectId, chatbotId, as, page, perPage) => {
      const owner: Owner = [projectId, chatbotId];
      const offset = (page - 1) * perPage;
      const counting = count(access, owner, as);
      // Sent together: the first page needs no count.
      const first = offset === 0 ? rowsAfter(access, owner, as, undefined, perPage) : undefined;
      first?.catch(() => undefined);
      const total = await counting;
      if (total === undefined) return undefined;
      if (offset >= total) return { total, contacts: [] };
      return { total, contacts: await (first ?? rowsAt(access, owner, as, offset, perPage, total)) };
    },
    after: (projectId, chatbotId, as, position, limit) =>
      rowsAfter(access, [projectId, chatbotId], as, position, limit),
    listAll: async function* (projectId, chatbotId) {
      const pages = pagesById(access, projectId, chatbotId, wholeColumns, sql``);
      for await (const rows of pages) yield rows.map(toContact);
    },
    attributeNames: async (projectId, chatbotId, max) => {
      const [columns, condition] = [sql`id, attributes`, sql`and attributes is not null`];
      const names = new Set<string>();
      for await (const rows of pagesById(access, projectId, chatbotId, columns, condition)) {
        for (const row of rows) for (const name of Object.keys(attributesIn(row))) names.add(name);
        if (names.size > max) break;
      }
      return [...names].toSorted();
    },
  };
}

async function count(connection: Connection, [projectId, chatbotId]: Owner, { list }: ListedAs) {
  const inBin = sql`(
    select cast(count(*) as integer) from deleted_contacts
    where project_id = ${projectId} and chatbot_id = ${chatbotId}
  )`;
  const row = await connection.first<{ total: number }>(
    sql`select ${list === 'deleted' ? inBin : sql`cast(contacts_added - contacts_removed as integer)`} as total
      from chatbots where project_id = ${projectId} and id = ${chatbotId}`,
  );
  return row?.total;
}

function columnsOf({ list, isWhole }: ListedAs): Sql {
  const own = isWhole ? wholeColumns : shownColumns;
  return list === 'deleted' ? sql`${own}, deleted_at` : own;
}

async function rowsAfter(
  connection: Connection,
  [projectId, chatbotId]: Owner,
  as: ListedAs,
  position: Position | undefined,
  limit: number,
): Promise<ListedContact[]> {
  const { table, index, time, after, forward } = orders[as.list];
  const beyond = position ? sql`and (${time}, id) ${after} (${position[0]}, ${position[1]})` : sql``;
  const rows = await connection.all<ContactRow>(
    sql`select ${columnsOf(as)} from ${table} ${connection.usingIndex(index)}
      where project_id = ${projectId} and chatbot_id = ${chatbotId} ${beyond} order by ${forward} limit ${limit}`,
  );
  return as.isWhole ? rows.map(toContact) : rows;
}

async function rowsAt(
  connection: Connection,
  [projectId, chatbotId]: Owner,
  as: ListedAs,
  offset: number,
  perPage: number,
  total: number,
): Promise<ListedContact[]> {
  const { table, index, forward, backward } = orders[as.list];
  const size = Math.min(perPage, total - offset);
  const isNear = offset <= total / 2;
  // The rows that are passed over are read from the index alone; a cross join is done in this order.
  const rows = await connection.all<ContactRow>(
    sql`select ${columnsOf(as)} from (
        select id as found_id from ${table} ${connection.usingIndex(index)}
        where project_id = ${projectId} and chatbot_id = ${chatbotId}
        order by ${isNear ? forward : backward} limit ${size} offset ${isNear ? offset : total - offset - size}
      ) as found cross join ${table}
      where project_id = ${projectId} and chatbot_id = ${chatbotId} and id = found_id order by ${forward}`,
  );
  return as.isWhole ? rows.map(toContact) : rows;
}

async function* pagesById(
  connection: Connection,
  projectId: string,
  chatbotId: string,
  columns: Sql,
  condition: Sql,
): AsyncGenerator<ContactRow[]> {
  for (let lastId = ''; ;) {
    const page = await connection.all<ContactRow>(
      sql`select ${columns} from contacts
        where project_id = ${projectId} and chatbot_id = ${chatbotId} and id > ${lastId} ${condition}
        order by id limit ${pageSize}`,
    );
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (!last || page.length < pageSize) return;
    lastId = last.id;
  }
}
