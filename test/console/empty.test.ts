import { describe, expect, it } from 'vitest';

import { violationsIn } from '../support/axe.ts';
import { aConsole, type Page } from '../support/console.ts';
import { manyContacts } from '../support/many-contacts.ts';
import { revokeApiKey } from '../support/people.ts';

/** The command lines that the page offers behind its button. */
const commandsIn = async (page: Page) => {
  await page.getByRole('button', { name: 'The same on the command line' }).click();
  const text = await page.locator('.code-place code').innerText();
  await page.keyboard.press('Escape');
  return text;
};

describe('where there is nothing yet, the page says what to do, and by a program', () => {
  it('of the contacts, the bin, a search, the members and the keys', async () => {
    const served = await aConsole();
    await revokeApiKey(served.store, served.keyId);
    const page = await served.signedIn('/console/contacts');
    await page.getByRole('heading', { name: 'Desk has no contacts yet' }).waitFor();
    expect(await violationsIn(page)).toEqual([]);

    await page.getByLabel('Search contacts').fill('nobody');
    await page.getByRole('heading', { name: 'Nobody found' }).waitFor();
    const commands = await commandsIn(page);
    expect(commands).toContain(`roster contacts find 'ana fer' --all-chatbots`);
    expect(commands).toMatch(/curl .*\/contacts\/search/);
    expect(commands).not.toContain('nobody');
    expect(await violationsIn(page, 'main')).toEqual([]);

    await page.getByRole('link', { name: 'Bin' }).click();
    await page.getByRole('heading', { name: 'The bin is empty' }).waitFor();
    expect(await violationsIn(page, 'main')).toEqual([]);

    await page.goto(`${served.address}/console/members`);
    await page.getByText('You are the only member').waitFor();
    expect(await commandsIn(page)).toContain(
      `roster members invite grace@example.com --project ${served.projectId} --role Editor`,
    );
    await page.goto(`${served.address}/console/keys`);
    await page.getByRole('heading', { name: 'No program has a key' }).waitFor();
    expect(await commandsIn(page)).toContain(`roster keys create --project ${served.projectId} --name "CRM sync"`);
    expect(await violationsIn(page, 'main')).toEqual([]);
  });

  it('of the chatbots, on each page that needs one', async () => {
    const served = await aConsole();
    await served.at.json(['chatbots', 'delete', served.chatbotId, '--yes']);
    const page = await served.signedIn('/console/chatbots');
    for (const [key, screen, title] of [
      ['b', 'Chatbots', 'No chatbots yet'],
      ['c', 'Contacts', 'No chatbots yet'],
      ['i', 'Import', 'No chatbots yet'],
    ] as const) {
      await page.keyboard.press('g');
      await page.keyboard.press(key);
      await page.getByRole('heading', { name: screen, level: 1 }).waitFor();
      await page.getByRole('heading', { name: title }).waitFor();
      await page.getByRole('button', { name: 'Create chatbot' }).first().waitFor();
      expect(await violationsIn(page, 'main')).toEqual([]);
    }
  });
});

describe('where the search is not ready', () => {
  it('the page says so, and comes back by itself as soon as the server says', async () => {
    const served = await aConsole({ contacts: manyContacts(3) });
    const page = await served.signedIn('/console/contacts');
    await page.locator('.people-rows .people-row').first().waitFor();
    let isReady = false;
    let refused = 0;
    await page.route('**/contacts/search?**', async (route) => {
      if (isReady) return route.continue();
      refused += 1;
      const body = { status: 'error', code: 'unavailable', message: 'not now', request_id: 'x' };
      await route.fulfill({ status: 503, headers: { 'retry-after': '1' }, json: body });
    });
    await page.getByLabel('Search contacts').fill('person 00001');
    await page.getByRole('heading', { name: 'Search is not available right now' }).waitFor();
    await page.locator('.code', { hasText: 'roster migrate' }).waitFor();
    expect(refused).toBeGreaterThan(0);
    isReady = true;
    await expect.poll(() => page.locator('.people-rows .people-row').count()).toBe(1);
    expect(await page.getByText(/does not answer/).count()).toBe(0);
  });
});
