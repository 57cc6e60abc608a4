import type { ContactSearch } from '../../contacts/store.ts';
import type { Position } from '../../values/cursor.ts';
import type { Connection } from '../database.ts';
import type { SearchedRow } from '../search/terms.ts';
import { type Sql, sql } from '../sql.ts';
import { beginningOf, comparePositions, type Place } from './contact-places.ts';

/** A contact that may be found. */
export interface Hit extends SearchedRow {
  created_at: string;
  id: string;
  place: Place;
}

export interface Asking extends ContactSearch {
  connection: Pick<Connection, 'all' | 'first' | 'usingIndex'>;
  projectId: string;
  chatbotId: string;
  /** In the language of FTS5. */
  query: string;
  /** The beginnings of words in it. */
  asked: readonly string[];
}

/** The contacts of a day from the position on where the search begins. */
export function dayFrom({ order, lower, upper }: Asking, day: number): { between: Sql; direction: Sql } {
  const from: Position = [beginningOf(day), ''];
  const to: Position = [beginningOf(day + 1), ''];
  // One bound for each end: SQLite would walk to the day from the other one.
  return order === 'newest'
    ? {
        between: sql`created_at >= ${from[0]} and (created_at, id) < ${row(lesser(upper, to))}`,
        direction: sql`created_at desc, id desc`,
      }
    : {
        between: sql`created_at < ${to[0]} and (created_at, id) > ${row(greater(lower, from))}`,
        direction: sql`created_at, id`,
      };
}

export function row([time, id]: Position): Sql {
  return sql`(${time}, ${id})`;
}

function lesser(a: Position, b: Position): Position {
  return comparePositions(a, b) < 0 ? a : b;
}

function greater(a: Position, b: Position): Position {
  return comparePositions(a, b) < 0 ? b : a;
}
