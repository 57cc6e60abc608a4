import type { ContactReads } from '../../contacts/store.ts';
import { foldingVersion } from '../../contacts/words.ts';
import { AppError } from '../../errors.ts';
import { type ContactRow, shownColumns, toContact, wholeColumns } from '../contact-rows.ts';
import type { Access, Connection } from '../database.ts';
import { inList, sql } from '../sql.ts';

export function contactSearches(access: Access): Pick<ContactReads, 'search'> {
  return {
    search: async (projectId, chatbotId, search, isWhole) => {
      await requireIndexed(access, projectId, chatbotId);
      const positions = await access.search(projectId, chatbotId, search);
      // Check again: the index may have been emptied meanwhile for a rebuild.
      await requireIndexed(access, projectId, chatbotId);
      if (positions.length === 0) return [];
      const rows = await access.all<ContactRow>(
        sql`select ${isWhole ? wholeColumns : shownColumns} from contacts
          where project_id = ${projectId} and chatbot_id = ${chatbotId} and id in ${inList(positions.map(([, id]) => id))}`,
      );
      const byId = new Map(rows.map((row) => [row.id, row]));
      return positions.flatMap(([, id]) => {
        const row = byId.get(id);
        return row ? [isWhole ? toContact(row) : row] : [];
      });
    },
  };
}

/** Half of an index would find half of the people. */
async function requireIndexed(connection: Connection, projectId: string, chatbotId: string): Promise<void> {
  const state = await connection.first<{ folding: number; unindexed: string | null }>(
    sql`select folding, (
        select id from contacts ${connection.usingIndex('contacts_unindexed')}
        where project_id = ${projectId} and chatbot_id = ${chatbotId} and search_key is null limit 1
      ) as unindexed
      from search_state`,
  );
  if (state?.folding === foldingVersion && state.unindexed === null) return;
  throw new AppError(
    'unavailable',
    'The contacts are being indexed for search; try again later, or run "roster migrate", which does it at once.',
  );
}
