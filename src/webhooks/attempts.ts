import { type NewEvent, unchanged } from '../events/event.ts';
import { write } from '../operation.ts';
import { lockProject } from '../projects/require.ts';
import { nextRevision } from '../revision.ts';
import { addSeconds, day, formatTimestamp, hour, type Timestamp } from '../values/timestamp.ts';
import type { Attempt } from './outgoing.ts';
import type { Delivery } from './store.ts';
import type { DisabledReason, StoredWebhook } from './webhook.ts';

const scheduleSeconds = [5, 300, 1_800, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour];
const jitter = 0.2;
const disabledAfterSeconds = 5 * day;
/** With so many failed deliveries only the oldest is tried. */
export const retriesMax = 20;

export interface Tried
  extends Pick<Delivery, 'event_id' | 'sequence' | 'type' | 'attempt' | 'reason'>, Omit<Attempt, 'failure'> {
  at: Date;
}

interface Attempted {
  webhookId: string;
  /** `attempts` of the webhook when its deliveries began: if it has had others since, these do not count. */
  attempts: number;
  /** Where the later events end that were tried, or are not for it. */
  position: bigint;
  tried: readonly Tried[];
}

export const noteAttempts = write({
  name: 'noteAttempts',
  scope: null,
  run: async (unit, { projectId }, { webhookId, attempts, position, tried }: Attempted) => {
    const { projects, webhooks } = unit;
    const deliveries = tried.map((one, index) => deliveryOf(one, attempts + 1 + index));
    const hasFailed = tried.some(isFailure);
    if (hasFailed) await lockProject(projects, projectId);
    const before = await webhooks.findForUpdate(projectId, webhookId);
    if (before?.attempts !== attempts) return unchanged(false);
    await webhooks.noteDeliveries(projectId, webhookId, deliveries);
    const moved = { ...before, position: position > before.position ? position : before.position };
    const webhook = after(moved, tried, deliveries);
    if (hasFailed || before.retry_at !== null) {
      webhook.retry_at = retryAt(await webhooks.retries(projectId, webhookId, retriesMax));
    }
    const isEnded = webhook.disabled_reason !== before.disabled_reason;
    await webhooks.save(isEnded ? { ...webhook, revision: nextRevision(before.revision) } : webhook);
    return { output: true, changes: isEnded ? [disabledBy(webhookId)] : [] };
  },
});

interface Ended {
  /** The webhook as it was when this was decided: one that has changed since goes on. */
  read: StoredWebhook;
  reason: DisabledReason;
}

export const endWebhook = write({
  name: 'endWebhook',
  scope: null,
  run: async ({ projects, webhooks }, { projectId }, { read, reason }: Ended) => {
    await lockProject(projects, projectId);
    const webhook = await webhooks.findForUpdate(projectId, read.id);
    const hasChanged = webhook?.attempts !== read.attempts || webhook.created_by.id !== read.created_by.id;
    if (hasChanged || webhook.disabled_reason !== null) return unchanged(undefined);
    await webhooks.save({ ...webhook, disabled_reason: reason, revision: nextRevision(webhook.revision) });
    return { output: undefined, changes: [disabledBy(read.id)] };
  },
});

export function candidatesOf(retries: readonly Delivery[]): readonly Delivery[] {
  return retries.length < retriesMax ? retries : retries.slice(0, 1);
}

export function retryAt(retries: readonly Delivery[]): Timestamp | null {
  const times = candidatesOf(retries).map((one) => one.next_attempt_at ?? '');
  return times.toSorted()[0] ?? null;
}

/** A webhook that has failed since then, or longer, is disabled. */
export function failsTooLongSince(now: Date): Timestamp {
  return formatTimestamp(addSeconds(now, -disabledAfterSeconds));
}

export function hasFailedTooLong({ failing_since: since }: StoredWebhook, now: Date): boolean {
  return since !== null && since <= failsTooLongSince(now);
}

function disabledBy(webhookId: string): NewEvent {
  return { type: 'webhook.disabled', webhook_id: webhookId, changed: ['state'] };
}

/** The outcome of an attempt, until a later one follows. */
export function outcomeOf({ attempt, reason }: Pick<Tried, 'attempt' | 'reason'>) {
  if (reason === null) return 'delivered';
  return reason === 'event_gone' || attempt > scheduleSeconds.length ? 'given_up' : 'retrying';
}

function deliveryOf({ at, durationMs, retryAfterMs = 0, ...tried }: Tried, number: number): Delivery {
  const waitMs = Math.max(spread(scheduleSeconds[tried.attempt - 1] ?? 0) * 1_000, retryAfterMs);
  const outcome = outcomeOf(tried);
  return {
    ...tried,
    number,
    at: formatTimestamp(at),
    duration_ms: durationMs,
    next_attempt_at: outcome === 'retrying' ? notBefore(new Date(at.getTime() + durationMs), waitMs) : null,
    outcome,
  };
}

/** A missing event is not the receiver's fault. */
function isFailure({ reason }: Tried): boolean {
  return reason !== null && reason !== 'event_gone';
}

function notBefore(instant: Date, ms: number): Timestamp {
  return formatTimestamp(new Date(Math.ceil((instant.getTime() + ms) / 1_000) * 1_000));
}

function spread(seconds: number): number {
  return seconds * (1 - jitter + 2 * jitter * Math.random());
}

function after(webhook: StoredWebhook, tried: readonly Tried[], deliveries: readonly Delivery[]): StoredWebhook {
  const now = new Date();
  const at = formatTimestamp(now);
  const delivered = deliveries.some(({ outcome }) => outcome === 'delivered');
  const failed = tried.some(isFailure);
  const since = delivered ? null : webhook.failing_since;
  const failing = { ...webhook, failing_since: failed ? (since ?? at) : since };
  const pauseMs = Math.max(0, ...tried.map(({ retryAfterMs = 0 }) => retryAfterMs));
  const isGone = deliveries.some(({ status }) => status === 410);
  return {
    ...failing,
    attempts: webhook.attempts + deliveries.length,
    last_success_at: delivered ? at : webhook.last_success_at,
    paused_until: pauseMs > 0 ? notBefore(now, pauseMs) : null,
    disabled_reason:
      webhook.disabled_reason ?? (isGone ? 'gone' : failed && hasFailedTooLong(failing, now) ? 'failing' : null),
  };
}
