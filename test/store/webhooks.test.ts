import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { startSender } from '../../src/jobs/webhooks.ts';
import { run } from '../../src/operation.ts';
import { openOutgoing } from '../../src/outgoing/outgoing.ts';
import { createWebhook } from '../../src/webhooks/create.ts';
import { listDeliveries } from '../../src/webhooks/deliveries.ts';
import { retrieveWebhook } from '../../src/webhooks/list.ts';
import { engines } from '../support/engines.ts';
import { report } from '../support/events.ts';
import { aContact, aProject } from '../support/people.ts';
import { aReceiver, status } from '../support/receiver.ts';

const silent = { info() {}, warn: console.error, error: console.error };

type Open = (typeof engines)[number]['open'];

async function opened(open: Open, given: object = {}) {
  const undo = new AsyncDisposableStack();
  const { store } = undo.use(await open());
  const desk = await aProject(store, { contacts: [aContact({ id: 'ana', name: 'Ana Ruiz' })] });
  const receiver = undo.use(await aReceiver());
  const outgoing = undo.use(openOutgoing(['127.0.0.1']));
  const actor = operator(desk.projectId);
  const { url } = receiver;
  const input = { url, events: ['contact.*'], ...given };
  const { output: webhook } = await run(createWebhook, store, actor, input, { outgoing });
  const send = () => undo.use(startSender(store, outgoing, { log: silent, seekEveryMs: 5, lookEveryMs: 5 }));
  const show = async () => (await run(retrieveWebhook, store, actor, { webhookId: webhook.id })).output;
  const deliveries = async (failed = false) =>
    (await run(listDeliveries, store, actor, { webhookId: webhook.id, failed })).output.deliveries;
  const change = (...ids: string[]) =>
    report(
      store,
      desk.projectId,
      ...ids.map((id) => ({ type: 'contact.updated', chatbot_id: desk.chatbotId, contact_id: id }) as const),
    );
  return {
    ...desk,
    store,
    actor,
    receiver,
    outgoing,
    webhook,
    send,
    show,
    deliveries,
    change,
    [Symbol.asyncDispose]: () => undo.disposeAsync(),
  };
}

describe.each(engines)('webhooks on $engine', ({ open }) => {
  it('post each event once, in order, signed as two libraries of Standard Webhooks check it', async () => {
    await using at = await opened(open);
    at.send();
    await at.change('ana', 'bo', 'cy');
    await expect.poll(() => at.receiver.received.length).toBe(3);
    await at.change('di');
    await expect.poll(() => at.receiver.received.length).toBe(4);
    const { secret } = at.webhook;
    for (const { headers, body } of at.receiver.received) {
      const named = headers as Record<string, string>;
      expect(new StandardWebhook(secret ?? '').verify(body, named)).toMatchObject({ type: 'contact.updated' });
      expect(() => new SvixWebhook(secret ?? '').verify(body, named)).not.toThrow();
    }
    expect(at.receiver.received.map(({ message }) => message.data['contact_id'])).toEqual(['ana', 'bo', 'cy', 'di']);
    await expect.poll(at.show).toMatchObject({ state: 'active', behind: 0, last_success_at: expect.any(String) });
    expect(await at.deliveries()).toHaveLength(4);
  });

  it('try again what failed, and tell it', async () => {
    await using at = await opened(open);
    at.receiver.answer = status(500);
    at.send();
    await at.change('ana');
    await expect.poll(at.show).toMatchObject({ state: 'failing', behind: 0 });
    expect(await at.deliveries(true)).toMatchObject([
      { outcome: 'retrying', status: 500, attempt: 1, reason: 'status' },
    ]);
  });
});
