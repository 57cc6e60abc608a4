import type { ContactSearch } from '../../contacts/store.ts';
import { giveWay } from '../../values/give-way.ts';
import type { Connection } from '../database.ts';
import {
  allPlaces,
  beyond,
  foundColumns,
  type FoundRow,
  indexState,
  type IndexState,
  type Places,
  requireIndexed,
} from '../search/found.ts';
import { hasWord, moreCandidates, searchTerms, searchTimer } from '../search/terms.ts';
import { sql } from '../sql.ts';

/** A database function queries the index, so the planner's statistics decide nothing. */
export async function searchContacts(
  connection: Pick<Connection, 'all' | 'usingIndex'>,
  projectId: string,
  chatbotId: string,
  search: ContactSearch,
  isWhole: boolean,
): Promise<FoundRow[]> {
  const { words, tag = null, order, limit, created = always } = search;
  const { whole, beginnings, isExact } = searchTerms(projectId, chatbotId, search);
  const terms = [...whole.map((term) => `'${term}'`), ...beginnings.map((term) => `'${term}':*`)].join(' & ');
  const isNewest = order === 'newest';
  const candidates = async ({ from, to }: Places, number: number) => {
    const rows = await connection.all<IndexState & FoundRow>(
      sql`select * from (${indexState(connection, projectId, chatbotId)}) as state
        left join lateral (
          select ${foundColumns(isWhole)}
          from find_contacts(${projectId}, ${chatbotId}, ${terms}, ${tag}, ${isNewest ? 'true' : 'false'},
            ${from}, ${to}, ${created.after}, ${created.before}, ${number})
          cross join contacts where project_id = ${projectId} and chatbot_id = ${chatbotId} and id = found_id
        ) as found on true
        order by place ${isNewest ? sql`desc` : sql`asc`}`,
    );
    requireIndexed(rows[0]);
    return rows.filter(({ id }) => id !== null);
  };
  let places = beyond(search.after, allPlaces, order);
  if (isExact) return candidates(places, limit);
  const found: FoundRow[] = [];
  const requireTime = searchTimer();
  for (let number = moreCandidates(limit); ; number = moreCandidates(number)) {
    const rows = await candidates(places, number);
    for (const row of rows) {
      await giveWay();
      if (words.every((word) => hasWord(row, word))) found.push(row);
    }
    const last = rows.length < number ? undefined : rows.at(-1);
    if (!last || found.length >= limit) return found.slice(0, limit);
    requireTime();
    places = beyond(last.place, places, order);
  }
}

const always = { after: '', before: 'A' };
