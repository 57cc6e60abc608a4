import type { ContactSearch } from '../../contacts/store.ts';
import { giveWay } from '../../values/give-way.ts';
import { searchByUpdate, searchChanged } from '../search/by-update.ts';
import {
  allPlaces,
  amongChatbots,
  type Asking,
  beyond,
  foundColumns,
  indexState,
  type IndexState,
  type Places,
  requireIndexed,
} from '../search/found.ts';
import { type FoundRow, isHit, moreCandidates, searchTerms, searchTimer } from '../search/terms.ts';
import { sql } from '../sql.ts';

/** A database function queries the index, so the planner's statistics decide nothing. */
export async function searchContacts(
  connection: Asking['connection'],
  projectId: string,
  search: ContactSearch,
  isWhole: boolean,
): Promise<FoundRow[]> {
  const { tag = null, order, limit, created = always, chatbotIds } = search;
  const { isExact, ...sought } = searchTerms(projectId, search);
  const terms = textOf(sought);
  const asking = { connection, projectId, search, columns: foundColumns(isWhole) };
  if (search.byUpdate || search.updated) {
    requireIndexed((await connection.all<IndexState>(indexState(connection, projectId, chatbotIds)))[0]);
  }
  if (search.byUpdate) return searchByUpdate(asking, sql`search_key @@ ${terms}::tsquery`);
  const changed = await searchChanged(asking);
  if (changed) return changed;
  const isNewest = order === 'newest';
  const chatbots = chatbotIds
    ? sql`array(select jsonb_array_elements_text(${JSON.stringify(chatbotIds)}::jsonb))`
    : sql`null`;
  const candidates = async ({ from, to }: Places, number: number) => {
    const rows = await connection.all<IndexState & FoundRow>(
      sql`select * from (${indexState(connection, projectId, chatbotIds)}) as state
        left join lateral (
          select ${foundColumns(isWhole)}
          from find_contacts(${projectId}, ${terms}, ${tag}, ${isNewest ? 'true' : 'false'},
            ${from}, ${to}, ${created.after}, ${created.before}, ${number}, ${chatbots})
          cross join contacts
          where project_id = ${projectId} and chatbot_id = found_chatbot and id = found_id ${amongChatbots(chatbotIds)}
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
      if (isHit(row, search)) found.push(row);
    }
    const last = rows.length < number ? undefined : rows.at(-1);
    if (!last || found.length >= limit) return found.slice(0, limit);
    requireTime();
    places = beyond(last.place, places, order);
  }
}

const always = { after: '', before: 'A' };

function textOf({ all, none }: Pick<ReturnType<typeof searchTerms>, 'all' | 'none'>): string {
  return [...all.map(oneOf), ...none.map((terms) => `!${oneOf(terms)}`)].join(' & ');
}

function oneOf(terms: readonly string[]): string {
  return `(${terms.map((term) => `'${term}'`.replace("*'", "':*")).join(' | ')})`;
}
