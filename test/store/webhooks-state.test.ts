import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { unchanged } from '../../src/events/event.ts';
import { startSender } from '../../src/jobs/sender.ts';
import type { WebhooksState } from '../../src/upkeep.ts';
import { formatTimestamp } from '../../src/values/timestamp.ts';
import { engines } from '../support/engines.ts';
import { eventsOf, report } from '../support/events.ts';
import { aProject } from '../support/people.ts';
import { anywhere, aRetry, storeWebhook } from '../support/webhooks.ts';

const silent = { info() {}, warn: console.error, error: console.error };
const since = '2026-06-08T13:38:33+00:00';

describe.each(engines)('the state of webhooks on $engine', ({ open }) => {
  it('counts those that fail, and those that Roster has disabled, but not those that somebody has', async () => {
    await using at = await open();
    const { store } = at;
    const { projectId } = await aProject(store);
    expect(await store.upkeep.webhooksState()).toEqual({ failing: 0, disabled: 0, oldestEvent: null });
    await storeWebhook(store, projectId, 'active');
    await storeWebhook(store, projectId, 'failing', { failing_since: since });
    await storeWebhook(store, projectId, 'asked', { failing_since: since, disabled_reason: 'requested' });
    await storeWebhook(store, projectId, 'gone', { failing_since: since, disabled_reason: 'gone' });
    await storeWebhook(store, projectId, 'restored', { disabled_reason: 'restored' });
    expect(await store.upkeep.webhooksState()).toEqual({ failing: 1, disabled: 2, oldestEvent: null });
  });

  it('tells the oldest event that waits or is retried, of webhooks that are not disabled', async () => {
    await using at = await open();
    const { store } = at;
    const { projectId, chatbotId } = await aProject(store);
    const change = (id: string) =>
      report(store, projectId, { type: 'contact.updated', chatbot_id: chatbotId, contact_id: id });
    await storeWebhook(store, projectId, 'disabled', { disabled_reason: 'gone' });
    await change('ana');
    expect((await store.upkeep.webhooksState()).oldestEvent).toBeNull();
    await storeWebhook(store, projectId, 'active', { retry_at: '2030-01-01T00:00:00+00:00' });
    const [first] = (await eventsOf(store, projectId)).slice(-1);
    const retried = aRetry(Number(first?.sequence), { event_id: first?.id ?? '' });
    await store.write(operator(projectId), async ({ webhooks }) =>
      unchanged(await webhooks.noteDeliveries(projectId, 'active', [retried])),
    );
    expect((await store.upkeep.webhooksState()).oldestEvent).toBe(first?.occurred_at);
    await store.write(operator(projectId), async ({ webhooks }) =>
      unchanged(await webhooks.endRetries(projectId, 'active', 0n)),
    );
    expect((await store.upkeep.webhooksState()).oldestEvent).toBeNull();
    await change('bo');
    const [second] = (await eventsOf(store, projectId)).slice(-1);
    expect((await store.upkeep.webhooksState()).oldestEvent).toBe(second?.occurred_at);
  });

  it('is told by the process that sends, or by any where nobody has to', async () => {
    await using at = await open();
    const { store } = at;
    const { projectId } = await aProject(store);
    const told: (WebhooksState | undefined)[][] = [[], []];
    const start = (process: number) =>
      startSender(store, anywhere, {
        log: silent,
        onMeasured: (state) => void told[process]?.push(state),
        seekEveryMs: 5,
        lookEveryMs: 5,
        measureEveryMs: 5,
      });
    await storeWebhook(store, projectId, 'disabled', { disabled_reason: 'gone' });
    await using _one = start(0);
    await expect.poll(() => told[0]?.at(-1)).toEqual({ failing: 0, disabled: 1, oldestEvent: null });
    await storeWebhook(store, projectId, 'failing', { failing_since: formatTimestamp(new Date()) });
    await expect.poll(() => told[0]?.at(-1)).toEqual({ failing: 1, disabled: 1, oldestEvent: null });
    await using _two = start(1);
    await expect.poll(() => told[1]?.length).toBeGreaterThan(0);
    expect(told[1]?.at(-1)).toBeUndefined();
  });
});
