import type { EventType } from '../events/event.ts';
import type { Timestamp } from '../values/timestamp.ts';
import type { Failure } from './outgoing.ts';
import type { StoredWebhook } from './webhook.ts';

export const outcomes = ['delivered', 'retrying', 'failed', 'given_up'] as const;

/** An attempt to deliver an event, from 1. The last of an event that is tried again is `retrying`, others `failed`. */
export interface Delivery {
  /** Grows with the attempts of the webhook. */
  number: number;
  event_id: string;
  sequence: string;
  type: EventType;
  attempt: number;
  at: Timestamp;
  status: number | null;
  reason: Failure | 'event_gone' | null;
  duration_ms: number;
  next_attempt_at: Timestamp | null;
  outcome: (typeof outcomes)[number];
}

export interface WebhookReads {
  find(projectId: string, webhookId: string): Promise<StoredWebhook | undefined>;
  /** Oldest first. */
  page(
    projectId: string,
    range: { limit: number; offset: number },
  ): Promise<{ webhooks: StoredWebhook[]; total: number }>;
  /** Newest first, before this number; with `failed` those that were not delivered. */
  deliveries(
    projectId: string,
    webhookId: string,
    filter: { before: number | undefined; failed: boolean; limit: number },
  ): Promise<Delivery[]>;
  /** Failed deliveries that are tried again, in the order of the events; `limit` at most. */
  retries(projectId: string, webhookId: string, limit: number): Promise<Delivery[]>;
}

export interface WebhookWrites {
  findForUpdate(projectId: string, webhookId: string): Promise<StoredWebhook | undefined>;
  insert(webhook: StoredWebhook): Promise<void>;
  save(webhook: StoredWebhook): Promise<void>;
  delete(projectId: string, webhookId: string): Promise<void>;
  /** Ends what is retried: all, or events after this one. */
  endRetries(projectId: string, webhookId: string, after: bigint): Promise<void>;
  hurryRetries(projectId: string, webhookId: string, at: Timestamp): Promise<void>;
  /** Adds attempts, and ends the `retrying` ones that they follow. Forgets old ones. */
  noteDeliveries(projectId: string, webhookId: string, deliveries: readonly Delivery[]): Promise<void>;
  /** Webhooks made by a rotated key belong to its successor. */
  handOn(projectId: string, keyId: string, successorId: string): Promise<void>;
}
