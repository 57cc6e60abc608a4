import { sql } from '../sql.ts';
import { wholeMerge } from './contact-index.ts';
import type { Writer } from './writer.ts';

const pagesOfStep = 100;

/** Merging halves the time of searches. After a purge one segment and an empty log keep nothing of purged people. */
export async function* mergeIndex(writer: Writer): AsyncGenerator<void> {
  const asked = await writer.read((connection) =>
    connection.first<{ merges_due: number }>(sql`select merges_due from search_state where merges_due > 0`),
  );
  if (!asked) return;
  // Negative merges all segments, not only those of one size. That adds levels, and FTS5 then merges more at once.
  for (
    let pages = asked.merges_due < wholeMerge ? pagesOfStep : -pagesOfStep, isMerging = true;
    isMerging;
    pages = pagesOfStep
  ) {
    isMerging = await writer.transaction(async (connection) => {
      const changes = async () =>
        (await connection.first<{ total: number }>(sql`select total_changes() as total`))?.total ?? 0;
      const before = await changes();
      await connection.run(sql`insert into contact_words (contact_words, rank) values ('merge', ${pages})`);
      // One is the command itself.
      return (await changes()) - before > 1;
    });
    yield;
  }
  // The log still has the rows and words of the purged.
  if (!(await writer.cutLog())) return;
  await writer.run(sql`update search_state set merges_due = 0 where merges_due = ${asked.merges_due}`);
}
