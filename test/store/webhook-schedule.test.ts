import { Webhook as StandardWebhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { listEvents } from '../../src/events/feed.ts';
import { run } from '../../src/operation.ts';
import { addSeconds, formatTimestamp } from '../../src/values/timestamp.ts';
import { listDeliveries } from '../../src/webhooks/deliveries.ts';
import { replayWebhook } from '../../src/webhooks/replay.ts';
import { rotateWebhook } from '../../src/webhooks/rotate.ts';
import { testWebhook } from '../../src/webhooks/test.ts';
import { updateWebhook } from '../../src/webhooks/update.ts';
import { at as atTime } from '../support/clock.ts';
import { engines, shared } from '../support/engines.ts';
import { eventsOf } from '../support/events.ts';
import { aWebhook, failing } from '../support/webhooks.ts';

const hour = 3_600;
const day = 24 * hour;
const spans = [5, 300, 1_800, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, day];
const start = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 3_600_000);
const after = (seconds: number) => addSeconds(start, seconds);
type Webhook = Awaited<ReturnType<typeof aWebhook>>;

const replay = ({ store, actor, webhookId }: Webhook, from: { after: string } | { since: string }) =>
  run(replayWebhook, store, actor, { webhookId, ...from });

/** Sends until there is nothing more to send at this time. */
async function sendAll(hook: Webhook, time = start): Promise<void> {
  for (let before = -1; before < hook.posted.length;) {
    before = hook.posted.length;
    await hook.send(time);
  }
}

describe('a webhook', () => {
  const opened = shared(engines[0].open);

  it('tries ten times, each after its span within a fifth, then gives up, and can replay it', async () => {
    const hook = await aWebhook(opened);
    hook.receiver.answer = () => failing();
    await hook.change('ana');
    let time = start;
    for (const span of spans) {
      await hook.send(time);
      const [last] = await hook.deliveries();
      expect(last).toMatchObject({ outcome: 'retrying', status: 500, reason: 'status' });
      const next = new Date(last?.next_attempt_at ?? '');
      const seconds = (next.getTime() - time.getTime()) / 1_000;
      expect(seconds).toBeGreaterThanOrEqual(span * 0.8);
      expect(seconds).toBeLessThanOrEqual(span * 1.2 + 1);
      const tried = hook.posted.length;
      await hook.send(addSeconds(next, -1));
      expect(hook.posted).toHaveLength(tried);
      time = next;
    }
    await hook.send(time);
    const all = await hook.deliveries();
    expect(all.map(({ attempt }) => attempt)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect(all.map(({ outcome }) => outcome)).toEqual(['given_up', ...spans.map(() => 'failed')]);
    expect(all.every((one) => one.next_attempt_at === null)).toBe(true);
    expect(await hook.show()).toMatchObject({ state: 'failing', next_attempt_at: null, behind: 0 });
    hook.receiver.answer = () => ({});
    await replay(hook, { after: '*' });
    await sendAll(hook, time);
    expect(hook.about().at(-1)).toBe('ana');
    expect(
      new Set(hook.posted.filter((one) => one.message.data['contact_id']).map((one) => one.headers['webhook-id'])).size,
    ).toBe(1);
    expect(await hook.show()).toMatchObject({ state: 'active', behind: 0 });
  });

  it('has twenty failed ones at most, then tries only the oldest until it succeeds', async () => {
    const hook = await aWebhook(opened);
    hook.receiver.answer = () => failing();
    const ids = Array.from({ length: 25 }, (_, index) => `c${index}`);
    await hook.change(...ids.slice(0, 15));
    await sendAll(hook);
    await hook.change(...ids.slice(15));
    await sendAll(hook);
    expect(hook.about()).toEqual(ids.slice(0, 20));
    await hook.send(after(10));
    expect(hook.about().slice(20)).toEqual(['c0']);
    hook.receiver.answer = () => ({});
    await sendAll(hook, after(hour));
    expect(new Set(hook.about())).toEqual(new Set(ids));
    expect(hook.posted).toHaveLength(20 + 1 + 25);
    expect(await hook.show()).toMatchObject({ state: 'active', behind: 0, next_attempt_at: null });
  });

  it('fails from the first failed attempt to the next success, and is disabled after five days of it', async () => {
    const hook = await aWebhook(opened);
    hook.receiver.answer = () => failing();
    await hook.change('ana');
    await sendAll(hook);
    expect(await hook.show()).toMatchObject({ state: 'failing', failing_since: formatTimestamp(start) });
    await hook.change('bo');
    await sendAll(hook, after(5 * day - 1));
    expect(await hook.show()).toMatchObject({ state: 'failing', failing_since: formatTimestamp(start) });
    await hook.change('cy');
    await sendAll(hook, after(5 * day));
    expect(await hook.show()).toMatchObject({ state: 'disabled', disabled_reason: 'failing' });
    expect(await eventsOf(hook.store, hook.projectId, { types: ['webhook.disabled'] })).toMatchObject([
      { webhook_id: hook.webhookId, actor: { type: 'job' }, changed: ['state'] },
    ]);
    const tried = hook.posted.length;
    await hook.change('di');
    await sendAll(hook, after(6 * day));
    expect(hook.posted).toHaveLength(tried);
  });

  it.each([
    [
      'a good test',
      ({ store, actor, webhookId, outgoing }: Webhook) => run(testWebhook, store, actor, { webhookId }, { outgoing }),
    ],
    [
      'a change of its state',
      ({ store, actor, webhookId }: Webhook) => run(updateWebhook, store, actor, { webhookId, state: 'active' }),
    ],
  ])('goes on from where it was after %s: nothing is lost', async (_, enable: (hook: Webhook) => Promise<unknown>) => {
    const hook = await aWebhook(opened);
    hook.receiver.answer = () => failing(410);
    await hook.change('ana');
    await sendAll(hook);
    await hook.change('bo', 'cy');
    await sendAll(hook);
    expect(await hook.show()).toMatchObject({ state: 'disabled', disabled_reason: 'gone' });
    const { output } = await run(listDeliveries, hook.store, hook.actor, { webhookId: hook.webhookId });
    expect(output.deliveries).toMatchObject([{ status: 410, outcome: 'retrying', next_attempt_at: null }]);
    expect(hook.about()).toEqual(['ana']);
    hook.receiver.answer = () => ({});
    await atTime(start, () => enable(hook));
    expect(await hook.show()).toMatchObject({ state: 'active', disabled_reason: null, failing_since: null });
    await sendAll(hook);
    expect(hook.about().filter((one) => one !== 'ping')).toEqual(['ana', 'ana', 'bo', 'cy']);
    expect(await hook.show()).toMatchObject({ behind: 0, next_attempt_at: null });
  });

  it('tries all of many failures at once when it is enabled', async () => {
    const hook = await aWebhook(opened);
    hook.receiver.answer = () => failing();
    await hook.change(...Array.from({ length: 20 }, (__, index) => `c${index}`));
    await sendAll(hook);
    hook.receiver.answer = () => ({});
    await atTime(start, () => run(testWebhook, hook.store, hook.actor, { webhookId: hook.webhookId }, hook));
    await sendAll(hook);
    expect(hook.about()).toHaveLength(20 + 1 + 20);
  });

  it.each([429, 503])('pauses for the Retry-After of %i', async (status) => {
    const hook = await aWebhook(opened);
    hook.receiver.answer = () => ({ ...failing(status), retryAfterMs: 120_000 });
    await hook.change('ana');
    await sendAll(hook, after(0.5));
    hook.receiver.answer = () => ({});
    await hook.change('bo');
    await sendAll(hook, after(120.4));
    expect(hook.about()).toEqual(['ana']);
    expect(await hook.show()).toMatchObject({ state: 'failing', next_attempt_at: formatTimestamp(after(121)) });
    await sendAll(hook, after(121));
    expect(hook.about()).toEqual(['ana', 'ana', 'bo']);
  });

  it('shows a pause until it is over', async () => {
    const hook = await aWebhook(opened);
    hook.receiver.answer = () => ({ ...failing(503), retryAfterMs: 120_000 });
    await hook.change('ana');
    await sendAll(hook);
    await replay(hook, { after: '*' });
    const shown = async (seconds: number) => (await atTime(after(seconds), hook.show)).next_attempt_at;
    expect(await shown(119)).toBe(formatTimestamp(after(120)));
    expect(await shown(120)).toBeNull();
  });

  it('sends later events while one is tried again, and replays after a cursor, which sends that one once', async () => {
    const hook = await aWebhook(opened);
    hook.receiver.answer = ({ data }) => (data['contact_id'] === 'ana' ? failing() : {});
    await hook.change('ana');
    const { output: page } = await run(listEvents, hook.store, operator(hook.projectId), { limit: 500 });
    await hook.change('bo', 'cy');
    await sendAll(hook);
    await replay(hook, { after: page.next_cursor ?? '' });
    await sendAll(hook);
    expect(hook.about()).toEqual(['ana', 'bo', 'cy', 'bo', 'cy']);
    expect(await hook.deliveries(true)).toMatchObject([{ outcome: 'retrying' }]);
    hook.receiver.answer = () => ({});
    await sendAll(hook, after(hour));
    expect(hook.about().slice(5)).toEqual(['ana']);
    expect(await hook.show()).toMatchObject({ behind: 0, next_attempt_at: null });
  });

  it('replays since a time; what is tried again from then is sent once, not twice', async () => {
    const hook = await aWebhook(opened);
    hook.receiver.answer = () => failing();
    await atTime(start, () => hook.change('ana'));
    await atTime(after(60), () => hook.change('bo'));
    await sendAll(hook, after(60));
    hook.receiver.answer = () => ({});
    await replay(hook, { since: formatTimestamp(after(30)) });
    await sendAll(hook, after(hour));
    expect(hook.about().slice(2)).toEqual(['ana', 'bo']);
    expect((await hook.deliveries()).filter(({ outcome }) => outcome === 'retrying')).toEqual([]);
    await replay(hook, { since: formatTimestamp(after(day)) });
    expect(await hook.show()).toMatchObject({ behind: 1 });
  });

  it('signs with the two newest secrets while they overlap, and with the new one alone afterwards', async () => {
    const hook = await aWebhook(opened);
    const input = { webhookId: hook.webhookId, overlap: '1h' };
    const rotate = () => atTime(start, () => run(rotateWebhook, hook.store, hook.actor, input));
    const secrets = [hook.webhook.secret, (await rotate()).output.secret, (await rotate()).output.secret];
    const signed = async (seconds: number) => {
      await hook.change('ana');
      await sendAll(hook, after(seconds));
      const [{ body, headers }] = hook.posted.slice(-1) as [(typeof hook.posted)[0]];
      const isSigned = (secret: string | null) =>
        atTime(after(seconds), async () => new StandardWebhook(secret ?? '').verify(body, headers)).then(
          () => true,
          () => false,
        );
      const signatures = headers['webhook-signature']?.split(' ').length;
      return [signatures, ...(await Promise.all(secrets.map(isSigned)))];
    };
    expect(await signed(hour - 1)).toEqual([2, false, true, true]);
    expect(await signed(hour)).toEqual([1, false, false, true]);
  });
});
