import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { openCurrentStore } from '../../src/cli/open.ts';
import { inviteMember } from '../../src/members/invite.ts';
import { run } from '../../src/operation.ts';
import { type Browser, openBrowser } from '../support/browser.ts';
import { aProject } from '../support/people.ts';
import { anInstallation, serving } from '../support/process.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
}, 60_000);
afterAll(() => browser.close());

describe('the page of an invitation', () => {
  it('lets the invited person join, once, by keyboard, and keeps the token out of the address', async () => {
    await using at = await anInstallation();
    await using store = await openCurrentStore(at.databaseUrl);
    const { projectId } = await aProject(store);
    const { address } = await serving(at);
    const invite = { email: 'grace@example.com', roles: ['Editor' as const] };
    const { output } = await run(inviteMember, store, operator(projectId), invite, { publicUrl: address });
    const page = await browser.newPage();
    const asked: string[] = [];
    const problems: string[] = [];
    page.on('request', (request) => void asked.push(request.url()));
    page.on('console', (message) => void problems.push(message.text()));
    page.on('pageerror', (error) => void problems.push(error.message));
    const link = output.invitation?.url ?? '';
    await page.goto(link);
    expect(page.url()).toBe(`${address}/join`);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForSelector('h1:has-text("Welcome to Example Ltd")');
    expect(await page.textContent('main')).toContain('You have joined as grace@example.com.');
    const { members } = await store.members.list(projectId, {}, 10, 0);
    expect(members).toMatchObject([{ email: 'grace@example.com', status: 'Active' }]);
    expect(asked.every((url) => url.startsWith(address))).toBe(true);
    expect(problems).toEqual([]);

    // In the same tab.
    await page.goto(link);
    await page.waitForURL(`${address}/join`);
    await page.click('button:has-text("Join"):visible');
    await page.waitForSelector('h1:has-text("This link cannot be used")');
    await page.goto('about:blank');
    await page.goto(`${address}/join`);
    expect(await page.textContent('h1')).toBe('This link is not complete');
    expect(await page.isVisible('button')).toBe(false);
    await page.close();
  });
});
