import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { unchanged } from '../../src/events/event.ts';
import { aConsole } from '../support/console.ts';
import { report } from '../support/events.ts';
import { choose, press } from '../support/keyboard.ts';
import { aReceiver } from '../support/receiver.ts';
import { aRetry, storeWebhook } from '../support/webhooks.ts';

describe('the webhooks of a project, by keyboard', () => {
  it('are created, with the secret shown once, tested, delivered, rotated, disabled and deleted', async () => {
    await using receiver = await aReceiver();
    const served = await aConsole();
    const page = await served.signedIn('/console/webhooks');
    await page.getByRole('heading', { name: 'No webhook yet' }).waitFor();
    await page.keyboard.press('n');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('https://10.0.0.1/hook');
    await press(page, 'Contacts: created', 'Space');
    await press(page, 'Create');
    const url = page.getByLabel('URL');
    await expect.poll(() => url.getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByRole('dialog').innerText()).toContain('Must lead to a public address');
    await url.fill(receiver.url);
    await page.getByLabel('Description').fill('CRM sync');
    await press(page, 'Create');
    const secret = await page.getByLabel('Secret', { exact: true }).inputValue();
    expect(secret).toMatch(/^whsec_/);
    await page.keyboard.press('Escape');
    await press(page, 'Done');
    expect(await page.content()).not.toContain(secret);
    await page.getByRole('link', { name: 'CRM sync' }).click();
    await page.getByRole('heading', { name: 'CRM sync' }).waitFor();
    await page.getByText('Working').waitFor();
    await press(page, 'Test');
    await page.getByText('The test was delivered: the receiver answered 204').waitFor();
    const change = { type: 'contact.updated', chatbot_id: served.chatbotId, contact_id: 'c1' } as const;
    await report(served.store, served.projectId, change);
    await page.getByRole('listitem').filter({ hasText: 'Contact updated' }).getByText('Delivered').waitFor();
    expect(receiver.received.map(({ message }) => message.type)).toEqual(['ping', 'contact.updated']);

    await choose(page, 'More', 'Rotate');
    await press(page, 'Rotate');
    const next = await page.getByLabel('Secret', { exact: true }).inputValue();
    expect(next).not.toBe(secret);
    await press(page, 'Done');
    await choose(page, 'More', 'Disable');
    await page.getByText('because somebody disabled it').waitFor();
    await choose(page, 'More', 'Enable');
    await page.getByText('Working').waitFor();
    await choose(page, 'More', 'Delete');
    await page.getByRole('dialog').waitFor();
    await press(page, 'Delete');
    await page.getByRole('heading', { name: 'No webhook yet' }).waitFor();
  });

  it('say how they are, what came of each delivery and of a test, and send again what is asked for', async () => {
    const served = await aConsole();
    const { store, projectId } = served;
    // Nobody listens there.
    const url = 'https://127.0.0.1:9/hook';
    await storeWebhook(store, projectId, 'w1', {
      url,
      description: 'n8n of the sales team, which wants every change of every contact as soon as it has happened',
      failing_since: '2026-06-08T13:38:33+00:00',
      retry_at: '2100-01-01T00:00:00+00:00',
      paused_until: '2100-01-01T00:00:00+00:00',
      attempts: 2,
    });
    const delivered = aRetry(1, { number: 1, status: 204, reason: null, next_attempt_at: null, outcome: 'delivered' });
    await store.write(operator(projectId), async ({ webhooks }) =>
      unchanged(await webhooks.noteDeliveries(projectId, 'w1', [delivered, aRetry(2, { number: 2, attempt: 3 })])),
    );
    const page = await served.signedIn('/console/webhooks');
    await page.getByText('Failing').waitFor();
    const events = await page.getByRole('cell').getByText('Contacts').boundingBox();
    expect(events?.height, 'of one line').toBeLessThan(30);
    await page.getByRole('link', { name: 'n8n' }).click();
    const attempts = page.getByRole('region', { name: 'Deliveries' }).getByRole('listitem');
    await expect.poll(() => attempts.allInnerTexts()).toHaveLength(2);
    expect((await attempts.allInnerTexts())[0]).toMatch(
      /^Contact updated\nThe receiver answered 500 in 1 ms, attempt 3, next attempt .*\nRetrying/,
    );
    await press(page, 'Only failed');
    await expect.poll(() => attempts.allInnerTexts()).toHaveLength(1);
    await press(page, 'Test');
    await page.getByText('The test failed: no connection to the receiver.').waitFor();
    await choose(page, 'More', 'Replay');
    await page.getByLabel('Since').fill('2026-06-08T00:00');
    await press(page, 'Replay');
    await page.getByText('The events are being sent again').waitFor();
    await press(page, 'Change');
    await page.getByLabel('Description').fill('n8n of the sales team');
    await press(page, 'Save');
    await page.getByRole('heading', { name: 'n8n of the sales team', exact: true }).waitFor();
    expect((await store.webhooks.find(projectId, 'w1'))?.description).toBe('n8n of the sales team');
  });

  it('are asked for news while their page is seen, and not where its tab is hidden', async () => {
    const served = await aConsole();
    await storeWebhook(served.store, served.projectId, 'w1');
    const page = await served.signedIn('/console/account');
    await page.clock.install();
    await page.goto(`${served.address}/console/webhooks/w1`);
    await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
    const asked = () => served.asked.filter((url) => url.endsWith('/webhooks/w1')).length;
    const hide = (isHidden: boolean) =>
      page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true })`);
    const first = asked();
    await hide(true);
    await page.clock.runFor(60_000);
    expect(asked()).toBe(first);
    await hide(false);
    await page.clock.runFor(3_000);
    await expect.poll(asked).toBeGreaterThan(first);
  });
});
