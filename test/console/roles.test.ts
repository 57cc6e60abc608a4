import { expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { deleteContact } from '../../src/contacts/delete.ts';
import { suggestInProject } from '../../src/contacts/duplicates/suggest.ts';
import { roles } from '../../src/members/member.ts';
import { run } from '../../src/operation.ts';
import type { Right } from '../../src/rights.ts';
import { rightsOf } from '../../src/sign-in/session.ts';
import { aConsole, owner, type Page } from '../support/console.ts';
import { aContact } from '../support/people.ts';
import { storeWebhook } from '../support/webhooks.ts';

interface Screen {
  right: Right;
  /** Missing where the side bar leads to it. */
  isInside?: true;
  /** Who may see contacts but not this one is told that it is not there. */
  isHidden?: true;
  /** What somebody who may see it can do there, whatever else their roles allow. */
  all?: string[];
  deeds?: Partial<Record<Right, string[]>>;
}

const place = 'contacts/CHATBOT';

const screens: Record<string, Screen> = {
  home: { right: 'contacts:read', deeds: { 'events:read': ['Activity'] } },
  // Before the list of contacts, which they would lead back and forth in.
  [`${place}/ana`]: {
    right: 'contacts:read',
    isInside: true,
    all: ['Contacts', 'Show … empty fields'],
    deeds: {
      'contacts:write': ['Privacy request', 'Delete', 'More', 'Delete for good…', 'Edit …', 'Add tag', 'Add attribute'],
    },
  },
  [`${place}/gone`]: {
    right: 'contacts:write',
    isInside: true,
    isHidden: true,
    all: ['Contacts', 'Show … empty fields', 'Privacy request', 'Restore', 'More', 'Delete for good…'],
  },
  [`${place}/ana/privacy`]: {
    right: 'contacts:write',
    isInside: true,
    all: ['Back to the contact', 'Download JSON', 'Erase…'],
  },
  contacts: {
    right: 'contacts:read',
    all: ['View', 'Filter', 'Created', 'Clear the selection', 'Select all … that match'],
    deeds: {
      'contacts:export': ['Export'],
      'contacts:write': ['Import', 'New contact', 'More', 'Privacy request…', 'Bin', 'Tag', 'Edit a field', 'Delete'],
    },
  },
  'contacts?chatbot=CHATBOT&state=deleted': {
    right: 'contacts:write',
    isInside: true,
    all: ['Back to the contacts', 'View', 'Clear the selection', 'Restore'],
  },
  'contacts/privacy': { right: 'contacts:write', isInside: true, all: ['Find'] },
  duplicates: {
    right: 'contacts:read',
    all: ['Ana Lucía Ferreira'],
    deeds: { 'contacts:write': ['Merge', 'Not the same person'] },
  },
  import: { right: 'contacts:write' },
  activity: { right: 'events:read', all: ['CSV', 'Today', 'Yesterday', 'Dates…', 'Command line'] },
  chatbots: {
    right: 'chatbots:read',
    deeds: { 'chatbots:write': ['Create chatbot', 'Actions for …', 'Edit'], administration: ['Delete'] },
  },
  members: {
    right: 'members:read',
    all: ['Actions for …', 'Create sign-in link'],
    deeds: {
      'members:write': ['Invite', 'Change roles', 'Remove', 'Create new invitation', 'Withdraw invitation'],
      administration: ['Sign out everywhere'],
      ownership: ['Transfer ownership'],
    },
  },
  keys: { right: 'administration', all: ['Create a key', 'Actions for …', 'Rotate', 'Revoke'] },
  webhooks: { right: 'webhooks:read', deeds: { 'webhooks:write': ['Create a webhook'] } },
  'webhooks/w1': {
    right: 'webhooks:read',
    isInside: true,
    all: ['Only failed'],
    deeds: {
      'webhooks:write': ['Test', 'Change', 'More', 'Rotate the secret', 'Replay events', 'Disable', 'Delete'],
    },
  },
  project: { right: 'project:read', deeds: { 'project:write': ['Save'] } },
};

/** Copying what is shown, and closing a banner, take no right. */
const always = new Set(['The same on the command line', 'Copy …', 'Close for a day']);

/** What the page offers, menus included, without the names of people and fields. */
async function offered(page: Page): Promise<string[]> {
  const labels = await page.evaluate<
    string[]
  >(`[...document.querySelectorAll('main :is(button, a.button, [role=menuitem])')]
    .map((one) => one.innerText?.trim().split('\\n')[0] || one.textContent.trim() || one.getAttribute('aria-label'))`);
  const plain = labels.map((label) =>
    label.replace(/^(Edit(?! a)|Copy|Actions for) .+/, '$1 …').replace(/ \d+ (?=empty|that)/, ' … '),
  );
  return [...new Set(plain)].filter((label) => !always.has(label)).toSorted();
}

/** As by Back: to load the page anew for each screen takes most of the time. */
function goTo(page: Page, path: string): Promise<void> {
  return page.evaluate(`history.pushState(null, '', '${path}'); dispatchEvent(new PopStateEvent('popstate'))`);
}

it.each(roles)('the pages offer %s exactly what their rights allow', async (role) => {
  const email = role === 'Owner' ? owner : 'grace@example.com';
  const served = await aConsole({
    roles: { 'bo@example.com': ['Editor'], ...(role !== 'Owner' && { [email]: [role] }) },
    pending: { 'heidi@example.com': ['Analyst'] },
    contacts: [aContact({ id: 'ana' }), aContact({ id: 'ana2' }), aContact({ id: 'gone', name: 'Bo', email: null })],
  });
  const { store, projectId, chatbotId } = served;
  await run(deleteContact, store, operator(projectId), { chatbotId, contactId: 'gone' });
  for await (const _ of suggestInProject(store, 'find-duplicates', projectId));
  await storeWebhook(store, projectId, 'w1', { paused_until: '2100-01-01T00:00:00+00:00' });
  const page = await served.signedIn('/console/account', { email });
  const rights = rightsOf({ roles: [role] });
  const links = await page.getByRole('navigation').first().getByRole('link').allInnerTexts();
  const ofBar = Object.entries(screens).filter(([, { right, isInside }]) => !isInside && rights.includes(right));
  expect(links.map((link) => link.toLowerCase()).filter((link) => link in screens)).toEqual(
    ofBar.map(([path]) => path),
  );
  for (const [path, { right, isHidden, all = [], deeds = {} }] of Object.entries(screens)) {
    // Whoever may not see it begins elsewhere.
    if (path === 'home' && !rights.includes(right)) continue;
    const allowed = rights.flatMap((one) => deeds[one] ?? []);
    const refused = isHidden && rights.includes('contacts:read') ? ['Contacts'] : ['Go to start'];
    const wanted = rights.includes(right) ? [...new Set([...all, ...allowed])].toSorted() : refused;
    const address = `/console/${path.replace('CHATBOT', chatbotId).replace('home', '')}`;
    await goTo(page, address);
    await page.locator('main h1').waitFor();
    await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' });
    const pick = page.locator('.people-pick input').last();
    await expect
      .poll(async () => {
        if ((await pick.count()) > 0 && !(await pick.isChecked())) await pick.click();
        return [path, await offered(page)];
      })
      .toEqual([path, wanted]);
  }
});
