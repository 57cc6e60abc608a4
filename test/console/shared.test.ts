import { expect, it } from 'vitest';

import { aConsole, type Page } from '../support/console.ts';
import { aContact } from '../support/people.ts';

const field = '[data-field="company"]';

async function secondTab(page: Page, address: string): Promise<Page> {
  const other = await page.context().newPage();
  await other.goto(address);
  await other.locator('main h1').waitFor();
  return other;
}

it('a change in one tab shows in the others, in the list, on the contact and on other screens', async () => {
  const at = await aConsole({ contacts: [aContact({ id: 'c0', name: 'Ana', company: 'Example Ltd' })] });
  const page = await at.signedIn(`/console/contacts/${at.chatbotId}/c0`);
  const list = await secondTab(page, `${at.address}/console/contacts`);
  const again = await secondTab(page, page.url());
  await list.waitForSelector('.people-company:has-text("Example Ltd")');
  await again.waitForSelector(`${field}:has-text("Example Ltd")`);
  await page.click(`${field} button`);
  await page.keyboard.press('Control+A');
  await page.keyboard.type('Example Group');
  await page.keyboard.press('Enter');
  await again.waitForSelector(`${field}:has-text("Example Group")`);
  await list.waitForSelector('.people-company:has-text("Example Group")');
  await page.click('nav a:has-text("Chatbots")');
  await again.click('nav a:has-text("Chatbots")');
  await page.click('main button:has-text("Create")');
  await page.keyboard.type('Night shift');
  await page.keyboard.press('Enter');
  await expect.poll(() => again.textContent('main')).toContain('Night shift');
});

it('a change in another tab asks whoever has typed here which of both they mean', async () => {
  const at = await aConsole({ contacts: [aContact({ id: 'c0', name: 'Ana', company: 'Example Ltd' })] });
  const page = await at.signedIn(`/console/contacts/${at.chatbotId}/c0`);
  const other = await secondTab(page, page.url());
  await page.click(`${field} button`);
  await page.keyboard.type('here');
  await other.click(`${field} button`);
  await other.keyboard.type('there');
  await other.keyboard.press('Enter');
  await other.waitForSelector(`${field} button:has-text("there")`);
  await expect.poll(() => page.textContent('.history')).toContain('company');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.textContent('dialog')).toMatch(/Example Ltd.*there/s);
});

it('signing out in one tab forgets everybody in the others', async () => {
  const at = await aConsole({ contacts: [aContact({ id: 'c0', name: 'Ana Ferreira' })] });
  const page = await at.signedIn('/console/contacts');
  await page.waitForSelector('text=Ana Ferreira');
  const other = await secondTab(page, `${at.address}/console/account`);
  await other.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL(`${at.address}/sign-in`);
  expect(await page.textContent('body')).not.toContain('Ferreira');
});

it('a page that nobody touches asks for nothing, nor do the other tabs', async () => {
  const twins = ['c0', 'c1'].map((id) => aContact({ id, name: 'Ana Ferreira', email: 'ana@example.com' }));
  const at = await aConsole({ contacts: twins });
  const page = await at.signedIn('/console/contacts');
  const paths = ['duplicates', 'contacts', `contacts/${at.chatbotId}/c0`, 'members', 'keys', 'webhooks', 'chatbots'];
  const tabs = [page];
  for (const path of paths) tabs.push(await secondTab(page, `${at.address}/console/${path}`));
  await page.locator('.people-pick input').nth(1).click();
  await page.click('button:has-text("Edit a field")');
  await expect(Promise.all(tabs.map((tab) => tab.waitForLoadState('networkidle')))).resolves.toHaveLength(8);
});
