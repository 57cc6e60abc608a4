import { operator } from '../../src/actor.ts';
import { unchanged } from '../../src/events/event.ts';
import type { Store } from '../../src/store.ts';
import type { Outgoing } from '../../src/webhooks/outgoing.ts';
import type { Delivery } from '../../src/webhooks/store.ts';
import type { StoredWebhook } from '../../src/webhooks/webhook.ts';

const url = 'https://example.com/hooks/roster';

/** A stored webhook that nobody was asked about. */
export function storeWebhook(
  store: Store,
  projectId: string,
  id: string,
  given: Partial<StoredWebhook> = {},
): Promise<void> {
  const webhook: StoredWebhook = {
    project_id: projectId,
    id,
    url,
    events: ['contact.*'],
    chatbot_ids: null,
    payload: 'thin',
    description: null,
    secret: 'whsec_bWFkZSB1cCBmb3IgdGhlIHRlc3RzIG9mIHdlYmhvb2tz',
    old_secret: null,
    old_secret_until: null,
    failing_since: null,
    disabled_reason: null,
    last_success_at: null,
    paused_until: null,
    retry_at: null,
    position: 0n,
    last_event: 0n,
    attempts: 0,
    created_by: { type: 'operator', id: 'cli' },
    created_at: '2026-06-08T13:38:33+00:00',
    revision: 1,
    ...given,
  };
  return store.write(operator(projectId), async ({ webhooks }) => unchanged(await webhooks.insert(webhook)));
}

/** A first attempt that failed, for the event with this sequence. */
export function aRetry(sequence: number, given: Partial<Delivery> = {}): Delivery {
  return {
    number: 1,
    event_id: 'some-event',
    sequence: String(sequence),
    type: 'contact.updated',
    attempt: 1,
    at: '2026-06-08T13:38:33+00:00',
    status: 500,
    reason: 'status',
    duration_ms: 1,
    next_attempt_at: '2100-01-01T00:00:00+00:00',
    outcome: 'retrying',
    ...given,
  };
}

/** Allows every URL and posts nothing: tests reach no name server. */
export const anywhere: Outgoing = {
  refusalOf: async () => undefined,
  post: async () => ({ status: 204, failure: null, durationMs: 1 }),
};
