import { describe, expect, it } from 'vitest';

import { aConsole, type Page } from '../support/console.ts';
import { manyContacts } from '../support/many-contacts.ts';
import { aContact } from '../support/people.ts';

const search = 'input[aria-label="Search contacts"]';

/** As long as it lasts, no request leaves the page. */
async function awayServer(page: Page): Promise<{ back: () => Promise<void> }> {
  await page.route('**/*', (route) => route.abort());
  return { back: () => page.unroute('**/*') };
}

describe('what somebody has typed', () => {
  it('stays in a dialog at Escape and a click beside it, until they say what becomes of it', async () => {
    const at = await aConsole({ contacts: manyContacts(1) });
    const page = await at.signedIn('/console/contacts');
    await page.click('button:has-text("New contact")');
    await page.getByLabel('Name', { exact: true }).fill('Ana');
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog:has-text("Your changes are not saved")');
    await page.click('button:has-text("Keep editing")');
    for (let times = 0; times < 3; times++) await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    await page.waitForSelector('dialog:has-text("Your changes are not saved")');
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Ana');
    await page.click('button:has-text("Discard")');
    await page.waitForSelector('dialog', { state: 'detached' });
    await page.click('button:has-text("New contact")');
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog', { state: 'detached' });
  });

  it('stays in a field of a contact that they leave for another, and is saved from there', async () => {
    const at = await aConsole({ contacts: manyContacts(2) });
    const page = await at.signedIn(`/console/contacts/${at.chatbotId}/c0`);
    await page.click('button:has-text("empty fields")');
    await page.click('[data-field="company"] button');
    await page.keyboard.type('Example Ltd');
    await page.click('[data-field="city"] button');
    await page.waitForSelector('[data-field="company"]:has-text("Not saved: Example Ltd")');
    await page.click('nav a:has-text("Members")');
    await page.click('.toast:has-text("Your changes are not saved") button:has-text("Back to them")');
    await page.click('[data-field="company"] button');
    await page.keyboard.press('Enter');
    await page.waitForSelector('[data-field="company"] button:has-text("Example Ltd")');
    expect(await page.textContent('[data-field="company"]')).not.toContain('Not saved');
    expect(await at.store.contacts.find(at.projectId, at.chatbotId, 'c0')).toMatchObject({ company: 'Example Ltd' });
  });
});

describe('while the server is away', () => {
  it('no row of the search before is counted as an answer, and the answer comes once it is back', async () => {
    const at = await aConsole({ contacts: manyContacts(3) });
    const page = await at.signedIn('/console/contacts');
    await page.waitForSelector('.people-status:has-text("3 contacts")');
    const server = await awayServer(page);
    await page.fill(search, 'person 00002');
    await page.waitForSelector('.away:has-text("Roster cannot be reached")');
    expect(await page.textContent('.people-status')).toBe('');
    await server.back();
    await page.waitForSelector('.people-status:has-text("1 contact found")');
  });
});

it('an Arabic name keeps its beginning in a narrow list, and its order in a field and a heading', async () => {
  const name = 'محمد عبد الرحمن الفاسي الإدريسي البوعناني العلوي الطنجاوي';
  const at = await aConsole({ contacts: [aContact({ id: 'c0', name })] });
  const page = await at.signedIn('/console/contacts');
  const cell = page.locator('.people-who a');
  await cell.waitFor();
  const directionOf = (selector: string) =>
    page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).direction`);
  expect(await directionOf('.people-who a')).toBe('rtl');
  await page.click('button:has-text("Filter")');
  await page.getByRole('combobox', { name: 'Value' }).fill('عميل');
  expect(await directionOf('.people-popup input.input')).toBe('rtl');
  await page.keyboard.press('Escape');
  await cell.click();
  await page.waitForSelector(`h1:has-text("${name}")`);
  expect(await directionOf('h1 bdi')).toBe('rtl');
});
