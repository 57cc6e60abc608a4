import type { Actor } from './actor.ts';
import { newId } from './values/identifier.ts';
import { formatTimestamp, type Timestamp } from './values/timestamp.ts';

export const eventTypes = [
  'contact.created',
  'contact.updated',
  'contact.deleted',
  'contact.restored',
  'contact.purged',
  'member.invited',
  'member.activated',
  'member.updated',
  'member.removed',
  'owner.transferred',
  'chatbot.created',
  'chatbot.updated',
  'chatbot.deleted',
  'project.created',
  'project.updated',
  'key.created',
  'key.updated',
  'key.revoked',
  'key.rotated',
] as const;
export type EventType = (typeof eventTypes)[number];

/** The subject of a change: ids and names of fields, never their values. Null means that it does not apply. */
export interface Subject {
  chatbot_id: string | null;
  contact_id: string | null;
  contact_ids: string[] | null;
  member_id: string | null;
  member_ids: string[] | null;
  key_id: string | null;
  changed: string[] | null;
}

export interface Change extends Partial<Subject> {
  type: EventType;
}

/** A change as it is stored, in the commit of the change itself. */
export interface Event extends Subject {
  id: string;
  /** Decimal, without gaps in the project, in the order of commits. */
  sequence: string;
  type: EventType;
  occurred_at: Timestamp;
  actor: { type: Actor['type']; id: string };
  request_id: string | null;
}

/** The output of a write, with its changes. No change means that there is nothing to tell of. */
export interface Written<Output> {
  readonly output: Output;
  readonly changes: readonly Change[];
}

export function changed<Output>(output: Output, change: Change, ...more: Change[]): Written<Output> {
  return { output, changes: [change, ...more] };
}

export function unchanged<Output>(output: Output): Written<Output> {
  return { output, changes: [] };
}

/** The event of a change, but for its place in the feed. */
export function eventOf(actor: Actor, { type, ...subject }: Change, now = new Date()): Omit<Event, 'sequence'> {
  return {
    id: newId(),
    type,
    occurred_at: formatTimestamp(now),
    actor: { type: actor.type, id: actor.id },
    request_id: actor.requestId,
    chatbot_id: null,
    contact_id: null,
    contact_ids: null,
    member_id: null,
    member_ids: null,
    key_id: null,
    changed: null,
    ...subject,
  };
}

export interface EventFilter {
  after: bigint;
  types: readonly EventType[];
  limit: number;
}

export interface EventReads {
  list(projectId: string, filter: EventFilter): Promise<Event[]>;
}
