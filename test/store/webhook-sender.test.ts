import { describe, expect, it } from 'vitest';

import { startSender } from '../../src/jobs/webhooks.ts';
import { openOutgoing } from '../../src/outgoing/outgoing.ts';
import { addSeconds, formatTimestamp } from '../../src/values/timestamp.ts';
import { engines } from '../support/engines.ts';
import { eventsOf, report } from '../support/events.ts';
import { aProject } from '../support/people.ts';
import { aReceiver } from '../support/receiver.ts';
import { storeWebhook } from '../support/webhooks.ts';

const silent = { info() {}, warn: console.error, error: console.error };
const webhookId = 'hook';
const day = 86_400;

type Open = (typeof engines)[number]['open'];

/** A project, a receiver, and a sender to start. */
async function aDesk(open: Open) {
  const undo = new AsyncDisposableStack();
  const { store, database } = undo.use(await open());
  const { projectId, chatbotId } = await aProject(store);
  const receiver = undo.use(await aReceiver());
  const outgoing = undo.use(openOutgoing(['127.0.0.1']));
  return {
    store,
    database,
    projectId,
    receiver,
    create: (given: Parameters<typeof storeWebhook>[3] = {}) =>
      storeWebhook(store, projectId, webhookId, { url: receiver.url, ...given }),
    start: (leaseSeconds = 6) =>
      undo.use(startSender(store, outgoing, { log: silent, seekEveryMs: 5, lookEveryMs: 5, leaseSeconds })),
    change: (id: string) =>
      report(store, projectId, { type: 'contact.updated', chatbot_id: chatbotId, contact_id: id }),
    stored: () => store.webhooks.find(projectId, webhookId),
    about: () => receiver.received.map(({ message }) => message.data['contact_id'] ?? message.type),
    [Symbol.asyncDispose]: () => undo.disposeAsync(),
  };
}

describe.each(engines)('the sender on $engine', ({ open }) => {
  it('disables a webhook that has failed for five days although nothing is left to send', async () => {
    await using at = await aDesk(open);
    await at.create({ failing_since: formatTimestamp(addSeconds(new Date(), -5 * day)) });
    at.start();
    await expect.poll(at.stored).toMatchObject({ disabled_reason: 'failing' });
    const ended = await eventsOf(at.store, at.projectId, { types: ['webhook.disabled'] });
    expect(ended).toMatchObject([{ webhook_id: webhookId, actor: { type: 'job' }, changed: ['state'] }]);
  });

  it('first sends what is left to a webhook that has failed for so long', async () => {
    await using at = await aDesk(open);
    await at.create({ failing_since: formatTimestamp(addSeconds(new Date(), -6 * day)) });
    await at.change('ana');
    at.start();
    await expect.poll(at.stored).toMatchObject({ failing_since: null, disabled_reason: null });
    expect(at.about()).toEqual(['ana']);
  });
});
