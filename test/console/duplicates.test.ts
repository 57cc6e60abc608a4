import { describe, expect, it } from 'vitest';

import { suggestInProject } from '../../src/contacts/duplicates/suggest.ts';
import { violationsIn } from '../support/axe.ts';
import { aConsole } from '../support/console.ts';
import { press } from '../support/keyboard.ts';
import { aContact, createChatbot, storeContacts } from '../support/people.ts';

const known = { company: 'Acme', city: 'Lisbon', tags: ['vip'] };

/** Ana twice in one chatbot, Bo in it with three names, and Cy twice in another. */
async function aConsoleWithDuplicates() {
  const bo = { name: 'Bo Li', email: 'bo@example.com', phone: null };
  const at = await aConsole({
    roles: { 'agent@example.com': ['Agent'] },
    contacts: [
      aContact({ id: 'ana', ...known }),
      aContact({ id: 'ana2', phone: '+1 555 0199', job_title: 'Head of support', tags: ['new'] }),
      aContact({ ...bo, id: 'bo' }),
      aContact({ ...bo, id: 'bo2', name: 'Robert Li' }),
      aContact({ ...bo, id: 'bo3', name: 'Roberto Lima' }),
    ],
  });
  const returns = await createChatbot(at.store, at.projectId, { name: 'Returns' });
  const cy = { name: 'Cy', email: 'cy@example.com', phone: null };
  const twice = [aContact({ ...cy, id: 'cy' }), aContact({ ...cy, id: 'cy2', name: null })];
  await storeContacts(at.store, at.projectId, returns.id, twice);
  for await (const _ of suggestInProject(at.store, 'find-duplicates', at.projectId));
  const find = (id: string, chatbotId = at.chatbotId) => at.store.contacts.findWhole(at.projectId, chatbotId, id);
  return { ...at, find, returns };
}

describe('duplicates', () => {
  it('are found, compared and merged with a chosen value in four clicks, and the merge is undone', async () => {
    const at = await aConsoleWithDuplicates();
    const page = await at.signedIn('/console/contacts');
    await expect.poll(() => page.locator('.people-who').count()).toBe(7);
    await page.click('nav a:has-text("Duplicates")');
    await page.waitForSelector('.group-head');
    expect(await page.locator('.group-head').allInnerTexts()).toEqual([
      expect.stringMatching(/^Cy, No name\s+cy@example.com\s+Same e-mail · Only one has a name · Returns\s+Certain$/),
      expect.stringMatching(/^Ana Lucía Ferreira\s+ana@example.com\s+Same e-mail · Same name · Desk\s+Certain$/),
      expect.stringMatching(/^Bo Li, Robert Li, Roberto Lima\s+bo@example.com\s+Same e-mail · Desk\s+Likely$/),
    ]);
    await page.click('.group-head:has-text("Ana")');
    await page.waitForSelector('s:has-text("+1 555 0199")');
    await page.click('label:has-text("+1 555 0199")');
    await page.waitForSelector('s:has-text("+1 555 0100")');
    await page.click('button:has-text("Merge")');
    await page.waitForSelector('.group-head:has-text("Ana")', { state: 'detached' });
    expect(await at.find('ana')).toMatchObject({
      ...known,
      phone: '+1 555 0199',
      job_title: 'Head of support',
      tags: ['new', 'vip'],
    });
    await page.click('nav a:has-text("Contacts")');
    await expect.poll(() => page.locator('.people-who').count()).toBe(6);
    await page.click('.toast button:has-text("Undo")');
    await page.waitForSelector('.toast:has-text("The merge was undone")');
    await expect.poll(() => page.locator('.people-who').count()).toBe(7);
    expect([await at.find('ana'), await at.find('ana2')]).toMatchObject([
      { ...known, phone: '+1 555 0100', job_title: null },
      { phone: '+1 555 0199' },
    ]);
  });

  it('are gone through by keyboard: merged, and told apart for good', async () => {
    const at = await aConsoleWithDuplicates();
    const page = await at.signedIn('/console/account');
    await page.keyboard.press('g');
    await page.keyboard.press('d');
    await page.waitForSelector('.compare');
    await page.keyboard.press('j');
    await page.waitForSelector('.group-head:focus:has-text("Ana")');
    await page.keyboard.press('ArrowDown');
    await page.waitForSelector('.group-head:focus:has-text("Bo Li")');
    await page.keyboard.press('k');
    await page.waitForSelector('.compare:has-text("Acme")');
    await page.keyboard.press('d');
    await page.waitForSelector('.group-head:has-text("Ana")', { state: 'detached' });
    await page.waitForSelector('.group-head:focus:has-text("Bo Li")');
    await page.waitForSelector('.compare:has-text("Robert")');
    // Of three who are only likely to be one, the first is said to be.
    await press(page, 'The same person', ' ');
    await page.waitForSelector('s:has-text("Robert Li")');
    await page.keyboard.press('m');
    await page.waitForSelector('.group-head:has-text("Robert Li")', { state: 'detached' });
    await page.click('.group-head:has-text("Bo Li, Roberto Lima")');
    await page.waitForSelector('.compare:has-text("Roberto")');
    await page.keyboard.press('d');
    await page.waitForSelector('.group-head:has-text("Bo Li")', { state: 'detached' });
    const found = [await at.find('ana2'), await at.find('bo2'), await at.find('bo3')];
    expect(found.map((one) => one?.id)).toEqual(['ana2', undefined, 'bo3']);
    await page.reload();
    await page.waitForSelector('.compare:has-text("Cy")');
    expect(await page.locator('.group-head').count()).toBe(1);
    await page.keyboard.press('m');
    await page.waitForSelector('h2:has-text("No duplicates")');
    expect(await at.find('cy2', at.returns.id)).toBeUndefined();
  });

  it('are narrowed to one chatbot, and say what is to be done before a merge', async () => {
    const at = await aConsoleWithDuplicates();
    const page = await at.signedIn('/console/duplicates');
    const heads = page.locator('.group-head');
    await expect.poll(() => heads.count()).toBe(3);
    await page.getByLabel('Chatbot').selectOption('Desk');
    await expect.poll(() => heads.count()).toBe(2);
    expect((await heads.allInnerTexts()).join()).not.toContain('Cy');
    await heads.last().click();
    await page.waitForSelector('.group-end:has-text("Tick those who are the same person.")');
    await page.getByLabel('Chatbot').selectOption('All chatbots');
    await expect.poll(() => heads.count()).toBe(3);
    expect(await violationsIn(page, 'main')).toEqual([]);
  });

  it('are shown to an Agent, who cannot merge them', async () => {
    const at = await aConsoleWithDuplicates();
    const page = await at.signedIn('/console/duplicates', { email: 'agent@example.com' });
    await page.waitForSelector('.compare');
    expect(await page.locator('main input, button:has-text("Merge")').count()).toBe(0);
    expect(await page.locator('.page-about').innerText()).toContain('An Analyst can merge them');
    expect(at.asked.filter((url) => /\/merge\b/.test(url))).toEqual([]);
  });
});
