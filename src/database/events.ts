import type { Actor } from '../actor.ts';
import { eventOf, type EventWrites, type NewEvent } from '../events/event.ts';
import { formatTimestamp } from '../values/timestamp.ts';
import type { Transaction } from './database.ts';
import { forgetMarks } from './event-marks.ts';
import { eventColumns, toRow } from './event-rows.ts';
import { slicesOf } from './slices.ts';
import { type Insertion, sql, type Value } from './sql.ts';

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
      await connection.run(forgetMarks(projectId, last.sequence));
      return connection.run(
        sql`delete from events where project_id = ${projectId} and sequence <= cast(${last.sequence} as bigint)`,
      );
    },
  };
}

export interface Recorded {
  actor: Actor;
  changes: readonly NewEvent[];
}

interface FeedState {
  feed: string;
  last: string;
}

export interface LastEvent {
  id: string;
  count: number;
  place: Promise<FeedState | undefined>;
}

/** Must come last: the lock on the project's row makes the numbers follow the order of commits. */
export function recordEvents(
  connection: Transaction,
  projectId: string,
  recorded: readonly Recorded[],
): LastEvent | undefined {
  const changes = recorded.flatMap((one) => one.changes);
  if (changes.length === 0) return undefined;
  countAdded(connection, projectId, changes);
  const place = connection.first<FeedState>(
    sql`update projects set last_event = last_event + ${changes.length} where id = ${projectId}
      returning cast(last_event as text) as last, feed`,
  );
  // Not awaited: it goes along with the commit, and resolves with it.
  connection.beforeCommit(place);
  let fromEnd = -changes.length;
  const at = formatTimestamp(new Date());
  const rows: Value[][] = [];
  let id = '';
  for (const { actor, changes: own } of recorded) {
    for (const change of own) {
      const event = eventOf(actor, change, at);
      rows.push(toRow(actor, ++fromEnd, event));
      ({ id } = event);
    }
  }
  const query = sql`select last_event from projects where id = ${projectId}`;
  const insertion = { ...eventInsertion, countedFrom: { column: 'sequence', query } };
  for (const some of slicesOf(rows)) connection.beforeCommit(connection.insertAll(insertion, some));
  return { id, count: changes.length, place };
}

const adding: ReadonlySet<string> = new Set(['contact.created', 'contact.restored', 'contact.unmerged']);

export function addedBy(changes: readonly NewEvent[]): Map<string, number> {
  const added = new Map<string, number>();
  for (const { type, chatbot_id: chatbotId, contact_ids: ids } of changes) {
    if (adding.has(type) && chatbotId != null) added.set(chatbotId, (added.get(chatbotId) ?? 0) + (ids?.length ?? 1));
  }
  return added;
}

/** Triggers count those that go. */
function countAdded(connection: Transaction, projectId: string, changes: readonly NewEvent[]): void {
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
