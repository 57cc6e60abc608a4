import type { Connection, Database } from '../database.ts';
import { sql } from '../sql.ts';
import { chatbotTerm, searchedColumns, type SearchedRow, termsOf, toSearchable } from './terms.ts';

export interface IndexComparison {
  /** Number of indexed contacts, and of those compared before the time was up. */
  total: number;
  compared: number;
  /** Contacts whose terms in the index differ from those of their fields. */
  wrong: number;
}

type Row = SearchedRow & Record<'project_id' | 'chatbot_id' | 'id', string> & { stored: string | number };

const contactsOfStep = 200;

/** Compares the search index with the contacts for about `msMax`: with all, or with a sample from the whole table. */
export async function compareIndex(database: Database, msMax = 10_000): Promise<IndexComparison> {
  const begin = performance.now();
  const counted = await database.first<{ total: number }>(
    sql`select cast(count(*) as integer) as total from contacts where search_key is not null`,
  );
  const found = { total: counted?.total ?? 0, compared: 0, wrong: 0 };
  const termsOfPlace = await termCounts(database, found.total);
  let last: Row | undefined;
  let [passed, skipped] = [0, 0];
  do {
    // Read contacts and index in one snapshot: a service may go on writing.
    const rows: Row[] = await database.snapshot(async (connection) => {
      const page = await connection.all<Row>(
        sql`select project_id, chatbot_id, id, ${stored[database.engine]} as stored, ${searchedColumns} from contacts
          where (project_id, chatbot_id, id) > (${last?.project_id ?? ''}, ${last?.chatbot_id ?? ''}, ${last?.id ?? ''})
            and search_key is not null
          order by project_id, chatbot_id, id limit ${contactsOfStep} offset ${skipped}`,
      );
      for (const row of page) if (!(await fits(connection, row, termsOfPlace))) found.wrong++;
      return page;
    });
    found.compared += rows.length;
    passed += skipped + rows.length;
    last = rows.length < contactsOfStep ? undefined : rows.at(-1);
    // Skip as many contacts as this pace cannot reach.
    const msEach = (performance.now() - begin) / found.compared;
    const stepsLeft = Math.max(1, (begin + msMax - performance.now()) / (msEach * contactsOfStep));
    skipped = Math.max(0, Math.floor((found.total - passed) / stepsLeft) - contactsOfStep);
  } while (last && performance.now() < begin + msMax);
  return found;
}

/** PostgreSQL keeps the terms in the row, SQLite the place of the contact in the index. */
const stored = {
  postgres: sql`array_to_string(tsvector_to_array(search_key), ' ')`,
  sqlite: sql`search_key`,
};

async function fits(connection: Connection, row: Row, termsOfPlace: Map<number, number> | undefined): Promise<boolean> {
  const chatbot = chatbotTerm(row.project_id, row.chatbot_id);
  const terms = [...new Set(termsOf(chatbot, toSearchable(row)).split(' '))];
  if (typeof row.stored === 'string') return row.stored.split(' ').toSorted().join(' ') === terms.toSorted().join(' ');
  if (termsOfPlace && termsOfPlace.get(row.stored) !== terms.length) return false;
  const query = terms.map((term) => `"${term}"`).join(' AND ');
  const found = await connection.first(
    sql`select 1 from contact_words where contact_words match ${query} and rowid = cast(${row.stored} as integer)`,
  );
  return found !== undefined;
}

/** Listing the index of SQLite takes a microsecond for each term of each contact. */
const countedMax = 200_000;

/** Counts the terms of each place in SQLite's index, to detect surplus terms; undefined if the index is too large to list. */
async function termCounts(database: Database, contacts: number): Promise<Map<number, number> | undefined> {
  if (database.engine !== 'sqlite' || contacts > countedMax) return undefined;
  await database.script(
    'create virtual table if not exists temp.contact_terms using fts5vocab(main, contact_words, instance)',
  );
  const rows = await database.all<{ doc: number; terms: number }>(
    sql`select doc, count(*) as terms from contact_terms group by doc`,
  );
  return new Map(rows.map(({ doc, terms }) => [doc, terms]));
}
