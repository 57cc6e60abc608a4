import { type Actor, operator } from '../../src/actor.ts';
import { unchanged } from '../../src/events/event.ts';
import { run } from '../../src/operation.ts';
import type { Scope } from '../../src/rights.ts';
import type { Store } from '../../src/store.ts';
import { createWebhook } from '../../src/webhooks/create.ts';
import { listDeliveries } from '../../src/webhooks/deliveries.ts';
import { retrieveWebhook } from '../../src/webhooks/list.ts';
import type { Attempt, Outgoing } from '../../src/webhooks/outgoing.ts';
import { sendDue } from '../../src/webhooks/send.ts';
import type { Delivery } from '../../src/webhooks/store.ts';
import type { StoredWebhook } from '../../src/webhooks/webhook.ts';
import { at } from './clock.ts';
import type { Opened } from './engines.ts';
import { report } from './events.ts';
import { aContact, aProject } from './people.ts';

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

interface Posted {
  headers: Readonly<Record<string, string>>;
  message: { type: string; timestamp: string; data: Record<string, unknown> };
  body: string;
}

/** A webhook of a new project, whose receiver answers what the test says. */
export async function aWebhook({ store, database }: Opened, given: object = {}, scopes?: Scope[]) {
  const desk = await aProject(store, {
    contacts: [aContact({ id: 'ana', name: 'Ana Ruiz' })],
    ...(scopes && { scopes }),
  });
  const { projectId, chatbotId, keyId } = desk;
  const posted: Posted[] = [];
  const receiver: { answer: (message: Posted['message']) => Partial<Attempt> | Promise<Partial<Attempt>> } = {
    answer: () => ({}),
  };
  const outgoing: Outgoing = {
    refusalOf: async () => undefined,
    post: async ({ headers, body }) => {
      const message = JSON.parse(body) as Posted['message'];
      posted.push({ headers, message, body });
      return { status: 204, failure: null, durationMs: 0, ...(await receiver.answer(message)) };
    },
  };
  const asKey: Actor = { type: 'key', id: keyId, projectId, scopes: scopes ?? [], requestId: null };
  const actor = scopes ? asKey : operator(projectId);
  const input = { url, events: ['contact.*'], ...given } as const;
  const { output: webhook } = await run(createWebhook, store, actor, input as never, { outgoing });
  const webhookId = webhook.id;
  let known = { looked: 0n, attempts: -1 };
  return {
    ...desk,
    store,
    database,
    actor,
    outgoing,
    posted,
    receiver,
    webhook,
    webhookId,
    /** What was posted is about whom. */
    about: () => posted.map(({ message }) => message.data['contact_id'] ?? message.type),
    /** One turn of the sender. */
    send: async (time = new Date(), through: Store = store) => {
      const due = { projectId, webhookId, ...known, keepsPosition: true, requestsMax: 10 };
      known = await at(time, () => sendDue(through, outgoing, due, new AbortController().signal));
    },
    show: async () => (await run(retrieveWebhook, store, operator(projectId), { webhookId })).output,
    deliveries: async (failed = false) =>
      (await run(listDeliveries, store, operator(projectId), { webhookId, failed })).output.deliveries,
    change: (...ids: string[]) =>
      report(
        store,
        projectId,
        ...ids.map((id) => ({ type: 'contact.updated', chatbot_id: chatbotId, contact_id: id }) as const),
      ),
  };
}

export const failing = (status = 500): Partial<Attempt> => ({ status, failure: 'status' });
