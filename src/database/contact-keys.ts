import { keysOf } from '../contacts/change/keys.ts';
import type { OwnedContact, StoredContact } from '../contacts/contact.ts';
import { emailKey } from '../values/email.ts';
import { eachInTurn, giveWay } from '../values/give-way.ts';
import { digitsOf } from '../values/text.ts';
import { type ContactRow, toContact, wholeColumns } from './contact-rows.ts';
import type { Connection, Transaction } from './database.ts';
import { atOnce, type Turn } from './look-up-turns.ts';
import { changedInSlices, slicesOf } from './slices.ts';
import { inList, type Sql, sql } from './sql.ts';

export async function findByKeys(
  connection: Connection,
  projectId: string,
  chatbotId: string,
  keys: readonly string[],
): Promise<Map<string, StoredContact[]>> {
  const found = new Map<string, StoredContact[]>();
  for (const kind of ['id', 'email', 'external_id', 'digest'] as const) {
    const values = keys.filter((key) => key.startsWith(`${kind}:`)).map((key) => key.slice(kind.length + 1));
    for (const { chatbot_id: _, ...contact } of await contactsUnder(connection, projectId, [chatbotId], kind, values)) {
      const key = keysOf(contact).find((one) => one.startsWith(`${kind}:`)) ?? '';
      const others = found.get(key);
      if (others) others.push(contact);
      else found.set(key, [contact]);
    }
  }
  return found;
}

type KeyKind = keyof typeof keyColumn;

export async function contactsUnder(
  connection: Connection,
  projectId: string,
  chatbotIds: readonly string[],
  kind: KeyKind,
  values: readonly string[],
  turn?: Turn,
): Promise<OwnedContact[]> {
  const read = (chatbots: readonly string[], some: readonly string[], ending: Sql) =>
    connection.all<ContactRow>(sql`${contactsByKey(connection, projectId, chatbots, kind, some)} ${ending}`);
  const found = await inParts(chatbotIds, values, read, turn);
  return eachInTurn(found, (row) => toContact(row) as OwnedContact);
}

/** Thousands of contacts may share a value, so rows are read in parts of this size. */
export const partLength = 1_000;

export async function inParts<Row extends { id: string }>(
  chatbotIds: readonly string[],
  values: readonly string[],
  read: (chatbots: readonly string[], some: readonly string[], ending: Sql) => Promise<Row[]>,
  turn: Turn = atOnce,
): Promise<Row[]> {
  const found: Row[] = [];
  const readPart = async (...asked: Parameters<typeof read>) => {
    if (found.length >= partLength) turn.throwIfGivenUp();
    const part = await read(...asked);
    await giveWay();
    return part;
  };
  const areAll = async (chatbots: readonly string[], some: readonly string[]) => {
    const part = await readPart(chatbots, some, sql`limit ${partLength}`);
    if (part.length < partLength) found.push(...part);
    return part.length < partLength;
  };
  const walk = async (chatbotId: string, value: string) => {
    for (let last: string | undefined = ''; last !== undefined;) {
      const part: Row[] = await readPart([chatbotId], [value], sql`and id > ${last} order by id limit ${partLength}`);
      found.push(...part);
      last = part.length < partLength ? undefined : part.at(-1)?.id;
    }
  };
  const walkEach = async (chatbots: readonly string[], some: readonly string[]) => {
    for (const chatbotId of chatbots) {
      if (chatbots.length > 1 && (await areAll([chatbotId], some))) continue;
      for (const value of some) await walk(chatbotId, value);
    }
  };
  for (const chatbots of slicesOf(chatbotIds)) {
    for (const some of slicesOf(values)) {
      if (!(await areAll(chatbots, some))) await turn.take(() => walkEach(chatbots, some));
    }
  }
  return found;
}

export function deleteFrom(
  connection: Transaction,
  table: Sql,
  ...[projectId, chatbotId, ids]: [projectId: string, chatbotId: string, ids: readonly string[]]
): Promise<number> {
  return changedInSlices(ids, (some) =>
    connection.run(
      sql`delete from ${table} where project_id = ${projectId} and chatbot_id = ${chatbotId} and id in ${inList(some)}`,
    ),
  );
}

export async function chatbotsAmong(connection: Connection, projectId: string, chatbotId: string | undefined) {
  if (chatbotId !== undefined) return [chatbotId];
  const rows = await connection.all<{ id: string }>(sql`select id from chatbots where project_id = ${projectId}`);
  return rows.map(({ id }) => id);
}

export function contactsByKey(
  connection: Pick<Connection, 'usingIndex'>,
  projectId: string,
  chatbotIds: readonly string[],
  kind: KeyKind,
  values: readonly string[],
): Sql {
  const index = kind === 'id' ? sql`` : connection.usingIndex(`contacts_by_${kind}`);
  return sql`select chatbot_id, ${wholeColumns} from contacts ${index}
    where project_id = ${projectId} and chatbot_id in ${inList(chatbotIds)} and ${keyColumn[kind]} in ${inList(values)}`;
}

export const keyColumn = {
  id: sql`id`,
  email: sql`email_key`,
  phone: sql`phone_key`,
  external_id: sql`external_id`,
  digest: sql`import_digest`,
};
export const keyOf = { email: emailKey, phone: digitsOf, external_id: (value: string) => value };
