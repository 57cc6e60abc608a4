import type { ContactSearch } from '../../contacts/store.ts';
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
import { type FoundRow, hasWord, isHit, moreCandidates, searchTerms, searchTimer } from '../search/terms.ts';
import { sql } from '../sql.ts';
import { placesOfBlocks, walkBlocks } from './contact-blocks.ts';

/** The index has beginnings of this length; for a longer one FTS5 gathers all hits before the first. */
const charactersIndexed = 3;
const candidatesForEach = 2;

export async function searchContacts(
  connection: Asking['connection'],
  projectId: string,
  search: ContactSearch,
  isWhole: boolean,
): Promise<FoundRow[]> {
  requireIndexed((await connection.all<IndexState>(indexState(connection, projectId, search.chatbotIds)))[0]);
  const asking = { connection, projectId, search, columns: foundColumns(isWhole) };
  if (search.byUpdate) {
    const hits = sql`select of_chatbot, contact_id from contact_words
      cross join indexed_contacts on entry = contact_words.rowid
      where contact_words match ${textOf(searchTerms(projectId, search))}`;
    return searchByUpdate(asking, sql`(chatbot_id, id) in (${hits})`);
  }
  const changed = await searchChanged(asking);
  if (changed) return changed;
  const places = beyond(search.after, allPlaces, search.order);
  if (!search.created) return askIndex(asking, places, search.limit);
  const { found, rest } = await walkBlocks(asking, places);
  const left = rest && (await placesOfBlocks(asking, rest));
  return left ? [...found, ...(await askIndex(asking, left, search.limit - found.length))] : found;
}

/** Looks among some with shortened words, which finds a frequent one; then asks for the rarest word as a whole. */
async function askIndex(asking: Asking, places: Places, wanted: number): Promise<FoundRow[]> {
  const { projectId, search } = asking;
  const { words: beginnings, order } = search;
  const shortened = beginnings.map((word) => Array.from(word).slice(0, charactersIndexed).join(''));
  const isShort = shortened.every((word, place) => word === beginnings[place]);
  const areAll = isShort && searchTerms(projectId, search).isExact;
  const few = areAll ? wanted : wanted * candidatesForEach;
  const look = async (words: readonly string[], within: Places, limit = few, of = asking) => {
    const query = textOf(searchTerms(projectId, { ...search, words }));
    const hits = await hitsOf(of, query, within, limit);
    const found = areAll ? hits : hits.filter((hit) => isHit(hit, search));
    return { hits, found, last: hits.length < limit ? undefined : hits.at(-1) };
  };
  // Where the walk of blocks has found few, contacts of any time show which word is rare.
  const first = await look(shortened, places, few, { ...asking, search: { ...search, created: undefined } });
  const isDone = first.last === undefined || first.found.length >= wanted;
  if (isDone && !search.created) return first.found.slice(0, wanted);
  const rarest = rarestOf(beginnings, first.hits);
  const words = shortened.map((word, place) => (place === rarest ? (beginnings[place] ?? word) : word));
  const { found, ...second } = await look(words, places);
  const requireTime = searchTimer();
  // FTS5 gathers all who have a longer word again for each question: page after page would take minutes.
  for (let { last } = second, limit = few; last && found.length < wanted; limit = moreCandidates(limit)) {
    requireTime();
    const rest = await look(beginnings, beyond(last.place, places, order), limit);
    found.push(...rest.found);
    last = rest.last;
  }
  return found.slice(0, wanted);
}

function rarestOf(beginnings: readonly string[], hits: readonly FoundRow[]): number {
  const counted = beginnings.map((word, place) => ({
    place,
    count: hits.filter((hit) => hasWord(hit, word)).length,
    length: word.length,
  }));
  return counted.toSorted((a, b) => a.count - b.count || b.length - a.length)[0]?.place ?? 0;
}

function textOf({ all, none }: ReturnType<typeof searchTerms>): string {
  return [`(${all.map(oneOf).join(' AND ')})`, ...none.map(oneOf)].join(' NOT ');
}

function oneOf(terms: readonly string[]): string {
  return `(${terms.map((term) => `"${term}"`.replace('*"', '"*')).join(' OR ')})`;
}

function hitsOf(asking: Asking, query: string, { from, to }: Places, limit: number): Promise<FoundRow[]> {
  const { connection, projectId, columns, search } = asking;
  const { tag, created, order, chatbotIds } = search;
  const hasTag = tag === undefined ? sql`` : sql`and instr(',' || tags || ',', ${`,${tag},`}) > 0`;
  const isWithin = created ? sql`and created_at > ${created.after} and created_at < ${created.before}` : sql``;
  // `cross join` fixes the join order. node:sqlite binds floating-point numbers, and FTS5 ignores such bounds.
  return connection.all<FoundRow>(
    sql`select ${columns}
      from contact_words cross join indexed_contacts on entry = contact_words.rowid cross join contacts
      where project_id = ${projectId} and chatbot_id = of_chatbot and id = contact_id and search_key = entry
        ${amongChatbots(chatbotIds)}
        and contact_words match ${query}
        and contact_words.rowid between cast(${from} as integer) and cast(${to} as integer)
        ${isWithin} ${hasTag}
      order by contact_words.rowid ${order === 'newest' ? sql`desc` : sql`asc`} limit ${limit}`,
  );
}
