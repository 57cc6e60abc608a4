import type { Actor } from '../actor.ts';
import { AppError } from '../errors.ts';
import {
  type Change,
  type EventFilter,
  type EventPage,
  type EventReads,
  eventOf,
  type EventWrites,
} from '../events/event.ts';
import { formatTimestamp } from '../values/timestamp.ts';
import type { Access, Insertion, Transaction } from './database.ts';
import { eventColumns, type EventRow, toEvent, toRow } from './event-rows.ts';
import { slicesOf } from './slices.ts';
import { allOf, inList, raw, type Sql, sql } from './sql.ts';

const columns = raw(eventColumns.join(', '));
const pageColumns = raw(eventColumns.map((column) => `page.${column}`).join(', '));

/** The page's own columns are null where nothing was found. */
type PageRow = Omit<EventRow, 'sequence'> &
  Record<'feed' | 'last', string> &
  Record<'oldest' | 'sequence' | 'from_id' | 'up_to_id', string | null>;

export function eventReads(access: Access): EventReads {
  return {
    list: async (projectId, filter) => {
      const rows = await access.all<PageRow>(pageOf(projectId, filter));
      const page = toPage(rows, filter);
      if (page.upTo.sequence > filter.after) await access.durable();
      return page;
    },
  };
}

/** A statement looks through so many events at most: with a filter it would hold up the event loop for seconds. */
const lookedThroughMax = 10_000;

/** A page ends after this many characters of ids, which take 4 ms to read: one event of a bulk has 39,000. */
const idsMax = 400_000;

/** In one statement, so that a purge between two could not hide events. */
function pageOf(projectId: string, { after, types, chatbotId, contactIds, limit }: EventFilter): Sql {
  const from = sql`cast(${String(after)} as bigint)`;
  const end = sql`cast(${String(after + BigInt(lookedThroughMax))} as bigint)`;
  const matching = allOf([
    ...(types.length === 0 ? [] : [sql`type in ${inList(types)}`]),
    ...(chatbotId === undefined ? [] : [sql`chatbot_id = ${chatbotId}`]),
    ...(contactIds === undefined ? [] : [about(contactIds)]),
  ]);
  return sql`
    select feed, cast(last_event as text) as last,
      (select cast(min(sequence) as text) from events where project_id = ${projectId}) as oldest,
      (select id from events where project_id = ${projectId} and sequence = ${from}) as from_id,
      (select id from events where project_id = ${projectId} and sequence <= ${end}
        order by sequence desc limit 1) as up_to_id,
      cast(page.sequence as text) as sequence, ${pageColumns}
    from projects left join (
      select *, sum(length(coalesce(contact_ids, ''))) over (order by sequence) - length(coalesce(contact_ids, ''))
        as ids_before
      from (
        select sequence, ${columns} from events
        where project_id = ${projectId} and sequence > ${from} and sequence <= ${end} and ${matching}
        order by sequence limit ${limit}
      ) as found
    ) as page on page.ids_before < ${idsMax}
    where projects.id = ${projectId} order by page.sequence`;
}

/** With more ids a statement would have too many parameters. */
const contactIdsMax = 1_000;

function about(contactIds: readonly string[]): Sql {
  const one =
    contactIds.length > contactIdsMax ? sql`contact_id is not null` : sql`contact_id in ${inList(contactIds)}`;
  return sql`(${one} or contact_ids is not null)`;
}

function toPage(rows: readonly PageRow[], { after, limit }: EventFilter): EventPage {
  const [first] = rows;
  if (!first) throw new AppError('not_found', 'There is no project with this id', { about: 'project' });
  const events = rows.flatMap(({ sequence, ...row }) => (sequence === null ? [] : [toEvent({ ...row, sequence })]));
  const last = BigInt(first.last);
  const oldest = first.oldest === null ? last + 1n : BigInt(first.oldest);
  const ids = rows.reduce((sum, { contact_ids: some }) => sum + (some?.length ?? 0), 0);
  const lastListed = events.length === limit || ids >= idsMax ? events.at(-1) : undefined;
  const looked = least(after + BigInt(lookedThroughMax), last);
  // Skip to the oldest event. If events were lost, stay at the start.
  const reached = [looked, oldest - 1n, after].reduce((one, other) => (one < other ? other : one));
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

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

export const eventInsertion: Insertion = {
  into: 'events',
  columns: ['project_id', 'sequence', ...eventColumns],
  // No analysis: they are found by the primary key, and inserted as the last step before a commit.
  foundBy: [],
  ending: sql``,
};

export function eventWrites(connection: Transaction): EventWrites {
  return {
    purge: async (projectId, before, limit) => {
      const oldest = await connection.all<{ sequence: string; occurred_at: string }>(
        sql`select cast(sequence as text) as sequence, occurred_at from events where project_id = ${projectId}
          order by events.sequence limit ${limit}`,
      );
      const kept = oldest.findIndex(({ occurred_at: at }) => at >= before);
      const last = oldest.at(kept < 0 ? -1 : kept - 1);
      if (!last || kept === 0) return 0;
      return connection.run(
        sql`delete from events where project_id = ${projectId} and sequence <= cast(${last.sequence} as bigint)`,
      );
    },
  };
}

export interface Recorded {
  actor: Actor;
  changes: readonly Change[];
}

/**
 * Must be the last step: the lock on the project's row makes the numbers follow the order of commits. Nothing is awaited, so
 * that it goes along with the commit.
 */
export function recordEvents(connection: Transaction, projectId: string, recorded: readonly Recorded[]): void {
  const changes = recorded.flatMap((one) => one.changes);
  if (changes.length === 0) return;
  countAdded(connection, projectId, changes);
  connection.beforeCommit(
    connection.run(sql`update projects set last_event = last_event + ${changes.length} where id = ${projectId}`),
  );
  let place = -changes.length;
  const at = formatTimestamp(new Date());
  const rows = recorded.flatMap(({ actor, changes: own }) =>
    own.map((change) => toRow(actor, ++place, eventOf(actor, change, at))),
  );
  const query = sql`select last_event from projects where id = ${projectId}`;
  const insertion = { ...eventInsertion, countedFrom: { column: 'sequence', query } };
  for (const some of slicesOf(rows)) connection.beforeCommit(connection.insertAll(insertion, some));
}

const adding: ReadonlySet<string> = new Set(['contact.created', 'contact.restored', 'contact.unmerged']);

/** How many contacts each chatbot has gained. */
export function addedBy(changes: readonly Change[]): Map<string, number> {
  const added = new Map<string, number>();
  for (const { type, chatbot_id: chatbotId, contact_ids: ids } of changes) {
    if (adding.has(type) && chatbotId != null) added.set(chatbotId, (added.get(chatbotId) ?? 0) + (ids?.length ?? 1));
  }
  return added;
}

/** Triggers count those that go. */
function countAdded(connection: Transaction, projectId: string, changes: readonly Change[]): void {
  // Sorted, so that two transactions lock rows in one order.
  const sorted = [...addedBy(changes)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (const [chatbotId, number] of sorted) {
    connection.beforeCommit(
      connection.run(
        sql`update chatbots set contacts_added = contacts_added + ${number}
          where project_id = ${projectId} and id = ${chatbotId}`,
      ),
    );
  }
}
