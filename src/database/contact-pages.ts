import {
  type ContactList,
  type ContactReads,
  type ListedAs,
  type ListedContact,
  positionIn,
} from '../contacts/store.ts';
import type { Position } from '../values/cursor.ts';
import { type ContactRow, shownColumns, toContact, wholeColumns } from './contact-rows.ts';
import type { Access, Connection } from './database.ts';
import { type Sql, sql } from './sql.ts';

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

export function contactPages(access: Access): Pick<ContactReads, 'page' | 'after'> {
  const boundaries = rememberBoundaries();
  const rowsAfter = readerAfter(access);
  return {
    page: async (projectId, chatbotId, as, page, perPage) => {
      const owner: Owner = [projectId, chatbotId];
      const offset = (page - 1) * perPage;
      const counting = (as.list === 'deleted' ? countDeleted : count)(access, owner);
      // Sent together: the first page needs no count.
      const first = offset === 0 ? rowsAfter(owner, as, undefined, perPage) : undefined;
      first?.catch(() => undefined);
      const counted = await counting;
      if (!counted) return undefined;
      const { total, version } = counted;
      if (offset >= total) return { total, contacts: [] };
      const nameOf = (number: number) => JSON.stringify([...owner, as.list, perPage, number]);
      const before = version === undefined ? undefined : boundaries.at(nameOf(page), version);
      const contacts = await (first ??
        (before ? rowsAfter(owner, as, before, perPage) : rowsAt(access, owner, as, offset, perPage, total)));
      const last = contacts.at(-1);
      if (last && version !== undefined) boundaries.remember(nameOf(page + 1), version, positionIn(as.list, last));
      return { total, contacts };
    },
    after: (projectId, chatbotId, as, position, limit) => rowsAfter([projectId, chatbotId], as, position, limit),
  };
}

/** `version` changes whenever somebody is added to the chatbot or removed. */
async function count(connection: Connection, [projectId, chatbotId]: Owner) {
  const row = await connection.first<{ total: number; version: number }>(
    sql`select cast(contacts_added - contacts_removed as integer) as total,
        cast(contacts_added + contacts_removed as integer) as version
      from chatbots where project_id = ${projectId} and id = ${chatbotId}`,
  );
  return row;
}

async function countDeleted(connection: Connection, [projectId, chatbotId]: Owner) {
  const row = await connection.first<{ total: number }>(
    sql`select (
        select cast(count(*) as integer) from deleted_contacts
        where project_id = ${projectId} and chatbot_id = ${chatbotId}
      ) as total
      from chatbots where project_id = ${projectId} and id = ${chatbotId}`,
  );
  return row && { total: row.total, version: undefined };
}

function columnsOf({ list, isWhole }: ListedAs): Sql {
  const own = isWhole ? wholeColumns : shownColumns;
  return list === 'deleted' ? sql`${own}, deleted_at` : own;
}

/** Texts are assembled once for each kind of list: the first page is asked for often. */
function readerAfter(access: Access) {
  const texts = new Map<string, Sql['pieces']>();
  const piecesOf = (as: ListedAs, isFirst: boolean) => {
    const { table, index, time, after, forward } = orders[as.list];
    const beyond = isFirst ? sql`` : sql`and (${time}, id) ${after} (${''}, ${''})`;
    const { pieces } = sql`select ${columnsOf(as)} from ${table} ${access.usingIndex(index)}
      where project_id = ${''} and chatbot_id = ${''} ${beyond} order by ${forward} limit ${0}`;
    return pieces;
  };
  return async (
    owner: Owner,
    as: ListedAs,
    position: Position | undefined,
    limit: number,
  ): Promise<ListedContact[]> => {
    const name = `${as.list} ${as.isWhole} ${position === undefined}`;
    const pieces = texts.get(name) ?? piecesOf(as, position === undefined);
    texts.set(name, pieces);
    const rows = await access.all<ContactRow>({ pieces, values: [...owner, ...(position ?? []), limit] });
    return as.isWhole ? rows.map(toContact) : rows;
  };
}

/** Counts from the nearer end. */
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
