import { describe, expect, it } from 'vitest';

import { type Actor, operator } from '../../src/actor.ts';
import { run } from '../../src/operation.ts';
import type { Scope } from '../../src/rights.ts';
import type { Store } from '../../src/store.ts';
import type { Outgoing } from '../../src/webhooks/outgoing.ts';
import { sendDue } from '../../src/webhooks/send.ts';
import { testWebhook } from '../../src/webhooks/test.ts';
import { updateWebhook } from '../../src/webhooks/update.ts';
import { engines, shared } from '../support/engines.ts';
import { eventsOf, report } from '../support/events.ts';
import { aContact, aProject, createApiKey } from '../support/people.ts';
import { aRetry, storeWebhook } from '../support/webhooks.ts';

const webhookId = 'hook';
const url = 'https://other.example.com/';

/** A `full` webhook of the operator, and a key that may only change webhooks. */
async function aProjectWithWebhook(store: Store) {
  const { projectId, chatbotId } = await aProject(store, { contacts: [aContact({ id: 'ana', name: 'Ana Ruiz' })] });
  const scopes: Scope[] = ['webhooks:write'];
  const { key } = await createApiKey(store, projectId, { name: 'k', scopes });
  await storeWebhook(store, projectId, webhookId, { payload: 'full', events: ['contact.*', 'key.*'] });
  const byKey: Actor = { ...operator(projectId), type: 'key', id: key.id, scopes };
  const bodies: string[] = [];
  const outgoing: Outgoing = {
    refusalOf: async () => undefined,
    post: async (request) => {
      bodies.push(request.body);
      return { status: 204, failure: null, durationMs: 1 };
    },
  };
  const due = { projectId, webhookId, looked: 0n, attempts: -1, keepsPosition: true, requestsMax: 25 };
  return {
    projectId,
    bodies,
    change: () => report(store, projectId, { type: 'contact.updated', chatbot_id: chatbotId, contact_id: 'ana' }),
    update: (input: object) => run(updateWebhook, store, byKey, { webhookId, ...input }, { outgoing }),
    test: () => run(testWebhook, store, byKey, { webhookId }, { outgoing }),
    send: () => sendDue(store, outgoing, due, new AbortController().signal),
  };
}

describe.each(engines)("somebody else's webhook on $engine", ({ open }) => {
  const at = shared(open);

  it('sends nothing of what a key may not read to a URL of the key, even if it was disabled and then tested', async () => {
    const { bodies, change, update, test, send } = await aProjectWithWebhook(at.store);
    await update({ url, state: 'disabled' });
    await test();
    await change();
    await send();
    expect(bodies.map((body) => (JSON.parse(body) as { type: string }).type)).toEqual(['ping']);
  });

  it('sends nothing of that in a retry from before', async () => {
    const { projectId, bodies, update, send } = await aProjectWithWebhook(at.store);
    const past = '2026-06-08T13:38:33+00:00';
    const event = (await eventsOf(at.store, projectId)).find(({ type }) => type === 'key.created');
    const retry = aRetry(Number(event?.sequence), {
      event_id: event?.id ?? '',
      type: 'key.created',
      next_attempt_at: past,
    });
    await at.store.write(operator(projectId), async ({ webhooks }) => {
      const webhook = await webhooks.findForUpdate(projectId, webhookId);
      if (!webhook) throw new Error('no webhook');
      await webhooks.noteDeliveries(projectId, webhookId, [retry]);
      await webhooks.save({ ...webhook, attempts: 1, retry_at: past });
      return { output: undefined, changes: [] };
    });
    await update({ url });
    await send();
    expect(bodies).toEqual([]);
    const rows = await at.store.webhooks.deliveries(projectId, webhookId, {
      before: undefined,
      failed: true,
      limit: 9,
    });
    expect(rows.map(({ outcome }) => outcome)).toEqual(['given_up', 'failed']);
  });
});
