import { type MergeReads, type MergeWrites, sourcesIn, type StoredMerge } from '../contacts/merging/store.ts';
import type { ContactWrites } from '../contacts/store.ts';
import { deleteFrom } from './contact-keys.ts';
import { copiedColumns, storedColumns } from './contact-rows.ts';
import type { Connection, Transaction } from './database.ts';
import { turnOf } from './look-up-turns.ts';
import { hasMerged, idsMergedWith, type Lead, leadingBy, leadsUnder, mergedUnder } from './merged-rows.ts';
import { changedInSlices, inSlices } from './slices.ts';
import { inList, insertInto, raw, sql } from './sql.ts';

const keysLeft = new Set(['project_id', 'chatbot_id', 'id', 'created_at', 'email_key', 'import_digest', 'revision']);
const emptied = raw(storedColumns.flatMap((name) => (keysLeft.has(name) ? [] : `${name} = null`)).join(', '));

export function mergedReads(access: Connection): MergeReads {
  return {
    mergedAmong: (projectId, chatbotId, ids) => mergedUnder(access, projectId, [chatbotId], 'id', ids),
    mergedInto: (projectId, chatbotId, ids, caller = {}) =>
      mergedUnder(access, projectId, [chatbotId], 'target', ids, turnOf(projectId, caller)),
    findMerge: (projectId, chatbotId, mergeId) =>
      access.first<StoredMerge>(
        sql`select id, contact_id, merged_at, request, result, former from merges
          where project_id = ${projectId} and chatbot_id = ${chatbotId} and id = ${mergeId}`,
      ),
  };
}

export function mergedWrites(connection: Transaction, save: ContactWrites['save']): MergeWrites {
  const leadTo = (projectId: string, chatbotId: string, target: string, ids: readonly string[]) =>
    changedInSlices(ids, (some) =>
      connection.run(
        sql`update merged_contacts set merged_into = ${target}
          where project_id = ${projectId} and chatbot_id = ${chatbotId} and id in ${inList(some)}`,
      ),
    );
  const forgetSources = async (projectId: string, chatbotId: string, mergeId: string, ids: readonly string[]) => {
    await connection.leaveNoTrace();
    await connection.run(
      sql`update merged_contacts set ${emptied}
        where project_id = ${projectId} and chatbot_id = ${chatbotId} and id in ${inList(ids)} and merge_id = ${mergeId}`,
    );
  };
  return {
    ...aliasWrites(connection),
    merge: async (projectId, chatbotId, { id: mergeId, contact_id: into, ...merge }, sources) => {
      const ids = sources.map(({ id }) => id);
      await connection.unindex(projectId, chatbotId, sources);
      await connection.run(
        sql`insert into merged_contacts (project_id, ${copiedColumns}, alias, merge_id, first_into, merged_into, merged_at)
          select project_id, ${copiedColumns}, external_id, ${mergeId}, ${into}, ${into}, ${merge.merged_at} from contacts
          where project_id = ${projectId} and chatbot_id = ${chatbotId} and id in ${inList(ids)}`,
      );
      const led = (await leadsUnder(connection, projectId, [chatbotId], 'target', ids)).map((one) => one.id);
      await leadTo(projectId, chatbotId, into, led);
      await deleteFrom(connection, sql`contacts`, projectId, chatbotId, ids);
      const row = { project_id: projectId, chatbot_id: chatbotId, id: mergeId, contact_id: into, ...merge };
      await connection.run(insertInto('merges', row));
      if (merge.former === null) await forgetSources(projectId, chatbotId, mergeId, ids);
    },
    unmerge: async (projectId, chatbotId, { id, contact_id: from }, sources) => {
      const ids = sources.map((one) => one.id);
      const leading = leadingBy(await leadsUnder(connection, projectId, [chatbotId], 'target', [from]));
      await deleteFrom(connection, sql`merged_contacts`, projectId, chatbotId, ids);
      for (const source of ids) await leadTo(projectId, chatbotId, source, leading([source]));
      const back = sources.map((after) => ({ after }));
      await save(projectId, chatbotId, back);
      await connection.run(
        sql`delete from merges where project_id = ${projectId} and chatbot_id = ${chatbotId} and id = ${id}`,
      );
    },
    forgetMerged: async (projectId, chatbotId, before, limit) => {
      const merges = await connection.all<Pick<StoredMerge, 'id' | 'request'>>(
        sql`select id, request from merges
          where project_id = ${projectId} and chatbot_id = ${chatbotId} and former is not null and merged_at < ${before}
          order by merged_at, id limit ${limit}`,
      );
      for (const { id, request } of merges) await forgetSources(projectId, chatbotId, id, sourcesIn(request));
      const ids = merges.map(({ id }) => id);
      if (ids.length === 0) return 0;
      return connection.run(
        sql`update merges set former = null
          where project_id = ${projectId} and chatbot_id = ${chatbotId} and id in ${inList(ids)}`,
      );
    },
  };
}

function aliasWrites(connection: Transaction): Pick<MergeWrites, 'findAliases' | 'endAliases'> {
  return {
    findAliases: async (projectId, chatbotId, keys, among) => {
      if (!(await hasMerged(connection, projectId, chatbotId))) return { aliases: [], staying: [] };
      const found = new Map<string, Lead>();
      for (const kind of ['id', 'email', 'external_id', 'digest'] as const) {
        const values = keys.filter((key) => key.startsWith(`${kind}:`)).map((key) => key.slice(kind.length + 1));
        for (const one of await leadsUnder(connection, projectId, [chatbotId], kind, values)) found.set(one.id, one);
      }
      const staying = await inSlices(among, (some) =>
        connection.all<{ id: string }>(
          sql`select id from contacts where project_id = ${projectId} and chatbot_id = ${chatbotId} and id in ${inList(some)}
            and exists (select 1 from merged_contacts as merged where merged.project_id = contacts.project_id
              and merged.chatbot_id = contacts.chatbot_id and merged.merged_into = contacts.id)`,
        ),
      );
      return { aliases: [...found.values()], staying: staying.map(({ id }) => id) };
    },
    endAliases: async (projectId, chatbotId, externalIds) => {
      await changedInSlices(externalIds, (some) =>
        connection.run(
          sql`update merged_contacts set alias = null
            where project_id = ${projectId} and chatbot_id = ${chatbotId} and alias in ${inList(some)}`,
        ),
      );
    },
  };
}

/** Also deletes those of these contacts that were merged themselves. Returns the ids of all that were merged. */
export async function purgeMerged(
  connection: Transaction,
  projectId: string,
  chatbotId: string,
  contactIds: readonly string[],
): Promise<string[]> {
  const gone = await idsMergedWith(connection, projectId, chatbotId, contactIds);
  await deleteFrom(connection, sql`merged_contacts`, projectId, chatbotId, gone);
  await changedInSlices([...new Set([...contactIds, ...gone])], (some) =>
    connection.run(
      sql`update merges set former = null
        where project_id = ${projectId} and chatbot_id = ${chatbotId} and contact_id in ${inList(some)}`,
    ),
  );
  return gone;
}
