import { expect, it } from 'vitest';

import { roles } from '../../src/members/member.ts';
import { aConsole, owner, type Page } from '../support/console.ts';
import { manyContacts } from '../support/many-contacts.ts';
import { rightsOf } from '../support/rights.ts';

const rightOfScreen = {
  home: 'contacts:read',
  contacts: 'contacts:read',
  duplicates: 'contacts:read',
  import: 'contacts:write',
  activity: 'events:read',
  chatbots: 'chatbots:read',
  members: 'members:read',
  keys: 'administration',
  webhooks: 'webhooks:read',
  project: 'project:read',
};

const rightOfDeed: Record<string, Record<string, string>> = {
  contacts: {
    Export: 'contacts:export',
    Import: 'contacts:write',
    'New contact': 'contacts:write',
    Bin: 'contacts:write',
  },
  contact: { Delete: 'contacts:write', 'Delete for good…': 'contacts:write' },
  chatbots: { 'Create chatbot': 'chatbots:write', Edit: 'chatbots:write', Delete: 'administration' },
  members: {
    Invite: 'members:write',
    'Change roles': 'members:write',
    Remove: 'members:write',
    'Transfer ownership': 'ownership',
  },
  keys: { 'Create a key': 'administration', Rotate: 'administration', Revoke: 'administration' },
  webhooks: { 'Create a webhook': 'webhooks:write' },
  activity: { CSV: 'events:read' },
  project: { Save: 'project:write' },
};

/** What the page offers, menus included. */
const offered = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('main :is(button, a.button, [role=menuitem])')]
    .map((one) => one.textContent.trim() || one.getAttribute('aria-label'))`);

it.each(roles)('the pages offer %s exactly what their rights allow', async (role) => {
  const email = role === 'Owner' ? owner : 'grace@example.com';
  const served = await aConsole({
    roles: { 'bo@example.com': ['Editor'], ...(role !== 'Owner' && { [email]: [role] }) },
    contacts: manyContacts(1),
  });
  const page = await served.signedIn('/console/account', { email });
  const may = (right: string) => rightsOf[role].test(right);
  const screens = Object.entries(rightOfScreen).filter(([, right]) => may(right));
  const links = await page.getByRole('navigation').first().getByRole('link').allInnerTexts();
  const shown = links.map((link) => link.toLowerCase()).filter((link) => link in rightOfScreen);
  expect(shown).toEqual(screens.map(([screen]) => screen));
  for (const [screen, deeds] of Object.entries(rightOfDeed)) {
    const path = screen === 'contact' ? `contacts/${served.chatbotId}/c0` : screen;
    await page.goto(`${served.address}/console/${path}`);
    await page.locator('main h1, main [role=alert] p').first().waitFor();
    await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' });
    const allowed = Object.keys(deeds).filter((deed) => may(deeds[deed] ?? ''));
    await expect
      .poll(async () => [screen, [...new Set(await offered(page))].filter((deed) => deed in deeds).toSorted()])
      .toEqual([screen, allowed.toSorted()]);
  }
});
