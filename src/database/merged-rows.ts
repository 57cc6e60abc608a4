import type { Alias, MergedContact } from '../contacts/merging/store.ts';
import { refKey } from '../contacts/store.ts';
import { eachInTurn } from '../values/give-way.ts';
import { contactsUnder, inParts } from './contact-keys.ts';
import { type ContactRow, toContact, wholeColumns } from './contact-rows.ts';
import type { Connection } from './database.ts';
import type { Turn } from './look-up-turns.ts';
import { inList, type Sql, sql } from './sql.ts';

type MergedRow = ContactRow & Omit<MergedContact, 'attributes' | 'tags'>;

const columns = sql`chatbot_id, ${wholeColumns}, email_key, alias, merge_id, first_into, merged_into, merged_at`;

/** The column of each kind of key; `target` finds all that lead to a contact. */
const foundBy = {
  id: sql`id`,
  email: sql`email_key`,
  external_id: sql`alias`,
  digest: sql`import_digest`,
  target: sql`merged_into`,
};

type Among = [connection: Connection, projectId: string, chatbotIds: readonly string[]];
type Under = [...Among, kind: keyof typeof foundBy, values: readonly string[], turn?: Turn];

export async function mergedUnder(...under: Under): Promise<MergedContact[]> {
  return eachInTurn(await rowsUnder<MergedRow>(columns, ...under), (row) => toContact(row) as MergedContact);
}

export type Lead = Alias & Pick<MergedContact, 'chatbot_id' | 'first_into'>;

/** Tens of thousands may be merged into one contact, and their keys alone take a tenth of the time. */
export function leadsUnder(...under: Under): Promise<Lead[]> {
  return rowsUnder<Lead>(sql`chatbot_id, id, email_key, alias, import_digest, first_into, merged_into`, ...under);
}

async function rowsUnder<Row extends { id: string }>(
  wanted: Sql,
  ...[connection, projectId, chatbotIds, kind, values, turn]: Under
): Promise<Row[]> {
  const read = (chatbots: readonly string[], some: readonly string[], ending: Sql) =>
    connection.all<Row>(
      sql`select ${wanted} from merged_contacts
        where project_id = ${projectId} and chatbot_id in ${inList(chatbots)} and ${foundBy[kind]} in ${inList(some)} ${ending}`,
    );
  return inParts(chatbotIds, values, read, turn);
}

/** The contacts to which these values of merged contacts lead, by the id of the merged one. */
export async function stayingUnder(...under: Under) {
  const [connection, projectId, chatbotIds] = under;
  const merged = await leadsUnder(...under);
  const ids = [...new Set(merged.map((one) => one.merged_into))];
  const staying = await contactsUnder(connection, projectId, chatbotIds, 'id', ids);
  const byPlace = new Map(staying.map((one) => [refKey(one), one]));
  return merged.flatMap(({ id, chatbot_id, merged_into: into }) => {
    const contact = byPlace.get(refKey({ chatbot_id, id: into }));
    return contact ? { id, contact } : [];
  });
}

export async function hasMerged(connection: Connection, projectId: string, chatbotId: string): Promise<boolean> {
  const row = await connection.first(
    sql`select id from merged_contacts where project_id = ${projectId} and chatbot_id = ${chatbotId} limit 1`,
  );
  return row !== undefined;
}

export function leadingBy(merged: readonly Lead[]) {
  const byTarget = Map.groupBy(merged, (one) => one.first_into);
  return (ids: readonly string[]): string[] => {
    const led = new Set(ids);
    // A set yields what is added meanwhile.
    for (const id of led) for (const one of byTarget.get(id) ?? []) led.add(one.id);
    return [...led].slice(ids.length);
  };
}

/** Those of these contacts that were merged, and all that were merged into these, directly or through others. */
export async function idsMergedWith(
  connection: Connection,
  projectId: string,
  chatbotId: string,
  contactIds: readonly string[],
): Promise<string[]> {
  if (!(await hasMerged(connection, projectId, chatbotId))) return [];
  const sources = await leadsUnder(connection, projectId, [chatbotId], 'id', contactIds);
  const targets = [...new Set([...contactIds, ...sources.map((one) => one.merged_into)])];
  const others = await leadsUnder(connection, projectId, [chatbotId], 'target', targets);
  const given = new Set(contactIds);
  const theirs = others.flatMap(({ id, merged_into: into }) => (given.has(into) ? id : []));
  return [...new Set([...sources.map(({ id }) => id), ...theirs, ...leadingBy(others)([...given])])];
}

export async function mergedWith(
  ...[connection, projectId, chatbotId, contactIds]: Parameters<typeof idsMergedWith>
): Promise<MergedContact[]> {
  const ids = await idsMergedWith(connection, projectId, chatbotId, contactIds);
  return mergedUnder(connection, projectId, [chatbotId], 'id', ids);
}
