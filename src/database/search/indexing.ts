import { foldingVersion } from '../../contacts/words.ts';
import type { Upkeep } from '../../upkeep.ts';
import { giveWay } from '../../values/give-way.ts';
import { contactIndexing, unindexed } from '../contact-rows.ts';
import type { Database } from '../database.ts';
import { sql, type Value } from '../sql.ts';
import { chatbotTerm, searchedColumns, type SearchedRow, termsOf, toSearchable } from './terms.ts';

type Row = SearchedRow & Record<'chatbot_id' | 'id' | 'created_at', string>;

const projectsMax = 100;

/** Puts contacts into the index that are not in it, a step at a time: nobody writes those of the step meanwhile. */
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
        // A newer program has rebuilt the index and does the indexing.
        const folding = sql`select 1 from search_state where folding = ${foldingVersion}`;
        if ((await connection.first(folding)) === undefined) return 0;
        // In the order of places, in which the index takes them best.
        const rows = await connection.all<Row>(
          sql`select chatbot_id, id, created_at, ${searchedColumns}
            from contacts ${connection.usingIndex('contacts_unindexed')}
            where project_id = ${projectId} and search_key is null
            order by chatbot_id, place limit ${limit} ${connection.skipLocked}`,
        );
        const entries: Value[][] = [];
        for (const row of rows) {
          await giveWay();
          const { chatbot_id: chatbotId, id, created_at: createdAt } = row;
          const terms = termsOf(chatbotTerm(projectId, chatbotId), toSearchable(row));
          entries.push([projectId, chatbotId, id, createdAt, terms, unindexed]);
        }
        await connection.insertAll(contactIndexing, entries);
        return rows.length;
      }),
    mergeIndex: () => database.mergeIndex(),
  };
}
