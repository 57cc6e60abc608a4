import type { ContactSearch } from '../../contacts/store.ts';
import type { Position } from '../../values/cursor.ts';
import { hasWord, moreCandidates, searchTerms, searchTimer } from '../search/terms.ts';
import { type Asking, type Hit } from './contact-hit.ts';
import { walkHits } from './contact-walk.ts';

/** The index has beginnings of this length; for a longer one FTS5 gathers all hits before the first. */
const charactersIndexed = 3;
const candidatesForEach = 2;

/**
 * Looks first among some whose words begin with as much as the index has: a frequent word is found there. Then the word that
 * few of them have is asked for as a whole, so that a rare word does not take long either.
 */
export async function searchContacts(
  connection: Asking['connection'],
  projectId: string,
  chatbotId: string,
  search: ContactSearch,
): Promise<Position[]> {
  const { words: beginnings, tag } = search;
  const shortened = beginnings.map((word) => Array.from(word).slice(0, charactersIndexed).join(''));
  const isShort = shortened.every((word, place) => word === beginnings[place]);
  const { isExact } = searchTerms(projectId, chatbotId, { words: shortened, tag });
  const areAll = isShort && isExact;
  const few = areAll ? search.limit : search.limit * candidatesForEach;
  const look = async (words: readonly string[], within: Pick<ContactSearch, 'lower' | 'upper'>, limit = few) => {
    const { whole, beginnings: begun } = searchTerms(projectId, chatbotId, { words, tag });
    const query = [...whole.map((term) => `"${term}"`), ...begun.map((term) => `"${term}"*`)].join(' AND ');
    const hits = await walkHits({ ...search, ...within, limit, connection, projectId, chatbotId, query, asked: words });
    const found = areAll ? hits : hits.filter((hit) => beginnings.every((word) => hasWord(hit, word)));
    return { hits, found, last: hits.length < limit ? undefined : hits.at(-1) };
  };
  const first = await look(shortened, search);
  if (first.last === undefined || first.found.length >= search.limit) return positionsOf(first.found, search.limit);
  const rarest = rarestOf(beginnings, first.hits);
  const words = shortened.map((word, place) => (place === rarest ? (beginnings[place] ?? word) : word));
  const { found, ...second } = await look(words, search);
  const requireTime = searchTimer();
  // FTS5 gathers all who have a longer word again for each question: page after page would take minutes.
  for (let { last } = second, limit = few; last && found.length < search.limit; limit = moreCandidates(limit)) {
    requireTime();
    const rest = await look(beginnings, beyond(last, search), limit);
    found.push(...rest.found);
    last = rest.last;
  }
  return positionsOf(found, search.limit);
}

/** The place of the word that the fewest of some contacts have; of several the longest. */
function rarestOf(beginnings: readonly string[], hits: readonly Hit[]): number {
  const counted = beginnings.map((word, place) => ({
    place,
    count: hits.filter((hit) => hasWord(hit, word)).length,
    length: word.length,
  }));
  return counted.toSorted((a, b) => a.count - b.count || b.length - a.length)[0]?.place ?? 0;
}

function positionsOf(hits: readonly Hit[], limit: number): Position[] {
  return hits.slice(0, limit).map(({ created_at: time, id }) => [time, id]);
}

function beyond(hit: Hit, { order, lower, upper }: ContactSearch): Pick<ContactSearch, 'lower' | 'upper'> {
  const position: Position = [hit.created_at, hit.id];
  return order === 'newest' ? { lower, upper: position } : { lower: position, upper };
}
