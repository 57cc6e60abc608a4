import type { Position } from '../../values/cursor.ts';
import { hasWord, searchedColumns } from '../search/terms.ts';
import { sql } from '../sql.ts';
import { type Asking, dayFrom, type Hit, row } from './contact-hit.ts';

const rowsOfStep = 100;
const rowsMax = 2_000;
const rowsForHit = 50;

/** The first hits of a day, found in the list itself: undefined where less than one of fifty is a hit. */
export async function walkDay(asking: Asking, day: number): Promise<Hit[] | undefined> {
  const { connection, projectId, chatbotId, asked, tag, limit, lower, upper, order } = asking;
  const found: Hit[] = [];
  let last: Position | undefined;
  for (let walked = rowsOfStep; walked <= rowsMax; walked += rowsOfStep) {
    const beyond = last && (order === 'newest' ? { upper: last } : { lower: last });
    const { between, direction } = dayFrom({ ...asking, ...beyond }, day);
    const rows = await connection.all<Hit>(
      sql`select created_at, id, search_key as place, ${searchedColumns}
        from contacts ${connection.usingIndex('contacts_by_age')}
        where project_id = ${projectId} and chatbot_id = ${chatbotId} and ${between}
          and (created_at, id) > ${row(lower)} and (created_at, id) < ${row(upper)}
        order by ${direction} limit ${rowsOfStep}`,
    );
    const hasTag = ({ tags }: Hit) => tag === undefined || tags?.split(',').includes(tag) === true;
    found.push(...rows.filter((hit) => hasTag(hit) && asked.every((word) => hasWord(hit, word))));
    if (found.length >= limit || rows.length < rowsOfStep) return found.slice(0, limit);
    if (found.length * rowsForHit < walked) return undefined;
    const end = rows.at(-1);
    last = end && [end.created_at, end.id];
  }
  return undefined;
}
