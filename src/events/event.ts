import type { Actor } from '../actor.ts';
import { newId } from '../values/identifier.ts';
import type { Timestamp } from '../values/timestamp.ts';

/** Each type, and what it may do to its subject, for a restore: make it, allow it more, or end it; null is none of these. */
export const effects = {
  'contact.created': 'makes',
  'contact.updated': null,
  'contact.deleted': 'ends',
  'contact.restored': 'allows',
  'contact.purged': 'ends',
  'contact.merged': null,
  'contact.unmerged': null,
  'contacts.exported': null,
  'contacts.erased': 'ends',
  'member.invited': 'makes',
  'member.activated': 'makes',
  'member.updated': 'allows',
  'member.removed': 'ends',
  'owner.transferred': 'allows',
  'chatbot.created': 'makes',
  'chatbot.updated': null,
  'chatbot.deleted': 'ends',
  'project.created': 'makes',
  'project.updated': null,
  'key.created': 'makes',
  'key.updated': 'allows',
  'key.revoked': 'ends',
  'key.rotated': 'ends',
  'session.started': null,
  'session.ended': null,
  'passkey.added': null,
  'passkey.removed': null,
  'webhook.created': 'makes',
  'webhook.updated': 'allows',
  'webhook.disabled': 'allows',
  'webhook.deleted': 'ends',
} as const satisfies Record<string, 'makes' | 'allows' | 'ends' | null>;
export type EventType = keyof typeof effects;
export const eventTypes = Object.keys(effects) as [EventType, ...EventType[]];

/** Ids and names of fields, never their values. Null means that it does not apply. */
export interface Subject {
  chatbot_id: string | null;
  contact_id: string | null;
  contact_ids: string[] | null;
  member_id: string | null;
  member_ids: string[] | null;
  key_id: string | null;
  changed: string[] | null;
  /** Number of contacts if the event names none; missing if unknown. */
  count?: number;
  receipt_id?: string;
  webhook_id?: string;
}

export type NewEvent = Partial<Subject> & { type: EventType };

export interface Event extends Subject {
  id: string;
  /** Decimal, without gaps in the project, in the order of commits. */
  sequence: string;
  type: EventType;
  occurred_at: Timestamp;
  actor: { type: Actor['type']; id: string };
  request_id: string | null;
}

export interface Written<Output> {
  readonly output: Output;
  readonly changes: readonly NewEvent[];
}

export function changed<Output>(output: Output, change: NewEvent, ...more: NewEvent[]): Written<Output> {
  return { output, changes: [change, ...more] };
}

export function unchanged<Output>(output: Output): Written<Output> {
  return { output, changes: [] };
}

export function eventOf(actor: Actor, { type, ...subject }: NewEvent, at: Timestamp): Omit<Event, 'sequence'> {
  return {
    id: newId(),
    type,
    occurred_at: at,
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

export interface EventConditions {
  types: readonly EventType[];
  /** About this chatbot or its contacts. */
  chatbotId?: string | undefined;
  actorType?: Actor['type'] | undefined;
  /** `cli` is every user of the command line. */
  actorId?: string | undefined;
  contactId?: string | undefined;
  memberId?: string | undefined;
  occurredFrom?: Timestamp | undefined;
  occurredBefore?: Timestamp | undefined;
  /** Only events about contacts with these ids, and all about several contacts. */
  contactIds?: readonly string[];
}

export interface EventFilter extends EventConditions {
  /** The list begins behind this event, which need not exist; descending, the earlier ones are behind it. */
  after: bigint;
  isDescending?: boolean;
  limit: number;
}

/** A point in the feed: an event, or 0 before the first. The id is null where the event is not kept. */
interface FeedPoint {
  sequence: bigint;
  id: string | null;
}

/** From one snapshot. A restore or a copy changes `feed`. Where no event is kept, `oldest` is one more than `last`. */
export interface EventPage {
  events: Event[];
  feed: string;
  from: FeedPoint;
  upTo: FeedPoint;
  oldest: bigint;
  last: bigint;
}

export interface EventReads {
  /** Durable events in commit order or the reverse, looking through some thousand at most. Throws `not_found`, and `unavailable`. */
  list(projectId: string, filter: EventFilter): Promise<EventPage>;
}

export interface EventWrites {
  /** Deletes the oldest events up to the first that is not before this time, `limit` at most. Returns how many. */
  purge(projectId: string, before: Timestamp, limit: number): Promise<number>;
}

export interface EventWatch {
  /** True once there may be a later event, false once the signal is aborted. Holds no connection meanwhile. */
  next(projectId: string, after: bigint, signal: AbortSignal): Promise<boolean>;
}

export interface EventWaiter extends Disposable {
  next(projectId: string, after: bigint): Promise<boolean>;
}
