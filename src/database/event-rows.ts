import type { Actor } from '../actor.ts';
import type { Event } from '../events/event.ts';
import type { Value } from './sql.ts';

const subject = 'chatbot_id contact_id contact_ids member_id member_ids key_id changed count receipt_id webhook_id';
export const eventColumns = `id type occurred_at actor_type actor_id request_id ${subject}`.split(' ');

type Lists = 'contact_ids' | 'member_ids' | 'changed';

export type EventRow = Omit<Event, 'actor' | 'count' | 'receipt_id' | 'webhook_id' | Lists> &
  Record<Lists, string | null> & {
    count: number | null;
    receipt_id: string | null;
    webhook_id: string | null;
    actor_type: Actor['type'];
    actor_id: string;
  };

export function toRow({ projectId }: Actor, sequence: number, { actor, ...event }: Omit<Event, 'sequence'>): Value[] {
  const values: Record<string, Value> = {
    ...event,
    actor_type: actor.type,
    actor_id: actor.id,
    contact_ids: jsonOf(event.contact_ids),
    member_ids: jsonOf(event.member_ids),
    changed: jsonOf(event.changed),
  };
  return [projectId, sequence, ...eventColumns.map((column) => values[column] ?? null)];
}

export function toEvent(row: EventRow): Event {
  const { id, sequence, type, occurred_at, actor_type, actor_id, request_id } = row;
  return {
    id,
    sequence,
    type,
    occurred_at,
    actor: { type: actor_type, id: actor_id },
    request_id,
    chatbot_id: row.chatbot_id,
    contact_id: row.contact_id,
    contact_ids: listOf(row.contact_ids),
    member_id: row.member_id,
    member_ids: listOf(row.member_ids),
    key_id: row.key_id,
    changed: listOf(row.changed),
    ...(row.count !== null && { count: row.count }),
    ...(row.receipt_id !== null && { receipt_id: row.receipt_id }),
    ...(row.webhook_id !== null && { webhook_id: row.webhook_id }),
  };
}

function jsonOf(list: readonly string[] | null): string | null {
  return list && JSON.stringify(list);
}

function listOf(json: string | null): string[] | null {
  return json === null ? null : (JSON.parse(json) as string[]);
}
