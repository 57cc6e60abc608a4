import { foldingVersion } from '../../contacts/words.ts';
import type { Database } from '../database.ts';
import { sql } from '../sql.ts';

const nameOf = { sqlite: 'contact_words', postgres: 'contacts_by_words' };

/** An index that is missing or of another folding must be rebuilt; `unindexed` contacts are not in it. */
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

/** Empties the index, so that all contacts must be indexed again: as its migration made it. */
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
