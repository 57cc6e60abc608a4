import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { exportContacts } from '../../src/contacts/export.ts';
import { exportPeople } from '../../src/files/writing.ts';
import { violationsIn } from '../support/axe.ts';
import { aConsole, letGoStale, rows } from '../support/console.ts';
import { addPasskey, press } from '../support/keyboard.ts';
import { manyContacts } from '../support/many-contacts.ts';
import { aContact } from '../support/people.ts';

describe('a contact in the bin', () => {
  it('is deleted for good by whoever types its name and shows who they are', async () => {
    const at = await aConsole({ contacts: manyContacts(2) });
    const page = await at.signedIn('/console/account');
    await addPasskey(page);
    await page.goto(`${at.address}/console/contacts/${at.chatbotId}/c0`);
    await press(page, 'Delete');
    await page.getByText('The contact was moved to the bin').waitFor();
    await letGoStale(at);
    await press(page, 'Bin');
    await page.getByRole('grid', { name: 'Contacts in the bin' }).waitFor();
    await page.locator(rows).first().press('Enter');
    await press(page, 'More');
    await page.getByRole('menuitem', { name: 'Delete for good' }).press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('delete');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Confirm it’s you' }).waitFor();
    expect(await violationsIn(page, 'dialog:last-of-type')).toEqual([]);
    await press(page, 'Use passkey');
    await page.getByText('The contact was deleted for good').waitFor();
    await page.getByRole('heading', { name: 'The bin is empty' }).waitFor();
    const { events } = await at.at.json<{ events: object[] }>([
      'events',
      'list',
      '--project',
      at.projectId,
      '--type',
      'contact.purged',
    ]);
    expect(events).toHaveLength(1);
  });
});

describe('an export', () => {
  it('as NDJSON is what the command line exports, and can be stopped', async () => {
    const odd = aContact({ id: 'odd', name: 'right \u202eto left', attributes: { seats: 3 }, tags: ['vip'] });
    const at = await aConsole({ contacts: [...manyContacts(1_050), odd] });
    const page = await at.signedIn('/console/contacts');
    const choose = async () => {
      await press(page, 'Export');
      await page.getByLabel('Format').selectOption('ndjson');
    };
    await choose();
    const pages: string[] = [];
    let stops = true;
    await page.route('**/contacts/export', async (route) => {
      pages.push(route.request().url());
      if (stops && pages.length === 2) await press(page, 'Cancel');
      await route.continue().catch(() => undefined);
    });
    await press(page, 'Export');
    await expect.poll(() => pages.length).toBe(2);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    stops = false;
    await choose();
    const coming = page.waitForEvent('download');
    await press(page, 'Export');
    const download = await coming;
    expect(download.suggestedFilename()).toMatch(/\.ndjson$/);
    const exported = await exportContacts(at.store.contacts, at, false);
    const text = (await Array.fromAsync(exportPeople(exported.pages, [], 'ndjson'))).join('');
    const sorted = (lines: string) => lines.split('\n').toSorted();
    expect(sorted(readFileSync(await download.path(), 'utf8'))).toEqual(sorted(text));
    expect(sorted(text)).toHaveLength(1_052);
  });
});
