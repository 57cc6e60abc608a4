import { describe, expect, it } from 'vitest';

import { aConsole, letGoStale, owner } from '../support/console.ts';
import { addPasskey, choose, press } from '../support/keyboard.ts';

describe('signing in by keyboard', () => {
  it('takes a link once, offers a passkey, and signs in with it from then on', async () => {
    const served = await aConsole();
    const { address } = served;
    const page = await served.open();
    const link = await served.linkFor(owner);
    await page.goto(link);
    expect(page.url()).toBe(`${address}/sign-in`);
    await press(page, 'Sign in');
    await page.getByRole('heading', { name: 'Welcome to' }).waitFor();
    await press(page, 'Add a passkey');
    await page.waitForURL(`${address}/console**`);

    await page.locator('main h1').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('a');
    await page.getByRole('heading', { name: 'Account' }).waitFor();
    await press(page, 'Sign out');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
    await press(page, 'Sign in with a passkey');
    await page.waitForURL(`${address}/console**`);

    await page.goto(link);
    await press(page, 'Sign in');
    await page.getByRole('heading', { name: 'This link is not valid' }).waitFor();
  });

  it('is offered by each page that finds no session, however soon the answers come', async () => {
    const served = await aConsole();
    const page = await served.open();
    // One in seven was not, once.
    for (let times = 0; times < 12; times++) {
      await page.goto(`${served.address}/console/account`);
      await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
      expect(page.url()).toBe(`${served.address}/sign-in`);
    }
  });

  it('leads back to where the session ended, and keeps no token in the history', async () => {
    const email = 'grace@example.com';
    const served = await aConsole({ roles: { [email]: ['Admin'] } });
    const { address } = served;
    const page = await served.signedIn('/console/members', { email });
    await page.context().clearCookies();
    await page.reload();
    await page.waitForURL(`${address}/sign-in`);
    await page.goto(await served.linkFor(email));
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await press(page, 'Sign in');
    await press(page, 'Not now');
    await page.waitForURL(`${address}/console/members`);
    await page.goBack();
    expect(page.url()).not.toContain('#');
  });

  it('shows nothing of the member before, after signing out or by Back', async () => {
    const served = await aConsole();
    const page = await served.signedIn('/console/account');
    await addPasskey(page);
    // As the browser does with a page that it has kept.
    await page.evaluate("document.body.title = 'kept'");
    await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
    await page.locator('body:not([title])').waitFor();
    await press(page, 'Add a passkey');
    await page.keyboard.press('Enter');
    await page.getByText('This device already has a passkey for you').waitFor();
    await press(page, 'Sign out');
    await press(page, 'Sign in with a passkey');
    await page.getByRole('navigation').first().waitFor();
    expect(await page.locator('.toast').count()).toBe(0);
  });

  it('comes to a page by itself whose parts have other names since an upgrade', async () => {
    const served = await aConsole();
    const page = await served.signedIn('/console/account');
    let isOld = true;
    await page.route('**/assets/members-*.js', async (route) => {
      if (!isOld) return route.continue();
      isOld = false;
      await route.fulfill({ status: 404 });
    });
    await press(page, 'Members');
    await page.getByRole('heading', { name: 'Members' }).waitFor();
    expect(isOld).toBe(false);
    // What the browser says about the part that is gone.
    served.problems.splice(0);
  });

  it('lists what somebody has signed in with, and ends one session, or all but this one', async () => {
    const served = await aConsole();
    const page = await served.signedIn('/console/account');
    await addPasskey(page, 'Desk');
    await page.getByText('Desk', { exact: true }).waitFor();
    // The first passkey would have ended them.
    const phone = await served.newSession(owner, 'Mozilla/5.0 (iPhone) FxiOS/150.0');
    const others = [await served.newSession(), await served.newSession()];
    await page.reload();
    await press(page, 'Create sign-in link');
    await page.getByLabel('Sign-in link').waitFor();
    expect(await page.getByLabel('Sign-in link').inputValue()).toMatch(/\/sign-in#[0-9A-Za-z]+$/);
    const statusOf = async (cookie: string) =>
      (await fetch(`${served.address}/console/api/session`, { headers: { cookie } })).status;
    await press(page, 'End Firefox on iPhone');
    await page.getByText('Session ended').waitFor();
    await page.getByRole('button', { name: 'End Firefox on iPhone' }).waitFor({ state: 'detached' });
    expect(await Promise.all([phone, ...others].map(statusOf))).toEqual([401, 200, 200]);
    // One of them is over before the page knows.
    await fetch(`${served.address}/console/api/sign-out`, {
      method: 'POST',
      headers: { cookie: others[0] ?? '', origin: served.address, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(await Promise.all(others.map(statusOf))).toEqual([401, 200]);
    await press(page, 'End all others');
    await page.getByText('2 sessions ended').waitFor();
    expect(await Promise.all(others.map(statusOf))).toEqual([401, 401]);
    await page.reload();
    await page.getByRole('heading', { name: 'Account' }).waitFor();
  });

  it('without a passkey offers one again as long as it may be added, and says later how to get a link', async () => {
    const served = await aConsole({ roles: { 'grace@example.com': ['Admin'] } });
    const page = await served.open();
    await page.goto(await served.linkFor(owner));
    await press(page, 'Sign in');
    await press(page, 'Not now');
    await page.locator('main h1').waitFor();
    await press(page, 'Add one now');
    await page.getByRole('heading', { name: 'Account' }).waitFor();
    await letGoStale(served, 2);
    await press(page, 'Create sign-in link');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Without a passkey, this step works for an hour after').waitFor();
    await press(page, 'Add a passkey');
    await dialog.waitFor({ state: 'detached' });
    await press(page, 'Add a passkey');
    await press(page, 'Continue');
    await page.getByText('Passkey added').waitFor();
    await press(page, 'Create sign-in link');
    await press(page, 'Use passkey');
    await page.getByLabel('Sign-in link').waitFor();
    await press(page, 'Members');
    await page.getByRole('heading', { name: 'Members' }).waitFor();
    expect(await page.getByText('You have no passkey').count()).toBe(0);
  });

  it('without a passkey sends an Admin to the Owner for a link, and the Owner to whoever runs Roster', async () => {
    const served = await aConsole({ roles: { 'grace@example.com': ['Admin'] } });
    for (const [email, helper] of [
      [owner, 'Create a sign-in link on the server'],
      ['grace@example.com', 'Ask the Owner for a sign-in link, under Members'],
    ] as const) {
      const page = await served.signedIn('/console/members', { email });
      await letGoStale(served);
      await page.reload();
      await choose(page, 'Actions for grace@example.com', 'Remove');
      await press(page, 'Remove');
      await page.getByText(helper).waitFor();
      await page.getByText(`roster console link --member ${email}`).waitFor();
      expect(await page.getByText('Add one now').count()).toBe(0);
    }
  });
});

describe('the advice to add a passkey', () => {
  it('is closed for a day, on every page', async () => {
    const page = await (await aConsole()).signedIn('/console/members');
    const advice = page.getByText('You have no passkey yet');
    await advice.waitFor();
    await page.getByRole('button', { name: 'Close for a day' }).click();
    await advice.waitFor({ state: 'detached' });
    await page.clock.install({ time: Date.now() + 23 * 3_600_000 });
    await page.reload();
    await page.getByRole('cell', { name: owner }).first().waitFor();
    expect(await advice.count()).toBe(0);
    await page.clock.setSystemTime(Date.now() + 25 * 3_600_000);
    await page.reload();
    await advice.waitFor();
  });
});
