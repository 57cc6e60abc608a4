import { expect, it } from 'vitest';

import { suggestInProject } from '../../src/contacts/duplicates/suggest.ts';
import type { NewEvent } from '../../src/events/event.ts';
import { violationsIn } from '../support/axe.ts';
import { aConsole } from '../support/console.ts';
import { press } from '../support/keyboard.ts';
import { manyContacts } from '../support/many-contacts.ts';
import { aContact } from '../support/people.ts';
import { storeWebhook } from '../support/webhooks.ts';

const at = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().replace(/\.\d+Z$/, '+00:00');

it('the first page of a new Owner has a list of steps, each with its button, and notes what is done', async () => {
  const served = await aConsole();
  const page = await served.signedIn('/console');
  const steps = page.locator('.home-steps li');
  await expect.poll(() => steps.count()).toBe(4);
  expect(await steps.nth(0).textContent()).toContain('Done');
  expect(await steps.nth(1).locator('.button-primary').count()).toBe(1);
  expect(await page.locator('main .button-primary').count()).toBe(1);
  expect(await violationsIn(page, 'main')).toEqual([]);
  await press(page, 'Invite');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type('grace@example.com');
  await press(page, 'Editor', 'Space');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
  await expect.poll(() => steps.nth(2).textContent()).toContain('Done');
});

it('the first page shows who was added on which day, and all that waits, each with its way', async () => {
  const people = manyContacts(3).map((one, index) => ({ ...one, created_at: at(index === 0 ? 20 : 1) }));
  const served = await aConsole({
    contacts: [
      ...people,
      aContact({ id: 'new', name: 'Person 00000', email: 'person0@example.com', created_at: at(0) }),
    ],
    pending: { 'heidi@example.com': ['Analyst'] },
  });
  await storeWebhook(served.store, served.projectId, 'hook', { description: 'CRM', failing_since: at(1) });
  for await (const _ of suggestInProject(served.store, 'find-duplicates', served.projectId));
  const page = await served.signedIn('/console');
  await page.getByText('3 in the last 14 days').waitFor();
  expect(await page.textContent('.page-about')).toBe('4 contacts in one chatbot');
  const waiting = page.getByRole('region', { name: 'To do' });
  await waiting.getByText('heidi@example.com').waitFor();
  await waiting.getByText('Failing').waitFor();
  await waiting.getByText(/^\d+ groups? waits?/).waitFor();
  expect(await violationsIn(page, 'main')).toEqual([]);
  await page.locator('.home-days a').first().click();
  await page.waitForURL(/console\/contacts\?created=/);
  await page.waitForSelector('.people-status:has-text("2 contacts")');
  await page.goBack();
  await waiting.getByRole('link', { name: 'CRM' }).click();
  await page.waitForURL(/console\/webhooks\/hook$/);
});

it('the first page tells of an import with all its contacts, also where many were changed since', async () => {
  const served = await aConsole({ contacts: manyContacts(1) });
  const { store, projectId, chatbotId } = served;
  const inBulk = async (requestId: string, type: NewEvent['type']) => {
    const contact_ids = Array.from({ length: 1_000 }, () => crypto.randomUUID());
    const change = { type, chatbot_id: chatbotId, contact_ids } as NewEvent;
    const actor = { type: 'member', id: 'grace', projectId, scopes: 'all', requestId } as const;
    await store.write(actor, async () => ({ output: undefined, changes: [change] }));
  };
  for (let batch = 0; batch < 12; batch++) await inBulk(`import ${batch}`, 'contact.created');
  for (let batch = 0; batch < 11; batch++) await inBulk(`edit ${batch}`, 'contact.updated');
  const page = await served.signedIn('/console');
  const imports = page.getByRole('region', { name: 'Last imports' });
  await expect.poll(() => imports.textContent()).toContain('imported 12,000 contacts into Desk');
});
