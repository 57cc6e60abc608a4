import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { sql } from '../../src/database/sql.ts';
import { startSender } from '../../src/jobs/sender.ts';
import { run } from '../../src/operation.ts';
import { openOutgoing } from '../../src/outgoing/outgoing.ts';
import { addSeconds, formatTimestamp } from '../../src/values/timestamp.ts';
import { senderJob } from '../../src/webhooks/send.ts';
import { updateWebhook } from '../../src/webhooks/update.ts';
import { engines } from '../support/engines.ts';
import { eventsOf, report } from '../support/events.ts';
import { aProject } from '../support/people.ts';
import { aReceiver, status } from '../support/receiver.ts';
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
    start: (leaseSeconds = 6, through = store) =>
      undo.use(startSender(through, outgoing, { log: silent, seekEveryMs: 5, lookEveryMs: 5, leaseSeconds })),
    enable: () => run(updateWebhook, store, operator(projectId), { webhookId, state: 'active' }),
    change: (id: string) =>
      report(store, projectId, { type: 'contact.updated', chatbot_id: chatbotId, contact_id: id }),
    deliveries: () => store.webhooks.deliveries(projectId, webhookId, { before: undefined, failed: false, limit: 9 }),
    stored: () => store.webhooks.find(projectId, webhookId),
    about: () => receiver.received.map(({ message }) => message.data['contact_id'] ?? message.type),
    [Symbol.asyncDispose]: () => undo.disposeAsync(),
  };
}

describe.each(engines)('the sender on $engine', ({ open }) => {
  it('posts each event once, in order, signed as two libraries of Standard Webhooks check it', async () => {
    await using at = await aDesk(open);
    await at.create();
    at.start();
    for (const id of ['ana', 'bo', 'cy']) await at.change(id);
    await expect.poll(at.about).toHaveLength(3);
    await at.change('di');
    await expect.poll(at.about).toEqual(['ana', 'bo', 'cy', 'di']);
    const { secret = '' } = (await at.stored()) ?? {};
    for (const { headers, body } of at.receiver.received) {
      const named = headers as Record<string, string>;
      expect(new StandardWebhook(secret).verify(body, named)).toMatchObject({ type: 'contact.updated' });
      expect(() => new SvixWebhook(secret).verify(body, named)).not.toThrow();
    }
    await expect.poll(at.stored).toMatchObject({ attempts: 4, last_success_at: expect.any(String) });
    expect(await at.deliveries()).toHaveLength(4);
  });

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

  it.each([
    ['disabled', status(410), { disabled_reason: 'gone' }],
    ['paused', status(503, { 'retry-after': '3600' }), { paused_until: expect.stringMatching(/^20/) }],
  ])('sends to a webhook that was %s as soon as it is enabled', async (_, refuse, refused) => {
    await using at = await aDesk(open);
    await at.create();
    at.receiver.answer = refuse;
    at.start();
    await at.change('ana');
    await expect.poll(at.stored).toMatchObject({ ...refused, failing_since: expect.any(String) });
    await at.change('bo');
    at.receiver.answer = undefined;
    await at.enable();
    await expect.poll(at.about).toHaveLength(3);
    expect(new Set(at.about())).toEqual(new Set(['ana', 'bo']));
    await expect.poll(at.stored).toMatchObject({ failing_since: null, paused_until: null, retry_at: null });
  });

  it('cuts what is on its way once it has lost its lease, and records nothing of it', async () => {
    await using at = await aDesk(open);
    await at.create();
    const ends: boolean[] = [];
    at.receiver.answer = (response) => void response.on('close', () => ends.push(response.writableEnded));
    const lease = (due: string) => at.database.run(sql`update jobs set due_at = ${due} where name = ${senderJob}`);
    at.start(1);
    await at.change('ana');
    await expect.poll(at.about).toHaveLength(1);
    await lease(formatTimestamp(addSeconds(new Date(), 3_600)));
    // Less than the five seconds that requests have at a stop.
    await expect.poll(() => ends, { timeout: 4_500 }).toEqual([false]);
    expect([await at.deliveries(), await at.stored()]).toMatchObject([[], { attempts: 0, failing_since: null }]);
    at.receiver.answer = undefined;
    await lease('2026-06-08T13:38:33+00:00');
    await expect.poll(at.deliveries).toMatchObject([{ attempt: 1, outcome: 'delivered' }]);
    expect(new Set(at.receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it('sends new events also where the numbers of events have fallen, as after a failover', async () => {
    await using at = await aDesk(open);
    const { store, database, projectId } = at;
    let looks = 0;
    const dueWebhooks: typeof store.upkeep.dueWebhooks = async (...given) => {
      looks++;
      return store.upkeep.dueWebhooks(...given);
    };
    await at.create();
    const { last_event: kept = 0n } = (await at.stored()) ?? {};
    at.start(6, { ...store, upkeep: { ...store.upkeep, dueWebhooks } });
    for (const id of ['ana', 'bo', 'cy']) await at.change(id);
    await expect.poll(at.stored).toMatchObject({ attempts: 3, position: kept + 3n });
    const number = Number(kept);
    await database.run(sql`delete from events where project_id = ${projectId} and sequence > ${number}`);
    await database.run(sql`update webhooks set position = ${number - 1} where project_id = ${projectId}`);
    await database.run(sql`update projects set last_event = ${number} where id = ${projectId}`);
    const before = looks;
    await expect.poll(() => looks).toBeGreaterThan(before + 3);
    await at.change('di');
    await expect.poll(at.about).toEqual(['ana', 'bo', 'cy', 'di']);
  });
});
