import type { ContactSearch } from '../../contacts/store.ts';
import { searchedColumns } from '../search/terms.ts';
import { type Sql, sql } from '../sql.ts';
import { walkDay } from './contact-day-walk.ts';
import { type Asking, dayFrom, type Hit, row } from './contact-hit.ts';
import {
  comparePositions,
  dayOf,
  dayOfPlace,
  firstPlace,
  inOrder,
  lastPlace,
  late,
  type Place,
  type PlaceRange,
  secondOf,
} from './contact-places.ts';

/** Up to this many contacts, one query reads the whole day: each further query would gather the hits of a long word again. */
const few = 1_000;
/** Extra hits, so that the last day seldom needs a second query. */
const spare = 16;

/** The first hits of a query in list order, up to the limit. */
export async function walkHits(asking: Asking): Promise<Hit[]> {
  const { order, lower, upper, limit } = asking;
  const isNewest = order === 'newest';
  const firstDay = dayOf((isNewest ? upper : lower)[0]);
  const found = firstDay === undefined ? [] : await hitsOfDay(asking, firstDay);
  const wanted = limit - found.length;
  if (wanted === 0) return found;
  const [lowest, highest] = [dayOf(lower[0]), dayOf(upper[0])];
  const page = await hitsIn(asking, wanted + spare, {
    from: lowest === undefined ? firstPlace : inOrder(isNewest ? lowest : lowest + 1).from,
    to: highest === undefined ? lastPlace : late(isNewest ? highest - 1 : highest).to,
  });
  const last = page.length < wanted + spare ? undefined : page.at(-1);
  const lastDay = last && dayOfPlace(last.place);
  const before = page.filter(({ place }) => dayOfPlace(place) !== lastDay);
  found.push(...before.toSorted(listed(order)));
  // The page may lack some late contacts of its last day.
  if (lastDay !== undefined && found.length < limit) {
    const isWhole = (await countIn(asking, late(lastDay))) === 0;
    found.push(...(isWhole ? page.slice(before.length) : await hitsOfDay(asking, lastDay)));
  }
  return found.slice(0, limit);
}

/** The first hits of a day between the two positions, up to the limit. */
async function hitsOfDay(asking: Asking, day: number): Promise<Hit[]> {
  const whole = { from: inOrder(day).from, to: late(day).to };
  if ((await countIn(asking, whole)) <= few) return sortedHits(asking, day, whole);
  const lateOnes = await countIn(asking, late(day));
  if (lateOnes > few) {
    const walked = await walkDay(asking, day);
    if (walked) return walked;
  }
  const came = lateOnes > 0 ? await sortedHits(asking, day, late(day)) : [];
  const rest = await fromPosition(asking, day);
  const ordered = rest ? await hitsIn(asking, asking.limit, rest) : [];
  return [...came, ...ordered].toSorted(listed(asking.order)).slice(0, asking.limit);
}

/** The day's places in order, from the position where the search begins. */
async function fromPosition(asking: Asking, day: number): Promise<PlaceRange | undefined> {
  const { connection, projectId, chatbotId, order } = asking;
  const range = inOrder(day);
  const { between, direction } = dayFrom(asking, day);
  const first = await connection.first<{ place: Place }>(
    sql`select search_key as place from contacts ${connection.usingIndex('contacts_by_age')}
      where project_id = ${projectId} and chatbot_id = ${chatbotId} and ${between}
        and search_key between ${range.from} and ${range.to}
      order by ${direction} limit 1`,
  );
  if (!first) return undefined;
  return order === 'newest' ? { ...range, to: first.place } : { ...range, from: first.place };
}

/** node:sqlite binds floating-point numbers, and FTS5 ignores such bounds. */
function integer(place: Place): Sql {
  return sql`cast(${place} as integer)`;
}

/** The number of contacts in the range; stops counting above `few`. */
async function countIn({ connection }: Asking, { from, to }: PlaceRange): Promise<number> {
  const row = await connection.first<{ total: number }>(
    sql`select count(*) as total from (
      select 1 from indexed_contacts where search_key between ${from} and ${to} limit ${few + 1}
    )`,
  );
  return row?.total ?? 0;
}

/** The first hits of a range, ordered by place. */
function hitsIn(asking: Asking, limit: number, { from, to }: PlaceRange): Promise<Hit[]> {
  const { connection, projectId, chatbotId, query, order } = asking;
  const direction = order === 'newest' ? sql`desc` : sql`asc`;
  // `cross join` fixes the join order. search_key must match: the row may have been indexed again.
  return connection.all<Hit>(
    sql`select ${columnsOfHit}
      from contact_words
      cross join indexed_contacts on indexed_contacts.search_key = contact_words.rowid
      cross join contacts
      where project_id = ${projectId} and chatbot_id = ${chatbotId} and id = contact_id
        and contacts.search_key = contact_words.rowid
        and contact_words match ${query} and contact_words.rowid between ${integer(from)} and ${integer(to)}
        and ${isWanted(asking)}
      order by contact_words.rowid ${direction} limit ${limit}`,
  );
}

/** The first hits of a range in list order. Sorts all of them by the seconds in indexed_contacts. */
function sortedHits(asking: Asking, day: number, { from, to }: PlaceRange): Promise<Hit[]> {
  const { connection, projectId, chatbotId, query, order, lower, upper, limit } = asking;
  const [first, last] = [
    dayOf(lower[0]) === day ? sql`(${secondOf(lower[0])}, ${lower[1]})` : sql`(-1, '')`,
    dayOf(upper[0]) === day ? sql`(${secondOf(upper[0])}, ${upper[1]})` : sql`(86400, '')`,
  ];
  const direction = order === 'newest' ? sql`desc` : sql`asc`;
  // Without its limit the engine would leave the subquery unsorted.
  return connection.all<Hit>(
    sql`select ${columnsOfHit}
      from (
        select contact_id, indexed_contacts.search_key as place
        from contact_words cross join indexed_contacts on indexed_contacts.search_key = contact_words.rowid
        where contact_words match ${query} and contact_words.rowid between ${integer(from)} and ${integer(to)}
          and (second, contact_id) > ${first} and (second, contact_id) < ${last}
        order by second ${direction}, contact_id ${direction} limit -1
      )
      cross join contacts
      where project_id = ${projectId} and chatbot_id = ${chatbotId} and id = contact_id
        and contacts.search_key = place and ${isWanted(asking)}
      limit ${limit}`,
  );
}

const columnsOfHit = sql`created_at, id, contacts.search_key as place, ${searchedColumns}`;

function isWanted({ tag, lower, upper }: Asking): Sql {
  const hasTag: Sql = tag === undefined ? sql`` : sql`and instr(',' || tags || ',', ${`,${tag},`}) > 0`;
  return sql`(created_at, id) > ${row(lower)} and (created_at, id) < ${row(upper)} ${hasTag}`;
}

function listed(order: ContactSearch['order']) {
  const sign = order === 'newest' ? -1 : 1;
  return (a: Hit, b: Hit) => sign * comparePositions([a.created_at, a.id], [b.created_at, b.id]);
}
