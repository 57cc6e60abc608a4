import type { Actor } from '../actor.ts';
import { type Change, type Event, type EventReads, eventOf, type EventType } from '../events.ts';
import type { Access, Insertion, Transaction } from './database.ts';
import { allOf, inList, raw, type Sql, sql, type Value } from './sql.ts';

const subject = 'chatbot_id contact_id contact_ids member_id member_ids key_id changed';
const row = `id type occurred_at actor_type actor_id request_id ${subject}`.split(' ');
const columns = raw(row.join(', '));

type NewEvent = Omit<Event, 'sequence'>;
type Lists = 'contact_ids' | 'member_ids' | 'changed';

/** Lists are stored as JSON. */
type EventRow = Omit<Event, 'actor' | Lists> &
  Record<Lists, string | null> & { actor_type: Actor['type']; actor_id: string };

export function eventReads(access: Access): EventReads {
  return {
    list: async (projectId, { after, types, limit }) => {
      const rows = await access.of(projectId).all<EventRow>(
        sql`select cast(sequence as text) as sequence, ${columns} from events
          where project_id = ${projectId} and sequence > cast(${String(after)} as bigint) and ${ofTypes(types)}
          order by events.sequence limit ${limit}`,
      );
      return rows.map(toEvent);
    },
  };
}

function ofTypes(types: readonly EventType[]): Sql {
  return allOf(types.length === 0 ? [] : [sql`type in ${inList(types)}`]);
}

export const eventInsertion: Insertion = {
  into: 'events',
  columns: ['project_id', 'sequence', ...row],
  // No analysis: they are found by the primary key, and inserted as the last step before a commit.
  foundBy: [],
  ending: sql``,
};

export interface Recorded {
  actor: Actor;
  changes: readonly Change[];
}

/** Must be the last step: the lock on the project's row makes the numbers follow the order of commits. */
export async function recordEvents(
  connection: Transaction,
  projectId: string,
  recorded: readonly Recorded[],
): Promise<void> {
  const total = recorded.reduce((sum, { changes }) => sum + changes.length, 0);
  if (total === 0) return;
  const counter = await connection.first<{ last: string }>(
    sql`update projects set last_event = last_event + ${total} where id = ${projectId}
      returning cast(last_event as text) as last`,
  );
  if (!counter) throw new Error('events were recorded for a project that does not exist');
  let sequence = Number(counter.last) - total;
  const now = new Date();
  const rows = recorded.flatMap(({ actor, changes }) =>
    changes.map((change) => toRow(actor, ++sequence, eventOf(actor, change, now))),
  );
  connection.beforeCommit(connection.insertAll(eventInsertion, rows));
}

function toRow({ projectId }: Actor, sequence: number, { actor, ...event }: NewEvent): Value[] {
  const values: Record<string, Value> = {
    ...event,
    actor_type: actor.type,
    actor_id: actor.id,
    contact_ids: jsonOf(event.contact_ids),
    member_ids: jsonOf(event.member_ids),
    changed: jsonOf(event.changed),
  };
  return [projectId, sequence, ...row.map((column) => values[column] ?? null)];
}

function toEvent({ sequence, id, type, occurred_at, actor_type, actor_id, ...rest }: EventRow): Event {
  return {
    id,
    sequence,
    type,
    occurred_at,
    actor: { type: actor_type, id: actor_id },
    ...rest,
    contact_ids: listOf(rest.contact_ids),
    member_ids: listOf(rest.member_ids),
    changed: listOf(rest.changed),
  };
}

function jsonOf(list: readonly string[] | null): string | null {
  return list && JSON.stringify(list);
}

function listOf(json: string | null): string[] | null {
  return json === null ? null : (JSON.parse(json) as string[]);
}
