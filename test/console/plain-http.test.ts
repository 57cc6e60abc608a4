import { expect, it } from 'vitest';

import { openDatabase } from '../../src/database/open-store.ts';
import { sql } from '../../src/database/sql.ts';
import { consoleRoutes } from '../../src/http/console/routes.ts';
import { aConsole, type Console, letGoStale, owner, type Page } from '../support/console.ts';
import { aContact } from '../support/people.ts';
import { aReceiver } from '../support/receiver.ts';
import { storeWebhook } from '../support/webhooks.ts';

it('every page before sign-in warns about plain HTTP, and none on localhost', async () => {
  const served = await aConsole();
  const page = await served.open();
  const elsewhere = 'http://roster.example';
  // The browser asks for another host, and gets the pages of this one.
  await page.route(`${elsewhere}/**`, async (route) => {
    const url = route.request().url().replace(elsewhere, served.address);
    const headers = { ...route.request().headers(), host: new URL(served.address).host, origin: served.address };
    await route.fulfill({ response: await route.fetch({ url, headers }) });
  });
  const isWarnedAt = async (address: string) => {
    await page.goto(address);
    await page.locator('main h1').waitFor();
    return (await page.getByText('This connection is not encrypted').count()) === 1;
  };
  for (const path of ['sign-in', 'join#made-up', 'setup#made-up']) {
    expect([path, await isWarnedAt(`${elsewhere}/${path}`)]).toEqual([path, true]);
  }
  expect(await isWarnedAt(`${served.address}/sign-in`)).toBe(false);
  // Of the other host, and of the browser about it.
  const about = served.problems.splice(0).filter((one) => !one.startsWith(elsewhere));
  expect(about.filter((one) => !one.startsWith('The Cross-Origin-Opener-Policy header has been ignored'))).toEqual([]);
});

it('a page whose request is refused asks once', async () => {
  const served = await aConsole();
  const page = await served.open();
  await page.goto(`${served.address}/setup#made-up`);
  await page.getByRole('heading', { name: 'This link is not valid' }).waitFor();
  await page.goto(await served.linkFor(owner));
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  expect(served.asked.filter((url) => url.endsWith('/setup/asks'))).toHaveLength(1);
});

/** One button, menu item or check after the other. */
async function click(page: Page, ...names: string[]) {
  for (const name of names) {
    const place = page.locator('main, dialog').filter({ visible: true }).last();
    const named = { name, exact: true };
    const control = place.getByRole('button', named).or(place.getByRole('menuitem', named));
    const begins = { name: new RegExp(`^${name}`) };
    const check = place.getByRole('checkbox', begins).or(place.getByRole('radio', begins));
    await control.or(check).filter({ visible: true }).first().click({ timeout: 10_000 });
  }
}

interface Deed {
  screen: string;
  /** What the page says once it is done. */
  done: string;
  act: (page: Page, served: Console, receiver: string) => Promise<void>;
}

const ofMember = (email: string, item: string, verb: string, done: string): Deed => ({
  screen: 'members',
  done,
  act: (page) => click(page, `Actions for ${email}`, item, verb),
});

const ofContact = (path: string, clicks: string[], typed: string, verb: string, done: string): Deed => ({
  screen: path,
  done,
  act: async (page) => {
    await click(page, ...clicks);
    await page.getByRole('dialog').getByLabel(`Type ${typed} to continue`).fill(typed);
    await click(page, verb);
  },
});

/** How a person does what wants a new proof, by the name of the operation. */
const deeds: Record<string, Deed> = {
  inviteMember: {
    screen: 'members',
    done: 'Share this link',
    act: async (page) => {
      await click(page, 'Invite');
      await page.getByLabel('E-mail address').fill('ivan@example.com');
      await click(page, 'Viewer', 'Create invitation');
    },
  },
  reinviteMember: ofMember('heidi@example.com', 'Create new invitation', 'Create link', 'Copy it now'),
  updateMember: {
    screen: 'members',
    done: 'bo@example.com: Editor, Viewer',
    act: (page) => click(page, 'Actions for bo@example.com', 'Change roles', 'Viewer', 'Save'),
  },
  createSignInLink: ofMember('bo@example.com', 'Create sign-in link', 'Create link', 'Copy it now'),
  signOutMember: ofMember('bo@example.com', 'Sign out everywhere', 'Sign out', 'bo@example.com signed out'),
  removeMember: ofMember('bo@example.com', 'Remove', 'Remove', 'bo@example.com removed'),
  createManagedKey: {
    screen: 'keys',
    done: 'Copy the key',
    act: async (page) => {
      await click(page, 'Create a key');
      await page.getByRole('dialog').getByLabel('Name').fill('Nightly export');
      await click(page, 'Assistant', 'Create');
    },
  },
  rotateApiKey: {
    screen: 'keys',
    done: 'Copy the new key',
    act: (page) => click(page, 'Actions for test', 'Rotate', 'Rotate'),
  },
  createWebhook: {
    screen: 'webhooks',
    done: 'Copy the secret',
    act: async (page, _, receiver) => {
      await click(page, 'Create a webhook');
      await page.getByLabel('URL').fill(receiver);
      await click(page, 'Members', 'Create');
    },
  },
  testWebhook: { screen: 'webhooks/w1', done: 'The test failed', act: (page) => click(page, 'Test') },
  updateWebhook: {
    screen: 'webhooks/w1',
    done: 'because somebody disabled it',
    act: (page) => click(page, 'More', 'Disable'),
  },
  rotateWebhook: {
    screen: 'webhooks/w1',
    done: 'Copy the new secret',
    act: (page) => click(page, 'More', 'Rotate the secret', 'Rotate'),
  },
  deleteContact: ofContact(
    'contacts/CHATBOT/ana',
    ['More', 'Delete for good…'],
    'delete',
    'Delete for good',
    'The contact was deleted for good',
  ),
  eraseContacts: ofContact('contacts/CHATBOT/bo/privacy', ['Erase…'], 'erase', 'Erase', 'Receipt of an erasure'),
  deleteChatbot: ofContact('chatbots', ['Actions for Desk', 'Delete'], 'delete', 'Delete for good', 'Desk deleted'),
  removePasskey: {
    screen: 'account',
    done: 'Phone removed',
    act: async (page, { at, projectId }) => {
      await using database = await openDatabase(at.databaseUrl);
      await database.run(sql`insert into passkeys
        select project_id, 'phone', id, 'Phone', 'phone', 'key', 0, '', 0, '2026-01-01T00:00:00+00:00', null
        from members where project_id = ${projectId} and email = ${owner}`);
      await page.reload();
      await click(page, 'Remove Phone', 'Remove');
    },
  },
  transferOwnershipTo: ofContact(
    'members',
    ['Actions for grace@example.com', 'Transfer ownership'],
    'grace@example.com',
    'Transfer',
    'Sign in to Roster',
  ),
};

it('whoever signs in by links alone is told how to get one for what is sensitive, and goes on where they were', async () => {
  const wanted = consoleRoutes.filter(({ wantsFresh }) => wantsFresh).map(({ operation }) => operation.name);
  expect(Object.keys(deeds).toSorted()).toEqual(wanted.toSorted());
  await using receiver = await aReceiver();
  const served = await aConsole({
    roles: { 'grace@example.com': ['Admin'], 'bo@example.com': ['Editor'] },
    pending: { 'heidi@example.com': ['Analyst'] },
    contacts: [aContact({ id: 'ana' }), aContact({ id: 'bo', name: 'Bo', email: 'bo@example.com', phone: null })],
  });
  await storeWebhook(served.store, served.projectId, 'w1', { paused_until: '2100-01-01T00:00:00+00:00' });
  // Another name of the same host, where passkeys cannot work.
  const address = served.address.replace('localhost', '127.0.0.1');
  const page = await served.open();
  const openLink = async (tab: Page) => {
    await tab.goto((await served.linkFor(owner)).replace('localhost', '127.0.0.1'));
    await tab.getByRole('button', { name: 'Sign in' }).click();
    await tab.getByRole('navigation').first().waitFor();
  };
  await openLink(page);
  /** As another tab does in which a link is opened. */
  const signInBeside = async () => {
    const [name = '', value = ''] = (await served.newSession()).split('=');
    await page.context().addCookies([{ name, value, url: address }]);
    await page.evaluate("new BroadcastChannel('roster').postMessage(['session'])");
  };
  let shown = '';
  for (const [name, { screen, done, act }] of Object.entries(deeds)) {
    await letGoStale(served, 2);
    if (screen !== shown) await page.goto(`${address}/console/${screen.replace('CHATBOT', served.chatbotId)}`);
    shown = screen;
    await act(page, served, receiver.url);
    const proof = page.getByRole('dialog', { name: 'Confirm it’s you' });
    await proof.getByText(`roster console link --member ${owner}`).waitFor();
    await proof.getByText('Passkeys work only at the public address of this server').waitFor();
    expect([name, await page.getByText(/Add (one now|a passkey)/).count()]).toEqual([name, 0]);
    if (name === 'inviteMember') await openLink(await page.context().newPage());
    else await signInBeside();
    await page.getByText(done).first().waitFor();
    expect([name, await proof.count()]).toEqual([name, 0]);
    const end = page.getByRole('dialog').getByRole('button', { name: 'Done' });
    if (await end.isVisible()) await end.click();
  }
  // Requests of this other name.
  expect(served.problems.splice(0).filter((one) => !one.startsWith(address))).toEqual([]);
}, 200_000);
