import type { ContactSearch } from '../../contacts/store.ts';
import { giveWay } from '../../values/give-way.ts';
import { type Sql, sql } from '../sql.ts';
import type { Asking } from './found.ts';
import { type FoundRow, isHit, searchTimer } from './terms.ts';

const rowsOfStep = 200;
const rowsForHit = 50;

/** Walks the contacts in the order of their changes while one of fifty is a hit; then sorts the hits of the index. */
export async function searchByUpdate(asking: Asking, isInIndex: Sql): Promise<FoundRow[]> {
  const { byUpdate, limit } = asking.search;
  const found: FoundRow[] = [];
  const requireTime = searchTimer();
  let walked = 0;
  for (let after = byUpdate?.after; ;) {
    const isFrequent = walked === 0 || found.length * rowsForHit >= walked;
    const wanted = isFrequent ? Math.max(rowsOfStep, limit) : limit - found.length;
    const rows = await rowsAfter(asking, after, wanted, isFrequent ? undefined : isInIndex);
    for (const row of rows) {
      await giveWay();
      if (isHit(row, asking.search)) found.push(row);
    }
    walked += rows.length;
    const last = rows.at(-1);
    if (!last || rows.length < wanted || found.length >= limit) return found.slice(0, limit);
    requireTime();
    after = [last.updated_at ?? '', last.id, last.chatbot_id];
  }
}

/** SQLite would walk all changes to find a few hits. */
const primaryKey = 'sqlite_autoindex_contacts_1';
const changedMax = 2_000;

/** For a search in the order of places: reads all who changed in time and sorts them; undefined where they are many. */
export async function searchChanged(asking: Asking): Promise<FoundRow[] | undefined> {
  const { search } = asking;
  if (!search.updated) return undefined;
  const rows = await rowsAfter(asking, undefined, changedMax);
  if (rows.length === changedMax) return undefined;
  const direction = search.order === 'newest' ? -1 : 1;
  const isBeyond = ({ place }: FoundRow) => search.after === undefined || (place - search.after) * direction > 0;
  return rows
    .filter((row) => isBeyond(row) && isHit(row, search))
    .toSorted((a, b) => (a.place - b.place) * direction)
    .slice(0, search.limit);
}

function rowsAfter(
  { connection, projectId, search: { order, updated, created }, columns }: Asking,
  after: NonNullable<ContactSearch['byUpdate']>['after'],
  limit: number,
  isInIndex?: Sql,
): Promise<FoundRow[]> {
  const [is, direction] = order === 'newest' ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`];
  const time = sql`coalesce(updated_at, '')`;
  const beyond = after
    ? sql`and (${time}, id, chatbot_id) ${is} (${after[0]}, ${after[1]}, ${after[2]})
        and ${time} ${is}= ${after[0]}`
    : sql``;
  const isWithin = updated ? sql`and ${time} >= ${updated.from} and ${time} < ${updated.before}` : sql``;
  const isCreated = created ? sql`and created_at > ${created.after} and created_at < ${created.before}` : sql``;
  return connection.all<FoundRow>(
    sql`select ${columns} from contacts ${connection.usingIndex(isInIndex ? primaryKey : 'contacts_by_update')}
      where project_id = ${projectId} ${beyond} ${isWithin} ${isCreated} ${isInIndex ? sql`and ${isInIndex}` : sql``}
      order by ${time} ${direction}, id ${direction}, chatbot_id ${direction} limit ${limit}`,
  );
}
