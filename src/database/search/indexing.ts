import { foldingVersion } from '../../contacts/words.ts';
import type { Upkeep } from '../../upkeep.ts';
import { giveWay } from '../../values/give-way.ts';
import { contactIndexing, unindexed } from '../contact-rows.ts';
import type { Database, Transaction } from '../database.ts';
import { sql, type Value } from '../sql.ts';
import { searchedColumns, type SearchedRow, termsIn, toIndexed } from './terms.ts';

type Row = SearchedRow & Record<'chatbot_id' | 'id' | 'created_at', string> & { place: number | null };

const projectsMax = 100;

export function contactIndexingOf(
  database: Database,
): Pick<Upkeep, 'unindexedProjects' | 'indexContacts' | 'mergeIndex'> {
  return {
    unindexedProjects: async () => {
      const rows = await database.all<{ project_id: string }>(
        sql`select project_id from unindexed_projects order by project_id limit ${projectsMax}`,
      );
      return rows.map(({ project_id: projectId }) => projectId);
    },
    indexContacts: (projectId, limit) =>
      database.transaction(async (connection) => {
        // Steps run one at a time. If a newer program has rebuilt the index, that program fills it.
        const state = sql`select folding from search_state ${connection.forUpdate}`;
        if ((await connection.first<{ folding: number }>(state))?.folding !== foldingVersion) return 0;
        const rows = await rowsOfStep(connection, projectId, limit);
        const entries: Value[][] = [];
        for (const row of rows) {
          await giveWay();
          const { chatbot_id: chatbotId, id, created_at: createdAt, place } = row;
          const terms = termsIn(projectId, chatbotId)(toIndexed(row));
          entries.push([projectId, chatbotId, id, createdAt, place, terms, unindexed]);
        }
        await connection.insertAll(contactIndexing, entries);
        return rows.length;
      }),
    mergeIndex: () => database.mergeIndex(),
  };
}

/** Contacts that are not in the index. Those without a place come first, and get one by their time of creation. */
async function rowsOfStep(connection: Transaction, projectId: string, limit: number): Promise<Row[]> {
  const columns = sql`chatbot_id, id, created_at, place, ${searchedColumns}`;
  const unplaced = await connection.all<Row>(
    sql`select ${columns} from contacts ${connection.usingIndex('contacts_unplaced')}
      where project_id = ${projectId} and place is null
      order by created_at desc, id desc limit ${limit} ${connection.skipLocked}`,
  );
  if (unplaced.length > 0) {
    const taken = sql`update search_state set first_place = first_place - ${unplaced.length} returning first_place`;
    let next = (await connection.first<{ first_place: number }>(taken))?.first_place ?? 0;
    const rows = unplaced.toReversed();
    for (const row of rows) row.place = next++;
    return rows;
  }
  return connection.all<Row>(
    sql`select ${columns} from contacts ${connection.usingIndex('contacts_unindexed')}
      where project_id = ${projectId} and search_key is null
      order by chatbot_id, place limit ${limit} ${connection.skipLocked}`,
  );
}
