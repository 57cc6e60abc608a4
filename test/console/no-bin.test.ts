import { describe, expect, it, onTestFinished } from 'vitest';

import { openCurrentStore } from '../../src/cli/open.ts';
import { browserOfWorker } from '../support/browser.ts';
import { rows } from '../support/console.ts';
import { press } from '../support/keyboard.ts';
import { manyContacts } from '../support/many-contacts.ts';
import { aMember, aProject } from '../support/people.ts';
import { anInstallation, serving } from '../support/process.ts';
import { linkFor } from '../support/signed-in.ts';

describe('where there is no bin', () => {
  it('asks before it deletes one contact or several, and offers no way back', async () => {
    await using at = await anInstallation();
    const { address } = await serving(at, { ROSTER_BIN_DAYS: '0' });
    await using store = await openCurrentStore(at.databaseUrl);
    const members = [aMember({ email: 'ada@example.com', roles: ['Owner'] })];
    const { projectId, chatbotId } = await aProject(store, { members, contacts: manyContacts(4) });
    const { members: found } = await store.members.list(projectId, { role: 'Owner' }, 1, 0);
    const token = await linkFor(store, projectId, found[0]?.id ?? '');
    const context = await (await browserOfWorker()).newContext();
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.goto(`${address.replace('127.0.0.1', 'localhost')}/sign-in#${token}`);
    await press(page, 'Sign in');
    await press(page, 'Not now');
    await press(page, 'Contacts');

    await page.locator(rows).first().press('x');
    await page.locator(rows).first().press('ArrowDown');
    await page.keyboard.press('x');
    await page.getByRole('button', { name: 'Delete' }).press('Enter');
    await page.getByRole('dialog', { name: 'Delete 2 contacts for good?' }).waitFor();
    await page.keyboard.type('2');
    await page.keyboard.press('Enter');
    await page.locator('.toast:has-text("2 contacts deleted for good")').waitFor();
    await expect.poll(() => page.locator(rows).count()).toBe(2);

    await page.locator(rows).first().press('Enter');
    const name = await page.getByRole('heading', { level: 1, name: /^Person/ }).innerText();
    await page.getByRole('button', { name: 'Delete' }).press('Enter');
    await page.getByRole('dialog', { name: 'Delete this contact for good?' }).waitFor();
    await page.keyboard.type('delete');
    await page.keyboard.press('Enter');
    await page.locator('.toast:has-text("The contact was deleted for good")').waitFor();
    await expect.poll(() => page.locator(rows).count()).toBe(1);
    expect(await page.getByText('Undo').count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Bin' }).count()).toBe(0);
    const left = await at.json<{ id: string }[]>(['contacts', 'export', '--chatbot', chatbotId]);
    expect([name, left.map(({ id }) => id)]).toEqual(['Person 00001', ['c0']]);
  });
});
