import type {
  DuplicateKeys,
  DuplicatePair,
  DuplicateProgress,
  DuplicateReads,
  DuplicateWrites,
  KeyField,
} from '../contacts/duplicates/store.ts';
import { partLength } from './contact-keys.ts';
import type { Access, Connection, Transaction } from './database.ts';
import { changedInSlices, inSlices } from './slices.ts';
import { inList, type Insertion, orUpdate, raw, type Sql, sql, type Value } from './sql.ts';

const side = { one_id: sql`one_id`, other_id: sql`other_id` };

export function duplicateReads(access: Access): DuplicateReads {
  return {
    progress: (projectId) =>
      access.first<DuplicateProgress>(
        sql`select counted, chatbot_id, contact_id from duplicate_progress where project_id = ${projectId}`,
      ),
    contactsAfter: (projectId, { chatbot_id: chatbotId, contact_id: id }, limit) =>
      access.all(
        sql`select chatbot_id, id from contacts where project_id = ${projectId} and (chatbot_id, id) > (${chatbotId}, ${id})
          order by chatbot_id, id limit ${limit}`,
      ),
    pairsAfter: (projectId, chatbotId, { band, one_id: oneId, other_id: otherId }, limit) =>
      access.all(
        sql`select one_id, other_id, band, reasons from duplicate_pairs ${access.usingIndex('duplicate_pairs_by_band')}
          where project_id = ${projectId} and chatbot_id = ${chatbotId}
            and (band, one_id, other_id) > (${band}, ${oneId}, ${otherId})
          order by band, one_id, other_id limit ${limit}`,
      ),
    staleAmong: (projectId, limit) =>
      access.all(
        sql`select chatbot_id, contact_id as id from duplicate_keys ${access.usingIndex('duplicate_keys_stale')}
          where project_id = ${projectId} and is_stale = 1 limit ${limit}`,
      ),
    pairsOf: (projectId, chatbotId, by, ids) =>
      inSlices(ids, (some) =>
        access.all<DuplicatePair>(
          sql`select one_id, other_id, band, reasons from duplicate_pairs
            where project_id = ${projectId} and chatbot_id = ${chatbotId} and ${side[by]} in ${inList(some)}`,
        ),
      ),
  };
}

const keysInsertion: Insertion = {
  into: 'duplicate_keys',
  columns: ['project_id', 'chatbot_id', 'contact_id', 'email', 'phone', 'name', 'company', 'domain', 'is_stale'],
  foundBy: ['project_id', 'chatbot_id', 'contact_id', 'email', 'phone', 'company', 'domain'],
  ending: orUpdate('project_id, chatbot_id, contact_id', ['email', 'phone', 'name', 'company', 'domain', 'is_stale']),
};
const pairInsertion: Insertion = {
  into: 'duplicate_pairs',
  columns: ['project_id', 'chatbot_id', 'one_id', 'other_id', 'band', 'reasons'],
  foundBy: [],
  ending: sql``,
};
const dismissal: Insertion = {
  into: 'dismissed_duplicates',
  columns: ['project_id', 'chatbot_id', 'one_id', 'other_id'],
  foundBy: [],
  ending: sql`on conflict do nothing`,
};

/** Forgets dismissals of contacts that are deleted for good; everything else goes with their rows. */
export function forgetDismissed(connection: Transaction, projectId: string, chatbotId: string, ids: readonly string[]) {
  return forget(connection, sql`dismissed_duplicates`, projectId, chatbotId, ids);
}

async function forget(
  connection: Transaction,
  table: Sql,
  projectId: string,
  chatbotId: string,
  ids: readonly string[],
) {
  for (const by of Object.values(side)) {
    await changedInSlices(ids, (some) =>
      connection.run(
        sql`delete from ${table} where project_id = ${projectId} and chatbot_id = ${chatbotId} and ${by} in ${inList(some)}`,
      ),
    );
  }
}

export function duplicateWrites(connection: Transaction): DuplicateWrites {
  return {
    keys: async (projectId, chatbotId, field, values, most) => {
      const ask = (some: readonly Value[], limit: number) =>
        connection.all<DuplicateKeys>(keysWith(connection, [projectId, chatbotId], field, some, limit));
      return inSlices(values, async (some) => {
        const found = await ask(some, partLength);
        return found.length < partLength ? found : (await Promise.all(some.map((value) => ask([value], most)))).flat();
      });
    },
    saveKeys: (projectId, chatbotId, all) => {
      const rows = all.map(({ id, email, phone, name, company, domain }): Value[] => {
        return [projectId, chatbotId, id, email, phone, name, company, domain, 0];
      });
      return connection.insertAll(keysInsertion, rows);
    },
    savePairs: async (projectId, chatbotId, ids, pairs) => {
      await forget(connection, sql`duplicate_pairs`, projectId, chatbotId, ids);
      const dismissed = await inSlices([...new Set(pairs.map((pair) => pair.one_id))], (some) =>
        connection.all<Pick<DuplicatePair, 'one_id' | 'other_id'>>(
          sql`select one_id, other_id from dismissed_duplicates
            where project_id = ${projectId} and chatbot_id = ${chatbotId} and one_id in ${inList(some)}`,
        ),
      );
      const isDismissed = new Set(dismissed.map((pair) => `${pair.one_id}\n${pair.other_id}`));
      const kept = pairs.filter((pair) => !isDismissed.has(`${pair.one_id}\n${pair.other_id}`));
      const rows = kept.map((pair) => [projectId, chatbotId, pair.one_id, pair.other_id, pair.band, pair.reasons]);
      await connection.insertAll(pairInsertion, rows);
    },
    saveProgress: async (projectId, { counted, chatbot_id: chatbotId, contact_id: contactId }) => {
      await connection.run(
        sql`insert into duplicate_progress (project_id, counted, chatbot_id, contact_id)
          select id, cast(${counted} as bigint), ${chatbotId}, ${contactId} from projects where id = ${projectId}
          ${orUpdate('project_id', ['counted', 'chatbot_id', 'contact_id'])}`,
      );
    },
    dismiss: async (projectId, chatbotId, ids) => {
      const sorted = ids.toSorted((a, b) => (a < b ? -1 : 1));
      const pairs = sorted.flatMap((one, at) =>
        sorted.slice(at + 1).map((other) => [projectId, chatbotId, one, other]),
      );
      await connection.insertAll(dismissal, pairs);
      await connection.run(
        sql`delete from duplicate_pairs where project_id = ${projectId} and chatbot_id = ${chatbotId}
          and one_id in ${inList(sorted)} and other_id in ${inList(sorted)}`,
      );
    },
  };
}

function keysWith(
  connection: Connection,
  [projectId, chatbotId]: readonly [string, string],
  field: KeyField | 'contact_id',
  values: readonly Value[],
  limit: number,
): Sql {
  const column = raw(field);
  const [index, isGiven] =
    field === 'contact_id'
      ? [sql``, sql``]
      : [connection.usingIndex(`duplicate_keys_by_${field}`), sql`and ${column} <> 0`];
  return sql`select contact_id as id, email, phone, name, company, domain from duplicate_keys ${index}
    where project_id = ${projectId} and chatbot_id = ${chatbotId} and ${column} in ${inList(values)} ${isGiven}
    limit ${limit}`;
}
