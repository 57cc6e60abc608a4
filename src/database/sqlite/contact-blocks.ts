import type { ContactSearch } from '../../contacts/store.ts';
import { type Asking, beyond, type Places } from '../search/found.ts';
import { type FoundRow, isHit, numberOfProject } from '../search/terms.ts';
import { inList, type Sql, sql } from '../sql.ts';

/** As in the index that migration 0020 makes. */
const placesOfBlock = 1_024;
const blocksMax = 64;
const rowsOfStep = 100;
const rowsMax = 2_000;
const rowsForHit = 50;

/** Reads contacts created in time, block by block. Once few are hits it returns the `rest` for a search by words. */
export async function walkBlocks(asking: Asking, places: Places): Promise<{ found: FoundRow[]; rest?: Places }> {
  const { order, limit } = asking.search;
  const found: FoundRow[] = [];
  let rest = places;
  let blocksOfStep = 1;
  for (let walked = 0; walked < rowsOfStep * 2 || (walked < rowsMax && found.length * rowsForHit >= walked);) {
    const blocks = await nextBlocks(asking, rest, blocksOfStep);
    const last = blocks.at(-1);
    if (last === undefined) return { found };
    const entries = await entriesIn(asking, rest, blocks);
    walked += entries.length;
    found.push(...entries.filter((row): row is FoundRow & Entry => row.id !== null && isHit(row, asking.search)));
    if (found.length >= limit) return { found: found.slice(0, limit) };
    const lastEntry = entries.length < rowsOfStep ? undefined : entries.at(-1);
    if (!lastEntry && blocks.length < blocksOfStep) return { found };
    // A step sorts all entries of its blocks.
    if (!lastEntry) blocksOfStep = Math.min(blocksMax, blocksOfStep * 4);
    const edge = last * placesOfBlock + (order === 'newest' ? 0 : placesOfBlock - 1);
    rest = beyond(lastEntry?.entry ?? edge, rest, order);
  }
  return { found, rest };
}

/** From the first to the last block with a contact created in time; undefined if there is none. */
export async function placesOfBlocks(asking: Asking, places: Places): Promise<Places | undefined> {
  const [lowest] = await nextBlocks(asking, places, 1, 'oldest');
  const [highest] = await nextBlocks(asking, places, 1, 'newest');
  if (lowest === undefined || highest === undefined) return undefined;
  return {
    from: Math.max(places.from, lowest * placesOfBlock),
    to: Math.min(places.to, (highest + 1) * placesOfBlock - 1),
  };
}

const byBlock = 'indexed_contacts_by_block';

async function nextBlocks(
  { connection, projectId, search }: Asking,
  { from, to }: Places,
  limit: number,
  order = search.order,
): Promise<number[]> {
  const project = numberOfProject(projectId);
  const [lowest, highest] = [Math.floor(from / placesOfBlock), Math.floor(to / placesOfBlock)];
  const block = sql`select entry >> 10 from indexed_contacts ${connection.usingIndex(byBlock)} where project = ${project}`;
  const [first, next] =
    order === 'newest'
      ? [sql`entry >> 10 <= ${highest} order by entry >> 10 desc`, sql`entry >> 10 < number order by entry >> 10 desc`]
      : [sql`entry >> 10 >= ${lowest} order by entry >> 10`, sql`entry >> 10 > number order by entry >> 10`];
  const rows = await connection.all<{ number: number }>(
    sql`with recursive block (number) as (
        select (${block} and ${first} limit 1)
        union all select (${block} and ${next} limit 1) from block where number between ${lowest} and ${highest}
      )
      select number from block
      where number between ${lowest} and ${highest} and exists (${block} and entry >> 10 = number and ${createdIn(search)})
      limit ${limit}`,
  );
  return rows.map(({ number }) => number);
}

interface Entry {
  entry: number;
}

/** An entry of another project with the same number comes without a row. */
function entriesIn(
  { connection, projectId, columns, search }: Asking,
  { from, to }: Places,
  blocks: readonly number[],
): Promise<(Entry & (FoundRow | { id: null }))[]> {
  return connection.all(
    sql`select entry, ${columns} from (
        select entry, of_chatbot, contact_id from indexed_contacts ${connection.usingIndex(byBlock)}
        where project = ${numberOfProject(projectId)} and entry >> 10 in ${inList(blocks)} and ${createdIn(search)}
          and entry between ${from} and ${to}
        order by entry ${search.order === 'newest' ? sql`desc` : sql`asc`} limit ${rowsOfStep}
      ) as found
      left join contacts
        on project_id = ${projectId} and chatbot_id = of_chatbot and id = contact_id and search_key = entry
      order by entry ${search.order === 'newest' ? sql`desc` : sql`asc`}`,
  );
}

function createdIn({ created }: ContactSearch): Sql {
  return sql`created > ${created?.after ?? ''} and created < ${created?.before ?? ''}`;
}
