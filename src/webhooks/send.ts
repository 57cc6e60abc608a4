import { covers, job } from '../actor.ts';
import type { Event } from '../events/event.ts';
import { run } from '../operation.ts';
import type { Store } from '../store.ts';
import { giveWay } from '../values/give-way.ts';
import { formatTimestamp } from '../values/timestamp.ts';
import { candidatesOf, endWebhook, hasFailedTooLong, noteAttempts, retriesMax, type Tried } from './attempts.ts';
import type { Outgoing } from './outgoing.ts';
import { bodyOf, isAbout, scopesOfMaker, typesFor } from './payload.ts';
import { secretsAt, signedHeaders } from './signing.ts';
import type { Delivery } from './store.ts';
import type { StoredWebhook } from './webhook.ts';

export const senderJob = 'send-webhooks';

interface Due {
  readonly projectId: string;
  readonly webhookId: string;
  /** Looks at later events than this only, unless the webhook has had other attempts than these: it may have been moved back. */
  readonly looked: bigint;
  readonly attempts: number;
  /** Whether events that are not for it move its stored position. */
  readonly keepsPosition: boolean;
  readonly requestsMax: number;
}

/** `attempts` of the webhook include these. Nothing is due before `waitsUntil`; empty if a new event ends the wait. */
export interface Sent {
  tried: readonly Tried[];
  attempts: number;
  /** Up to where there is nothing more to send. */
  looked: bigint;
  waitsUntil: string;
}

interface Message extends Pick<Tried, 'event_id' | 'sequence' | 'type' | 'attempt'> {
  event: Event | undefined;
}

const pageSize = 100;

/** Sends some of what a webhook is owed, all at once, and records what came of it. Throws the signal's reason. */
export async function sendDue(store: Store, outgoing: Outgoing, due: Due, signal: AbortSignal): Promise<Sent> {
  const { projectId, webhookId, requestsMax } = due;
  const nothing: Sent = { ...due, tried: [], waitsUntil: '' };
  const actor = job(senderJob, projectId);
  // Many webhooks may be due at once.
  await giveWay();
  const webhook = await store.webhooks.find(projectId, webhookId);
  const now = new Date();
  if (!webhook || webhook.disabled_reason !== null || (webhook.paused_until ?? '') > formatTimestamp(now)) {
    return nothing;
  }
  const scopes = await scopesOfMaker(store, webhook);
  if (!covers(scopes, 'webhooks:write')) {
    await run(endWebhook, store, actor, { read: webhook, reason: 'maker_ended' });
    return nothing;
  }
  const retries = webhook.retry_at === null ? [] : await store.webhooks.retries(projectId, webhookId, retriesMax);
  const types = typesFor(webhook, scopes);
  const again = await dueAgain(store, webhook, types, retries, formatTimestamp(now), requestsMax);
  const from = webhook.attempts === due.attempts && due.looked > webhook.position ? due.looked : webhook.position;
  const limit = Math.min(requestsMax - again.length, retriesMax - retries.length);
  const next = limit > 0 ? await later(store, webhook, types, from, limit) : { messages: [], upTo: from };
  const post = async ({ event, ...message }: Message): Promise<Tried> => {
    const at = new Date();
    if (!event) return { ...message, at, status: null, reason: 'event_gone', durationMs: 0 };
    const body = await bodyOf(store, webhook, event, scopes);
    const headers = signedHeaders(event.id, at, body, secretsAt(webhook, at));
    const { failure: reason, ...answered } = await outgoing.post({ url: webhook.url, headers, body }, signal);
    return { ...message, ...answered, at, reason };
  };
  const tried = await Promise.all([...again, ...next.messages].map(post));
  if (tried.length > 0 || (due.keepsPosition && next.upTo > webhook.position)) {
    const { attempts } = webhook;
    const noted = await run(noteAttempts, store, actor, { webhookId, attempts, position: next.upTo, tried });
    // The webhook has changed meanwhile, and its attempts may count as many by that.
    if (!noted.output) return { ...nothing, tried };
  }
  const isThrough = tried.length === 0 && next.upTo >= webhook.last_event;
  if (isThrough && hasFailedTooLong(webhook, now)) {
    await run(endWebhook, store, actor, { read: webhook, reason: 'failing' });
  }
  const waitsUntil = retries.length >= retriesMax && again.length === 0 ? (webhook.retry_at ?? '') : '';
  return { tried, attempts: webhook.attempts + tried.length, looked: next.upTo, waitsUntil };
}

async function dueAgain(
  { events }: Store,
  { project_id: projectId }: StoredWebhook,
  types: ReturnType<typeof typesFor>,
  retries: readonly Delivery[],
  now: string,
  limit: number,
): Promise<Message[]> {
  const due = candidatesOf(retries)
    .filter(({ next_attempt_at: at }) => at !== null && at <= now)
    .slice(0, limit);
  return Promise.all(
    due.map(async ({ event_id, sequence, type, attempt }) => {
      const page = await events.list(projectId, { after: BigInt(sequence) - 1n, types: [], limit: 1 });
      // The webhook may have changed, or its maker lost a right, since the first attempt.
      const event = types.includes(type) ? page.events.find(({ id }) => id === event_id) : undefined;
      return { event_id, sequence, type, attempt: attempt + 1, event };
    }),
  );
}

async function later(
  { events }: Store,
  webhook: StoredWebhook,
  types: ReturnType<typeof typesFor>,
  after: bigint,
  limit: number,
): Promise<{ messages: Message[]; upTo: bigint }> {
  // Without types the feed has all.
  if (types.length === 0) return { messages: [], upTo: webhook.last_event };
  const page = await events.list(webhook.project_id, {
    after,
    types,
    limit: webhook.chatbot_ids === null ? limit : pageSize,
  });
  const wanted = page.events.filter((event) => isAbout(webhook, event));
  const taken = wanted.slice(0, limit);
  const last = taken.length < wanted.length ? taken.at(-1) : undefined;
  return {
    messages: taken.map((event) => {
      const { id: event_id, sequence, type } = event;
      return { event_id, sequence, type, attempt: 1, event };
    }),
    upTo: last === undefined ? page.upTo.sequence : BigInt(last.sequence),
  };
}
