import type { ContactSearch } from '../../contacts/store.ts';
import type { Position } from '../../values/cursor.ts';
import { giveWay } from '../../values/give-way.ts';
import type { Connection } from '../database.ts';
import {
  hasWord,
  moreCandidates,
  searchedColumns,
  type SearchedRow,
  searchTerms,
  searchTimer,
} from '../search/terms.ts';
import { slicesOf } from '../slices.ts';
import { inList, sql } from '../sql.ts';

/** A database function queries the index, so the planner's statistics decide nothing. */
export async function searchContacts(
  connection: Pick<Connection, 'all'>,
  projectId: string,
  chatbotId: string,
  search: ContactSearch,
): Promise<Position[]> {
  const { words, tag = null, order, limit } = search;
  const { whole, beginnings, isExact } = searchTerms(projectId, chatbotId, search);
  const terms = [...whole.map((term) => `'${term}'`), ...beginnings.map((term) => `'${term}':*`)].join(' & ');
  const candidates = async ({ lower, upper }: Bounds, number: number): Promise<Position[]> => {
    const rows = await connection.all<{ found_time: string; found_id: string }>(
      sql`select found_time, found_id from search_contacts(
        ${projectId}, ${chatbotId}, ${terms}, ${tag}, ${order === 'newest' ? 'true' : 'false'},
        ${lower[0]}, ${lower[1]}, ${upper[0]}, ${upper[1]}, ${number})`,
    );
    return rows.map(({ found_time: time, found_id: id }) => [time, id]);
  };
  if (isExact) return candidates(search, limit);
  const found: Position[] = [];
  const requireTime = searchTimer();
  let bounds: Bounds = search;
  for (let number = moreCandidates(limit); ; number = moreCandidates(number)) {
    const some = await candidates(bounds, number);
    for (const part of slicesOf(some)) {
      if (found.length >= limit) break;
      requireTime();
      const rows = await connection.all<SearchedRow & { id: string }>(
        sql`select id, ${searchedColumns} from contacts
          where project_id = ${projectId} and chatbot_id = ${chatbotId} and id in ${inList(part.map(([, id]) => id))}`,
      );
      const hits = new Set<string>();
      for (const row of rows) {
        await giveWay();
        if (words.every((word) => hasWord(row, word))) hits.add(row.id);
      }
      found.push(...part.filter(([, id]) => hits.has(id)));
    }
    const last = some.length < number ? undefined : some.at(-1);
    if (!last || found.length >= limit) return found.slice(0, limit);
    bounds = order === 'newest' ? { lower: search.lower, upper: last } : { lower: last, upper: search.upper };
  }
}

type Bounds = Pick<ContactSearch, 'lower' | 'upper'>;
