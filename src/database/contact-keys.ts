import type { StoredContact } from '../contacts/contact.ts';
import type { OwnedContact } from '../contacts/store.ts';
import { emailKey } from '../values/email.ts';
import { giveWay } from '../values/give-way.ts';
import { digitsOf } from '../values/text.ts';
import { type ContactRow, toContact, wholeColumns } from './contact-rows.ts';
import type { Connection, Transaction } from './database.ts';
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
      const key = `${kind}:${storedKey[kind](contact)}`;
      const others = found.get(key);
      if (others) others.push(contact);
      else found.set(key, [contact]);
    }
  }
  return found;
}

type KeyKind = keyof typeof keyColumn;

/** Thousands of contacts may share an address, so they are read in parts of this size. */
const partLength = 5_000;

/** Finds all contacts of these chatbots with one of these values. Yields to other work between statements. */
export async function contactsUnder(
  connection: Connection,
  projectId: string,
  chatbotIds: readonly string[],
  kind: KeyKind,
  values: readonly string[],
): Promise<OwnedContact[]> {
  const found: OwnedContact[] = [];
  const read = async (chatbots: readonly string[], some: readonly string[], ending: Sql) => {
    const query = contactsByKey(connection, projectId, chatbots, kind, some);
    const rows = await connection.all<OwnedRow>(sql`${query} ${ending} limit ${partLength}`);
    await giveWay();
    return rows.map(toOwned);
  };
  for (const [chatbots, some] of pairsOfSlices(chatbotIds, values)) {
    const contacts = await read(chatbots, some, sql``);
    const isAll = contacts.length < partLength;
    if (isAll) found.push(...contacts);
    for (const [chatbotId, value] of isAll ? [] : pairsOf(chatbots, some)) {
      let part: OwnedContact[] = [];
      do {
        part = await read([chatbotId], [value], sql`and id > ${part.at(-1)?.id ?? ''} order by id`);
        found.push(...part);
      } while (part.length === partLength);
    }
  }
  return found;
}

type OwnedRow = ContactRow & { chatbot_id: string };

function toOwned(row: OwnedRow): OwnedContact {
  return toContact(row) as OwnedContact;
}

/** Each slice of chatbots with each slice of values: what one statement asks for. */
export function pairsOfSlices(chatbotIds: readonly string[], values: readonly string[]) {
  return pairsOf(slicesOf(chatbotIds), slicesOf(values));
}

function pairsOf<One, Other>(ones: readonly One[], others: readonly Other[]) {
  return ones.flatMap((one) => others.map((other): [One, Other] => [one, other]));
}

/** Deletes rows of contacts by their ids. Returns how many. */
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

/** The chatbot, or all of the project. */
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

const keyColumn = {
  id: sql`id`,
  email: sql`email_key`,
  phone: sql`phone_key`,
  external_id: sql`external_id`,
  digest: sql`import_digest`,
};
export const keyOf = { email: emailKey, phone: digitsOf, external_id: (value: string) => value };
const storedKey = {
  id: (contact: StoredContact) => contact.id,
  email: (contact: StoredContact) => emailKey(contact.email ?? ''),
  external_id: (contact: StoredContact) => contact.external_id,
  digest: (contact: StoredContact) => contact.import_digest,
};
