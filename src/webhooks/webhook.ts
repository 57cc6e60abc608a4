import type { EventPattern } from '../events/patterns.ts';
import { nextRevision } from '../revision.ts';
import type { Maker } from '../rights.ts';
import { invalid } from '../validation.ts';
import { formatTimestamp, type Timestamp } from '../values/timestamp.ts';
import type { Outgoing, UrlRefusal } from './outgoing.ts';

export const payloads = ['thin', 'full'] as const;
export const states = ['active', 'failing', 'disabled'] as const;
/** `maker_ended`: the key or the member that made it is gone, or may not any more. */
export const disabledReasons = ['requested', 'gone', 'failing', 'maker_ended', 'restored'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

export interface StoredWebhook {
  project_id: string;
  id: string;
  url: string;
  events: readonly EventPattern[];
  chatbot_ids: readonly string[] | null;
  payload: (typeof payloads)[number];
  description: string | null;
  /** Readable, as signing needs it. */
  secret: string;
  old_secret: string | null;
  old_secret_until: Timestamp | null;
  failing_since: Timestamp | null;
  disabled_reason: DisabledReason | null;
  last_success_at: Timestamp | null;
  /** The receiver wants nothing before. */
  paused_until: Timestamp | null;
  retry_at: Timestamp | null;
  /** The last event that was tried, or is not for it. */
  position: bigint;
  /** Of the project. */
  last_event: bigint;
  /** How many attempts it has had; a change of it counts as one. */
  attempts: number;
  /** It sees what its maker sees. Whoever changes where it sends, or what, becomes its maker. */
  created_by: Maker;
  created_at: Timestamp;
  revision: number;
}

export type WebhookView = ReturnType<typeof webhookView>;

export function stateOf({ disabled_reason: reason, failing_since: since }: StoredWebhook): (typeof states)[number] {
  if (reason !== null) return 'disabled';
  return since === null ? 'active' : 'failing';
}

function nextAttemptAt(webhook: StoredWebhook): Timestamp | null {
  const { disabled_reason: reason, paused_until: pausedUntil, retry_at: retry } = webhook;
  if (reason !== null) return null;
  const pause = pausedUntil !== null && pausedUntil > formatTimestamp(new Date()) ? pausedUntil : null;
  return retry !== null && (pause === null || retry > pause) ? retry : pause;
}

export function webhookView(webhook: StoredWebhook) {
  const { id, url, events, chatbot_ids, payload, description, failing_since, disabled_reason } = webhook;
  return {
    id,
    url,
    events,
    chatbot_ids,
    payload,
    description,
    state: stateOf(webhook),
    failing_since,
    disabled_reason,
    last_success_at: webhook.last_success_at,
    next_attempt_at: nextAttemptAt(webhook),
    behind: Math.max(0, Number(webhook.last_event - webhook.position)),
  };
}

export type Disclosed = WebhookView & { secret: string | null };

const objections: Readonly<Record<UrlRefusal, string>> = {
  malformed: 'must be a URL',
  scheme: 'must begin with https://; ROSTER_WEBHOOK_ALLOW of the operator opens http:// to other places',
  user_in_url: 'must hold no user and no password',
  unresolved: 'must have a name that can be looked up',
  forbidden_address: 'must lead to a public address; ROSTER_WEBHOOK_ALLOW of the operator opens others',
};

export function requireOutgoing(outgoing: Outgoing | undefined): Outgoing {
  if (!outgoing) throw new Error('webhooks cannot be sent from here');
  return outgoing;
}

export function requireAllowed(refusal: UrlRefusal | undefined): void {
  if (refusal) throw invalid([{ field: 'url', code: 'not_allowed', message: objections[refusal] }]);
}

/** The sender looks at it anew, and what is on its way counts no more. */
export function changedNow(webhook: StoredWebhook): StoredWebhook {
  return { ...webhook, attempts: webhook.attempts + 1, revision: nextRevision(webhook.revision) };
}
