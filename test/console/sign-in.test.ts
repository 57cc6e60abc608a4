import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { aConsole, owner, press, type ServedConsole } from '../support/console.ts';

let served: ServedConsole;
beforeAll(async () => {
  served = await aConsole({ roles: { 'grace@example.com': ['Admin'] } });
});
afterAll(() => served[Symbol.asyncDispose]());

describe('signing in by keyboard', () => {
  it('takes a link once, offers a passkey, and signs in with it from then on', async () => {
    const { address } = served;
    const page = await served.open();
    const link = await served.linkFor(owner);
    await page.goto(link);
    expect(page.url()).toBe(`${address}/sign-in`);
    await press(page, 'Sign in');
    await page.getByRole('heading', { name: 'Welcome to' }).waitFor();
    await press(page, 'Add a passkey');
    await page.waitForURL(`${address}/console/**`);

    await page.keyboard.press('g');
    await page.keyboard.press('a');
    await page.getByRole('heading', { name: 'Account' }).waitFor();
    await press(page, 'Sign out');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
    await press(page, 'Sign in with a passkey');
    await page.waitForURL(`${address}/console/**`);

    await page.goto(link);
    await press(page, 'Sign in');
    await page.getByRole('heading', { name: 'This link cannot be used' }).waitFor();
    expect(served.problems).toEqual([]);
    await page.context().close();
  });

  it('leads back to where the session ended, and keeps no token in the history', async () => {
    const { address } = served;
    const email = 'grace@example.com';
    const page = await served.signedIn('/console/members', { email });
    await page.context().clearCookies();
    await page.reload();
    await page.waitForURL(`${address}/sign-in`);
    await page.goto(await served.linkFor(email));
    await press(page, 'Sign in');
    await press(page, 'Not now');
    await page.waitForURL(`${address}/console/members`);
    await page.goBack();
    expect(page.url()).not.toContain('#');
    expect(served.problems).toEqual([]);
    await page.context().close();
  });

  it('lists what somebody has signed in with, and ends another session', async () => {
    const other = await served.signedIn('/console/account');
    const page = await served.signedIn('/console/account');
    await press(page, 'Add a passkey');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Desk');
    await page.keyboard.press('Enter');
    await page.getByText('The passkey was added').waitFor();
    await page.getByText('Desk', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Make a sign-in link' }).waitFor();
    await press(page, 'Make a sign-in link');
    await page.getByLabel('Sign-in link').waitFor();
    expect(await page.getByLabel('Sign-in link').inputValue()).toMatch(/\/sign-in#[0-9A-Za-z]+$/);
    await press(page, 'End all others');
    await page.getByText(/sessions? (?:was|were) ended/).waitFor();
    await other.reload();
    await other.waitForURL(`${served.address}/sign-in`);
    expect(served.problems).toEqual([]);
    await Promise.all([page.context().close(), other.context().close()]);
  });
});
