import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { deleteContact } from '../../src/contacts/delete.ts';
import { run } from '../../src/operation.ts';
import { violationsIn } from '../support/axe.ts';
import { aConsole, letGoStale, owner } from '../support/console.ts';
import { press } from '../support/keyboard.ts';
import { aContact, createChatbot, storeContacts } from '../support/people.ts';

/** Ana in two chatbots and in the bin of a third, and Bo, who has her phone. */
async function anaEverywhere() {
  const bo = aContact({ id: 'bo', name: 'Bo', email: 'bo@example.com' });
  const at = await aConsole({ contacts: [aContact({ id: 'ana' }), bo] });
  const others = await Promise.all(['Returns', 'HR'].map((name) => createChatbot(at.store, at.projectId, { name })));
  for (const { id } of others) {
    await storeContacts(at.store, at.projectId, id, [aContact({ id: 'a2', email: 'ANA@example.com' })]);
  }
  const binned = { chatbotId: others[1]?.id ?? '', contactId: 'a2' };
  await run(deleteContact, at.store, operator(at.projectId), binned);
  const left = async () =>
    Promise.all([at.chatbotId, ...others.map(({ id }) => id)].map((id) => at.store.contacts.count(at.projectId, [id])));
  return { ...at, left };
}

describe('a privacy request', () => {
  it('shows a person in all chatbots and the bin with one click, and erases them with two more and a receipt', async () => {
    const at = await anaEverywhere();
    const page = await at.signedIn('/console/contacts');
    await page.click(`.people-rows a[href$="${at.chatbotId}/ana"]`);
    await page.click('a:has-text("Privacy request")');
    await page.waitForSelector('.check:has-text("HR"):has-text("In the bin")');
    const ticked = page.locator('.check:has(:checked)');
    expect(await ticked.allInnerTexts()).toHaveLength(3);
    expect(await page.locator('.check:not(:has(:checked))').innerText()).toMatch(/Bo\s+Maybe another person/);
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('button:has-text("Download")')]);
    const file = JSON.parse(readFileSync(await download.path(), 'utf8')) as Record<string, { email: string }[]>;
    expect(download.suggestedFilename()).toMatch(/^person-[\d-]+\.json$/);
    expect([file['contacts']?.length, file['deleted']?.length]).toEqual([2, 1]);
    expect(JSON.stringify(file)).not.toContain('bo@example.com');
    await page.click('button:has-text("Erase")');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('Request 2026-17');
    await page.keyboard.press('Tab');
    await page.keyboard.type('erase');
    const before = at.asked.length;
    await page.click('dialog button:has-text("Erase")');
    await page.waitForSelector(
      '.facts:focus:has-text("3 contacts"):has-text("Desk, HR, Returns"):has-text("Request 2026-17")',
    );
    const { events } = await at.at.json<{ events: { receipt_id: string }[] }>([
      'events',
      'list',
      '--project',
      at.projectId,
      '--type',
      'contacts.erased',
    ]);
    expect(await page.textContent('.facts')).toContain(events[0]?.receipt_id);
    expect(await at.left()).toEqual([1, 0, 0]);
    expect(await violationsIn(page)).toEqual([]);
    await page.click('main a:has-text("Contacts")');
    await expect.poll(() => page.locator('.people-who a').allInnerTexts()).toEqual(['Bo']);
    expect(at.asked.slice(before).filter((url) => /contacts\/(?:ana|a2)\b|disclose/.test(url))).toEqual([]);
  });

  it('by a value and by links alone goes on where it was once a new link was opened', async () => {
    const at = await anaEverywhere();
    const page = await at.signedIn('/console/contacts/privacy');
    await page.getByLabel('E-mail', { exact: true }).fill('nobody@example.com');
    await page.keyboard.press('Enter');
    await page.waitForSelector('text=Nobody found');
    await page.getByLabel('E-mail', { exact: true }).fill('ana@example.com');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.check:has-text("Returns")');
    await letGoStale(at);
    await press(page, 'Erase…');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('erase');
    await page.keyboard.press('Enter');
    await page.waitForSelector('dialog:has-text("sign-in link")');
    const other = await page.context().newPage();
    await other.goto(await at.linkFor(owner));
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.getByRole('button', { name: 'Not now' }).waitFor();
    await page.waitForSelector('.facts:has-text("3 contacts")');
    expect(await at.left()).toEqual([1, 0, 0]);
    expect(at.asked.filter((url) => /ana|nobody/.test(url))).toEqual([]);
  });
});
