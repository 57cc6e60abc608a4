import { AppError } from '../errors.ts';
import type { EventFilter, EventPage, EventReads } from '../events/event.ts';
import type { Access } from './database.ts';
import { matching } from './event-conditions.ts';
import { greatest, least, type Look, lookAhead, type LookLimits } from './event-look.ts';
import { eventColumns, type EventRow, toEvent } from './event-rows.ts';
import { inPairs, raw, type Sql, sql } from './sql.ts';

const columns = raw(eventColumns.join(', '));
const pageColumns = raw(eventColumns.map((column) => `page.${column}`).join(', '));

/** The page's own columns are null where nothing was found. */
type PageRow = Omit<EventRow, 'sequence'> &
  Record<'feed' | 'last', string> &
  Record<'oldest' | 'sequence' | 'from_id' | 'up_to_id', string | null>;

export function eventReads(access: Access, limits?: LookLimits): EventReads {
  return {
    list: async (projectId, filter) => {
      const look = await lookAhead(access, projectId, filter, limits);
      const rows = await access.all<PageRow>(pageOf(projectId, filter, look));
      const page = toPage(rows, filter, look);
      if (page.upTo.sequence !== filter.after) await access.durable();
      return page;
    },
  };
}

/** A page ends after this many characters of ids, which take 4 ms to read: one event of a bulk has 39,000. */
const idsMax = 400_000;

const directions = {
  asc: { order: sql`order by sequence`, upTo: sql`<=`, nearest: sql`order by sequence desc` },
  desc: { order: sql`order by sequence desc`, upTo: sql`>=`, nearest: sql`order by sequence` },
};

/** In one statement, so that a purge between two could not hide events. */
function pageOf(projectId: string, filter: EventFilter, { ranges, end }: Look): Sql {
  const { order, upTo, nearest } = directions[filter.isDescending === true ? 'desc' : 'asc'];
  const [range = none, more] = ranges;
  const among =
    more === undefined
      ? sql`sequence >= ${number(range[0])} and sequence <= ${number(range[1])} and ${matching(filter)}`
      : sql`sequence in (
          select sequence from (${eventsIn(projectId, ranges)}) as looked where ${matching(filter)}
          ${order} limit ${filter.limit})`;
  return sql`
    select feed, cast(last_event as text) as last,
      (select cast(min(sequence) as text) from events where project_id = ${projectId}) as oldest,
      (select id from events where project_id = ${projectId} and sequence = ${number(filter.after)}) as from_id,
      (select id from events where project_id = ${projectId} and sequence ${upTo} ${number(end)}
        ${nearest} limit 1) as up_to_id,
      cast(page.sequence as text) as sequence, ${pageColumns}
    from projects left join (
      select *, sum(length(coalesce(contact_ids, ''))) over (${order}) - length(coalesce(contact_ids, ''))
        as ids_before
      from (
        select sequence, ${columns} from events where project_id = ${projectId} and ${among}
        ${order} limit ${filter.limit}
      ) as found
    ) as page on page.ids_before < ${idsMax}
    where projects.id = ${projectId} ${filter.isDescending === true ? sql`order by page.sequence desc` : sql`order by page.sequence`}`;
}

const filtered = sql`sequence, type, occurred_at, actor_type, actor_id, chatbot_id, contact_id, contact_ids, member_id, member_ids`;

/** No range: the list of pairs repeats its last one. */
const none = [1n, 0n] as const;

/** The limit is beyond all; without it PostgreSQL may look for the few that match in the whole table. */
function eventsIn(projectId: string, ranges: Look['ranges']): Sql {
  const pairs = [...ranges, none].map(([first, last]) => [String(first), String(last)] as const);
  return sql`select ${filtered} from ${inPairs(pairs)} as range cross join events
    where project_id = ${projectId} and sequence >= cast(range.column1 as bigint) and sequence <= cast(range.column2 as bigint)
    limit 1000000`;
}

function number(value: bigint): Sql {
  return sql`cast(${String(value)} as bigint)`;
}

function toPage(rows: readonly PageRow[], { after, isDescending, limit }: EventFilter, { end }: Look): EventPage {
  const [first] = rows;
  if (!first) throw new AppError('not_found', 'There is no project with this id', { about: 'project' });
  const events = rows.flatMap(({ sequence, ...row }) => (sequence === null ? [] : [toEvent({ ...row, sequence })]));
  const last = BigInt(first.last);
  const oldest = first.oldest === null ? last + 1n : BigInt(first.oldest);
  const ids = rows.reduce((sum, { contact_ids: some }) => sum + (some?.length ?? 0), 0);
  const lastListed = events.length === limit || ids >= idsMax ? events.at(-1) : undefined;
  // Skip to the oldest event. If events were lost, stay at the start.
  const reached =
    isDescending === true ? least(greatest(end, oldest), after) : greatest(least(end, last), oldest - 1n, after);
  return {
    events,
    feed: first.feed,
    from: { sequence: after, id: first.from_id },
    upTo: lastListed
      ? { sequence: BigInt(lastListed.sequence), id: lastListed.id }
      : { sequence: reached, id: first.up_to_id },
    oldest,
    last,
  };
}
