import type { MergedContact, MergeReads, MergeWrites, StoredMerge } from '../contacts/merging/store.ts';
import { type ContactWrites, placeOf } from '../contacts/store.ts';
import { giveWay } from '../values/give-way.ts';
import { chatbotsAmong, contactsUnder, deleteFrom, pairsOfSlices } from './contact-keys.ts';
import { type ContactRow, storedColumns, toContact, wholeColumns } from './contact-rows.ts';
import type { Connection, Transaction } from './database.ts';
import { changedInSlices } from './slices.ts';
import { inList, insertInto, raw, sql } from './sql.ts';

type MergedRow = ContactRow & Omit<MergedContact, 'attributes' | 'tags'>;

const columns = sql`chatbot_id, ${wholeColumns}, email_key, alias, merge_id, first_into, merged_into, merged_at`;
const copied = raw(storedColumns.slice(1).join(', '));
const keysLeft = new Set(['project_id', 'chatbot_id', 'id', 'created_at', 'email_key', 'import_digest', 'revision']);
const emptied = raw(storedColumns.flatMap((name) => (keysLeft.has(name) ? [] : `${name} = null`)).join(', '));

/** The column of each kind of key; `target` finds all that lead to a contact. */
const foundBy = {
  id: sql`id`,
  email: sql`email_key`,
  external_id: sql`alias`,
  digest: sql`import_digest`,
  target: sql`merged_into`,
};

export async function mergedUnder(
  connection: Connection,
  projectId: string,
  chatbotIds: readonly string[],
  kind: keyof typeof foundBy,
  values: readonly string[],
): Promise<MergedContact[]> {
  const found: MergedContact[] = [];
  for (const [chatbots, some] of pairsOfSlices(chatbotIds, values)) {
    const rows = await connection.all<MergedRow>(
      sql`select ${columns} from merged_contacts
        where project_id = ${projectId} and chatbot_id in ${inList(chatbots)} and ${foundBy[kind]} in ${inList(some)}`,
    );
    found.push(...rows.map((row) => toContact(row) as MergedContact));
    await giveWay();
  }
  return found;
}

/** The contacts to which these values of merged contacts lead, by the id of the merged one. */
export async function stayingUnder(...asked: Parameters<typeof mergedUnder>) {
  const [connection, projectId, chatbotIds] = asked;
  const merged = await mergedUnder(...asked);
  const ids = [...new Set(merged.map((one) => one.merged_into))];
  const staying = await contactsUnder(connection, projectId, chatbotIds, 'id', ids);
  const byPlace = new Map(staying.map((one) => [placeOf(one), one]));
  return merged.flatMap(({ id, chatbot_id, merged_into: into }) => {
    const contact = byPlace.get(placeOf({ chatbot_id, id: into }));
    return contact ? { id, contact } : [];
  });
}

export function mergedReads(access: Connection): MergeReads {
  return {
    mergedAmong: async (projectId, chatbotId, contactIds, by = 'id') =>
      mergedUnder(access, projectId, await chatbotsAmong(access, projectId, chatbotId), by, contactIds),
    findMerge: (projectId, chatbotId, mergeId) =>
      access.first<StoredMerge>(
        sql`select id, contact_id, merged_at, request, result, former from merges
          where project_id = ${projectId} and chatbot_id = ${chatbotId} and id = ${mergeId}`,
      ),
  };
}

export function mergedWrites(connection: Transaction, insert: ContactWrites['save']): MergeWrites {
  const forgetSources = async (projectId: string, chatbotId: string, mergeIds: readonly string[]) => {
    await connection.leaveNoTrace();
    await connection.run(
      sql`update merged_contacts set ${emptied}
        where project_id = ${projectId} and chatbot_id = ${chatbotId} and merge_id in ${inList(mergeIds)}`,
    );
  };
  return {
    findAliases: async (projectId, chatbotId, keys, targets) => {
      if (!(await hasMerged(connection, projectId, chatbotId))) return [];
      const found: MergedContact[] = [];
      for (const kind of ['id', 'email', 'external_id', 'digest'] as const) {
        const values = keys.filter((key) => key.startsWith(`${kind}:`)).map((key) => key.slice(kind.length + 1));
        found.push(...(await mergedUnder(connection, projectId, [chatbotId], kind, values)));
      }
      const led = new Set([...targets, ...found.map((one) => one.merged_into)]);
      return mergedUnder(connection, projectId, [chatbotId], 'target', [...led]);
    },
    endAliases: async (projectId, chatbotId, externalIds) => {
      await changedInSlices(externalIds, (some) =>
        connection.run(
          sql`update merged_contacts set alias = null
            where project_id = ${projectId} and chatbot_id = ${chatbotId} and alias in ${inList(some)}`,
        ),
      );
    },
    merge: async (projectId, chatbotId, { id: mergeId, contact_id: into, ...merge }, sources) => {
      const ids = sources.map(({ id }) => id);
      await connection.unindex(projectId, chatbotId, sources);
      await connection.run(
        sql`insert into merged_contacts (project_id, ${copied}, alias, merge_id, first_into, merged_into, merged_at)
          select project_id, ${copied}, external_id, ${mergeId}, ${into}, ${into}, ${merge.merged_at} from contacts
          where project_id = ${projectId} and chatbot_id = ${chatbotId} and id in ${inList(ids)}`,
      );
      await connection.run(
        sql`update merged_contacts set merged_into = ${into}
          where project_id = ${projectId} and chatbot_id = ${chatbotId} and merged_into in ${inList(ids)}`,
      );
      await deleteFrom(connection, sql`contacts`, projectId, chatbotId, ids);
      const row = { project_id: projectId, chatbot_id: chatbotId, id: mergeId, contact_id: into, ...merge };
      await connection.run(insertInto('merges', row));
      if (merge.former === null) await forgetSources(projectId, chatbotId, [mergeId]);
    },
    unmerge: async (projectId, chatbotId, { id, contact_id: from }, sources) => {
      const ids = sources.map((one) => one.id);
      const others = await mergedUnder(connection, projectId, [chatbotId], 'target', [from]);
      await deleteFrom(connection, sql`merged_contacts`, projectId, chatbotId, ids);
      for (const source of ids) {
        await changedInSlices(leadingBy(others, [source]), (some) =>
          connection.run(
            sql`update merged_contacts set merged_into = ${source}
              where project_id = ${projectId} and chatbot_id = ${chatbotId} and id in ${inList(some)}`,
          ),
        );
      }
      const back = sources.map((after) => ({ after }));
      await insert(projectId, chatbotId, back);
      await connection.run(
        sql`delete from merges where project_id = ${projectId} and chatbot_id = ${chatbotId} and id = ${id}`,
      );
    },
    forgetMerged: async (projectId, chatbotId, before, limit) => {
      const merges = await connection.all<{ id: string }>(
        sql`select id from merges
          where project_id = ${projectId} and chatbot_id = ${chatbotId} and former is not null and merged_at < ${before}
          order by merged_at, id limit ${limit}`,
      );
      const ids = merges.map(({ id }) => id);
      if (ids.length === 0) return 0;
      await forgetSources(projectId, chatbotId, ids);
      return connection.run(
        sql`update merges set former = null
          where project_id = ${projectId} and chatbot_id = ${chatbotId} and id in ${inList(ids)}`,
      );
    },
  };
}

async function hasMerged(connection: Connection, projectId: string, chatbotId: string): Promise<boolean> {
  const row = await connection.first(
    sql`select id from merged_contacts where project_id = ${projectId} and chatbot_id = ${chatbotId} limit 1`,
  );
  return row !== undefined;
}

/** The ids of the contacts that were merged into these, directly or through others. */
function leadingBy(merged: readonly MergedContact[], ids: readonly string[]): string[] {
  const led = new Set(ids);
  for (let size = -1; size !== led.size;) {
    size = led.size;
    for (const { id, first_into: into } of merged) if (led.has(into)) led.add(id);
  }
  return [...led].filter((id) => !ids.includes(id));
}

/** Those of these contacts that were merged, and all that were merged into these, directly or through others. */
export async function mergedWith(
  connection: Connection,
  projectId: string,
  chatbotId: string,
  contactIds: readonly string[],
): Promise<MergedContact[]> {
  if (!(await hasMerged(connection, projectId, chatbotId))) return [];
  const sources = await mergedUnder(connection, projectId, [chatbotId], 'id', contactIds);
  const targets = [...contactIds, ...sources.map((one) => one.merged_into)];
  const others = await mergedUnder(connection, projectId, [chatbotId], 'target', targets);
  const led = new Set(leadingBy(others, contactIds));
  const theirs = others.filter(({ id, merged_into: into }) => led.has(id) || contactIds.includes(into));
  return [...new Map([...sources, ...theirs].map((one) => [one.id, one])).values()];
}

/** Deletes all that lead to these contacts, and those of these that were merged themselves. Returns the number of the latter. */
export async function purgeMerged(
  connection: Transaction,
  projectId: string,
  chatbotId: string,
  contactIds: readonly string[],
): Promise<number> {
  const gone = (await mergedWith(connection, projectId, chatbotId, contactIds)).map(({ id }) => id);
  await deleteFrom(connection, sql`merged_contacts`, projectId, chatbotId, gone);
  await changedInSlices([...new Set([...contactIds, ...gone])], (some) =>
    connection.run(
      sql`update merges set former = null
        where project_id = ${projectId} and chatbot_id = ${chatbotId} and contact_id in ${inList(some)}`,
    ),
  );
  return gone.filter((id) => contactIds.includes(id)).length;
}
