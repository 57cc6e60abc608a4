import type { ContactSearch } from '../../contacts/store.ts';
import type { Position } from '../../values/cursor.ts';
import type { Connection } from '../database.ts';
import { searchTerms } from '../search-terms.ts';
import { sql } from '../sql.ts';

/** A function of the database asks the index, so that the planner's statistics decide nothing. */
export async function searchContacts(
  connection: Pick<Connection, 'all'>,
  projectId: string,
  chatbotId: string,
  search: ContactSearch,
): Promise<Position[]> {
  const { tag = null, order, lower, upper, limit } = search;
  const { whole, beginnings } = searchTerms(projectId, chatbotId, search);
  const terms = [...whole.map((term) => `'${term}'`), ...beginnings.map((word) => `'${word}':*`)].join(' & ');
  const rows = await connection.all<{ found_time: string; found_id: string }>(
    sql`select found_time, found_id from search_contacts(
      ${projectId}, ${chatbotId}, ${terms}, ${tag}, ${order === 'newest' ? 'true' : 'false'},
      ${lower[0]}, ${lower[1]}, ${upper[0]}, ${upper[1]}, ${limit})`,
  );
  return rows.map(({ found_time: time, found_id: id }) => [time, id]);
}
