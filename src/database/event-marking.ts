import type { Upkeep } from '../upkeep.ts';
import { giveWay } from '../values/give-way.ts';
import type { Access, Database } from './database.ts';
import { blockLength, facets, marksIn } from './event-marks.ts';
import { eventReads } from './event-pages.ts';
import { slicesOf } from './slices.ts';
import { type Insertion, sql, type Value } from './sql.ts';

const projectsMax = 200;
/** Rows of several blocks lie beside each other: written together, they cost a third. */
const blocksOfStep = 8;

const insertion: Insertion = {
  into: 'event_marks',
  columns: ['project_id', 'part', 'block', 'earliest', 'latest', 'marks'],
  foundBy: [],
  ending: sql`on conflict do nothing`,
};

export function eventMarkingOf(database: Database): Pick<Upkeep, 'unmarkedProjects' | 'markEvents'> {
  return {
    unmarkedProjects: async () => {
      const rows = await database.all<{ id: string }>(
        sql`select id from projects
          where last_event >= ${blockLength} * (2 + coalesce(
            (select max(block) from event_marks where project_id = projects.id and part = ${facets}), -1))
          order by random() limit ${projectsMax}`,
      );
      return rows.map(({ id }) => id);
    },
    markEvents: async (projectId) => {
      const blocks = await nextUnmarkedBlocks(database, projectId);
      const rows: Value[][] = [];
      for (const block of blocks) {
        for (const [part, { earliest, latest, digests }] of await marksOf(database, projectId, block)) {
          rows.push([projectId, part, block, earliest, latest, `,${[...digests].join(',')},`]);
        }
      }
      return database.transaction(async (connection) => {
        // Meanwhile the project may have gone, or a failover may have lost events, whose numbers others take.
        const end = ((blocks.at(-1) ?? 0) + 1) * blockLength;
        const isThere = await connection.first(
          sql`select 1 from projects where id = ${projectId} and last_event >= ${end} ${connection.forChange}`,
        );
        if (!isThere) return 0;
        for (const some of slicesOf(rows)) await connection.insertAll(insertion, some);
        return blocks.length * blockLength;
      });
    },
  };
}

async function nextUnmarkedBlocks(database: Database, projectId: string): Promise<number[]> {
  const found = await database.first<{ newest: number | null; oldest: number | null; full: number }>(
    sql`select (select max(block) from event_marks where project_id = ${projectId} and part = ${facets}) as newest,
        (select cast((min(sequence) - 1) / ${blockLength} as integer) from events where project_id = ${projectId}) as oldest,
        cast(last_event / ${blockLength} as integer) as full
      from projects where id = ${projectId}`,
  );
  if (!found || found.oldest === null) return [];
  const first = Math.max((found.newest ?? -1) + 1, found.oldest);
  const length = Math.min(found.full - first, blocksOfStep);
  return Array.from({ length: Math.max(0, length) }, (_, n) => first + n);
}

interface Part {
  earliest: string | null;
  latest: string | null;
  digests: Set<string>;
}

async function marksOf(access: Access, projectId: string, block: number): Promise<[number, Part][]> {
  const parts = new Map<number, Part>();
  const partOf = (part: number) => {
    const known = parts.get(part) ?? { earliest: null, latest: null, digests: new Set() };
    parts.set(part, known);
    return known;
  };
  const last = BigInt((block + 1) * blockLength);
  for (let after = BigInt(block * blockLength); after < last;) {
    await giveWay();
    const page = await eventReads(access).list(projectId, { after, types: [], limit: Number(last - after) });
    for (const event of page.events) {
      // An event of an import names a thousand contacts.
      await giveWay();
      for (const [part, digest] of marksIn(event)) partOf(part).digests.add(digest);
      const first = partOf(facets);
      if (first.earliest === null || event.occurred_at < first.earliest) first.earliest = event.occurred_at;
      if (first.latest === null || event.occurred_at > first.latest) first.latest = event.occurred_at;
    }
    if (page.upTo.sequence === after) break;
    after = page.upTo.sequence;
  }
  return [...parts];
}
