import { sql } from '../sql.ts';
import type { Writer } from './writer.ts';

/** Bounds how long a step keeps the event loop. */
const pagesOfStep = 500;

/**
 * Leaves nothing in the file of people who were deleted for good. Their words go once the index has merged all its parts,
 * their rows when freed pages are written over, and both when the log is cut off.
 */
export async function* eraseTraces(writer: Writer): AsyncGenerator<void> {
  const traces = await writer.read((connection) =>
    connection.first<{ has_traces: number }>(sql`select has_traces from search_state where has_traces > 0`),
  );
  if (!traces) return;
  // Negative: all parts, and not only those of one size.
  for (let pages = -pagesOfStep, isMerging = true; isMerging; pages = pagesOfStep) {
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
  await writer.cutLog();
  // Unless somebody was deleted meanwhile.
  await writer.run(sql`update search_state set has_traces = 0 where has_traces = ${traces.has_traces}`);
}
