import { describe, expect, it } from 'vitest';

import { aConsole, type Page } from '../support/console.ts';
import { aContact } from '../support/people.ts';

/** Counts what somebody really clicks; what is typed is extra. */
function aMouse(page: Page) {
  const mouse = {
    clicks: 0,
    on: async (selector: string) => {
      mouse.clicks++;
      await page.locator(selector).first().click();
    },
  };
  return mouse;
}

const csv = (rows: number) =>
  `Vorname,Nachname,E-Mail Adresse (privat),Tel. Nr.,Firma,Funktion,Stadt\n${Array.from({ length: rows }, (_, n) => `Jürgen,Weiß ${n},j${n}@example.com,+49 151 5550${100 + n},Nordwind GmbH,Einkauf,Bonn`).join('\n')}\n`;

describe('the clicks of a task', () => {
  it('are at most three to rotate a key, and to remove a colleague', async () => {
    const at = await aConsole({ roles: { 'grace@example.com': ['Viewer'] } });
    const page = await at.signedIn('/console/keys');
    const rotate = aMouse(page);
    await rotate.on('[aria-label="Actions for test"]');
    await rotate.on('[role=menuitem]:has-text("Rotate"):visible');
    await rotate.on('dialog button:has-text("Rotate")');
    await page.getByRole('heading', { name: 'Copy the new key' }).waitFor();
    expect(rotate.clicks).toBeLessThanOrEqual(3);

    await page.goto(`${at.address}/console/members`);
    const remove = aMouse(page);
    await remove.on('[aria-label="Actions for grace@example.com"]');
    await remove.on('[role=menuitem]:has-text("Remove"):visible');
    await remove.on('dialog button:has-text("Remove")');
    await page.getByText('grace@example.com removed').waitFor();
    expect(remove.clicks).toBeLessThanOrEqual(3);
  });

  it('are at most three to hand the project over, with an address that is typed', async () => {
    const at = await aConsole({ roles: { 'grace@example.com': ['Admin'] } });
    const page = await at.signedIn('/console/members');
    const mouse = aMouse(page);
    await mouse.on('[aria-label="Actions for grace@example.com"]');
    await mouse.on('[role=menuitem]:has-text("Transfer ownership"):visible');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('grace@example.com');
    await mouse.on('dialog button:has-text("Transfer")');
    await page.waitForURL(`${at.address}/sign-in`);
    expect(mouse.clicks).toBeLessThanOrEqual(3);
  });

  it('are at most four to delete a contact for good', async () => {
    const at = await aConsole({ contacts: [aContact({ id: 'ana', name: 'Γιώργος Παπαδόπουλος' })] });
    const page = await at.signedIn(`/console/contacts/${at.chatbotId}/ana`);
    const mouse = aMouse(page);
    await mouse.on('main [aria-label="More"]');
    await mouse.on('[role=menuitem]:has-text("Delete for good"):visible');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('delete');
    await mouse.on('dialog .button-danger');
    await page.waitForURL(/\/console\/contacts(\?.*)?$/);
    expect(mouse.clicks).toBeLessThanOrEqual(4);
    expect(await at.store.contacts.count(at.projectId, [at.chatbotId])).toBe(0);
  });

  it('are at most five to import a German file of forty people', async () => {
    const at = await aConsole();
    const page = await at.signedIn('/console/import');
    const mouse = aMouse(page);
    mouse.clicks++;
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'kunden.csv', mimeType: '', buffer: Buffer.from(csv(40)) });
    await page.locator('.import-person').first().waitFor();
    const join = page.getByRole('button', { name: /^Use Vorname/ });
    if (await join.isVisible()) {
      mouse.clicks++;
      await join.click();
    }
    await mouse.on('button:has-text("Import"):not([disabled])');
    await expect.poll(() => at.store.contacts.count(at.projectId, [at.chatbotId])).toBe(40);
    expect(mouse.clicks).toBeLessThanOrEqual(5);
  });
});
