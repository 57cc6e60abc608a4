import { isDeepStrictEqual } from 'node:util';

import { foldingVersion } from '../../contacts/words.ts';
import type { Connection, Database } from '../database.ts';
import { sql } from '../sql.ts';
import { searchedColumns, type SearchedRow, termsIn, toIndexed } from './terms.ts';

const nameOf = { sqlite: 'contact_words', postgres: 'contacts_by_words' };

export async function searchIndexState(database: Database) {
  const state = await database.first<{ folding: number; unindexed: number }>(
    sql`select folding, (select cast(count(*) as integer) from contacts where search_key is null) as unindexed
      from search_state`,
  );
  return {
    isMissing: !(await database.hasTable(nameOf[database.engine])),
    isOtherFolding: state?.folding !== foldingVersion,
    unindexed: state?.unindexed ?? 0,
  };
}

/** Empties the index, as its migration did, so that all contacts must be indexed again. */
export async function emptySearchIndex(database: Database): Promise<void> {
  await database.transaction(async (connection) => {
    await connection.script(empty[database.engine]);
    await connection.run(sql`update search_state set folding = ${foldingVersion}`);
  });
}

const empty = {
  sqlite: `
    drop table if exists contact_words;
    create virtual table contact_words using fts5(
  words, content = '', columnsize = 0, detail = none, prefix = '5 6 7', tokenize = "ascii tokenchars '~'"
);
    insert into contact_words (contact_words, rank) values ('automerge', 4);
    delete from indexed_contacts;
    update contacts set search_key = null where search_key is not null;`,
  postgres: `
    update contacts set search_key = null where search_key is not null;
    create index if not exists contacts_by_words on contacts using gin (search_key) with (fastupdate = on, gin_pending_list_limit = 256)
    where search_key is not null;`,
};

type Row = SearchedRow & Record<'project_id' | 'chatbot_id' | 'id', string> & { stored: string | number };

const contactsOfStep = 200;
const comparedMax = 20_000;
const msMax = 10_000;

/** Compares all contacts, or a sample, for ten seconds at most. Beyond `listedMax` SQLite shows no word too many. */
export async function compareIndex(
  database: Database,
  { listedMax = 200_000 } = {},
): Promise<Record<'total' | 'compared' | 'wrong', number>> {
  const end = performance.now() + msMax;
  if (database.engine === 'sqlite')
    await database.script(
      'create virtual table if not exists temp.contact_terms using fts5vocab(main, contact_words, instance)',
    );
  // One snapshot: a service may go on writing.
  return database.snapshot(async (connection) => {
    const counted = await connection.first<{ total: number }>(
      sql`select cast(count(*) as integer) as total from contacts where search_key is not null`,
    );
    const found = { total: counted?.total ?? 0, compared: 0, wrong: 0 };
    const listed = database.engine === 'sqlite' && found.total <= listedMax ? await listTerms(connection) : undefined;
    const skipped = Math.floor(found.total / comparedMax) * contactsOfStep;
    let rows: Row[] = [];
    do {
      const last = rows.at(-1);
      rows = await connection.all<Row>(
        sql`select project_id, chatbot_id, id, ${stored[database.engine]} as stored, ${searchedColumns} from contacts
          where (project_id, chatbot_id, id) > (${last?.project_id ?? ''}, ${last?.chatbot_id ?? ''}, ${last?.id ?? ''})
            and search_key is not null
          order by project_id, chatbot_id, id limit ${contactsOfStep} offset ${last ? skipped : 0}`,
      );
      for (const row of rows) if (!(await fits(connection, row, listed))) found.wrong++;
      found.compared += rows.length;
    } while (rows.length === contactsOfStep && performance.now() < end);
    return found;
  });
}

const stored = {
  postgres: sql`array_to_string(tsvector_to_array(search_key), ' ')`,
  sqlite: sql`search_key`,
};

async function fits(connection: Connection, row: Row, listed: Map<number, string> | undefined): Promise<boolean> {
  const terms = termsIn(row.project_id, row.chatbot_id)(toIndexed(row)).split(' ');
  const inIndex = typeof row.stored === 'string' ? row.stored : listed && (listed.get(row.stored) ?? '');
  if (inIndex !== undefined) return isDeepStrictEqual(new Set(inIndex.split(' ')), new Set(terms));
  const query = terms.map((term) => `"${term}"`).join(' AND ');
  const found = await connection.first(
    sql`select 1 from contact_words where contact_words match ${query} and rowid = cast(${row.stored} as integer)`,
  );
  return found !== undefined;
}

/** The terms of each place in SQLite's index. To list them takes a microsecond for each. */
async function listTerms(connection: Connection): Promise<Map<number, string>> {
  const rows = await connection.all<{ doc: number; terms: string }>(
    sql`select doc, group_concat(term, ' ') as terms from contact_terms group by doc`,
  );
  return new Map(rows.map(({ doc, terms }) => [doc, terms]));
}
