import { readFileSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { contactDetailNames, furtherDetailNames } from '../../src/contacts/contact.ts';
import { exportContacts } from '../../src/contacts/export.ts';
import { updateContact } from '../../src/contacts/update.ts';
import { exportPeople } from '../../src/files/export.ts';
import { run } from '../../src/operation.ts';
import { type Browser, openBrowser } from '../support/browser.ts';
import { openConsole, violationsOf } from '../support/console-page.ts';
import { aContact } from '../support/people.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
}, 60_000);
afterAll(() => browser.close());

const many = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    aContact({
      id: `c${index}`,
      name: `Person ${String(index).padStart(5, '0')}`,
      email: `person${index}@example.com`,
      tags: index % 3 === 0 ? ['vip'] : [],
      created_at: `2024-06-08T${String(Math.floor(index / 3_600) % 24).padStart(2, '0')}:${String(Math.floor(index / 60) % 60).padStart(2, '0')}:${String(index % 60).padStart(2, '0')}+00:00`,
    }),
  );

const rows = '.people-rows .people-row';

/** Runs in the page: scrolls to the end, and after each step looks for a place in the list without a row. */
const scrollThrough = `(async () => {
  const box = document.querySelector('.people-box');
  const head = document.querySelector('.people-head').offsetHeight;
  const found = new Set();
  let [most, gaps] = [0, 0];
  for (let still = 0; still < 60;) {
    const before = box.scrollTop;
    box.scrollTop += 2_000;
    await new Promise(requestAnimationFrame);
    still = box.scrollTop === before ? still + 1 : 0;
    const shown = [...document.querySelectorAll('.people-rows > .people-row')];
    most = Math.max(most, shown.length);
    for (const row of shown) found.add(row.dataset.index);
    const { bottom, top } = box.getBoundingClientRect();
    const inside = shown.map((row) => row.getBoundingClientRect());
    const end = Math.min(bottom, document.querySelector('.people-rows').getBoundingClientRect().bottom) - 5;
    for (let y = top + head + 5; y < end; y += 20) {
      if (!inside.some((one) => one.top <= y && one.bottom >= y)) gaps++;
    }
  }
  return { found: found.size, most, gaps };
})()`;

/** Runs in the page: the second letter comes after the first is drawn, and before the browser paints. */
const typeFast = `(async () => {
  const box = document.querySelector('input[aria-label="Search contacts"]');
  const type = (text) => {
    box.value = text;
    box.dispatchEvent(new Event('input', { bubbles: true }));
  };
  type('p');
  for (let turn = 0; turn < 20; turn++) await null;
  type('pe');
  await new Promise((resolve) => setTimeout(resolve, 300));
  return box.value;
})()`;

describe('the list of contacts', () => {
  it('is searched, chosen from, emptied and filled again by keyboard alone, and addresses stay masked', async () => {
    await using at = await openConsole(browser, many(30));
    const { page, problems } = await at.visit('/console/contacts');
    await page.waitForSelector(rows);
    expect(await page.textContent('main')).not.toContain('@example.com');
    await page.keyboard.press('/');
    await page.keyboard.type('person 0002');
    await expect.poll(() => page.locator(rows).count()).toBe(10);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('x');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+X');
    expect(await page.textContent('.is-selection strong')).toBe('3 selected');
    await page.locator('button:has-text("Delete")').press('Enter');
    await expect.poll(() => page.locator(rows).count()).toBe(7);
    await page.locator('.toast button:has-text("Undo")').press('Enter');
    await expect.poll(() => page.locator(rows).count()).toBe(10);
    await page.waitForSelector('.toast:has-text("3 contacts restored")');
    await page.locator(`${rows}[tabindex="0"]`).press('Enter');
    await page.waitForSelector('h1:has-text("Person 000")');
    await page.keyboard.press('Escape');
    // As it was left.
    await expect.poll(() => page.locator(rows).count()).toBe(10);
    expect(await page.inputValue('input[aria-label="Search contacts"]')).toBe('person 0002');
    expect(problems).toEqual([]);
  });

  it('loses no letter of somebody who types faster than the page is painted', async () => {
    await using at = await openConsole(browser, many(3));
    const { page } = await at.visit('/console/contacts');
    await page.waitForSelector(rows);
    expect(await page.evaluate(typeFast)).toBe('pe');
  });

  it('keeps the query out of the address, the history, the title, the storage and every request address', async () => {
    await using at = await openConsole(browser, many(3));
    const { page, asked } = await at.visit('/console/contacts');
    await page.waitForSelector(rows);
    await page.fill('input[aria-label="Search contacts"]', 'person1@example.com');
    await expect.poll(() => page.locator(rows).count()).toBe(1);
    await page.locator('.people-who a').first().click();
    await page.waitForSelector('h1:has-text("Person 00001")');
    const kept = await page.evaluate<string>(
      'JSON.stringify([location.href, history.state, document.title, { ...localStorage }, { ...sessionStorage }])',
    );
    expect(kept).not.toMatch(/person1|Person 0/);
    expect(asked.join(' ')).not.toMatch(/person1/);
  });

  it('has fewer than 300 rows in the page and shows no gap while 10,000 are scrolled through', async () => {
    await using at = await openConsole(browser, many(10_000));
    const { page } = await at.visit('/console/contacts');
    await page.waitForSelector(rows);
    const seen = await page.evaluate<{ found: number; most: number; gaps: number }>(scrollThrough);
    expect(seen).toMatchObject({ found: 10_000, gaps: 0 });
    expect(seen.most).toBeLessThan(300);
  }, 120_000);

  it('exports what the command line exports, with formulas defused', async () => {
    const odd = { name: '=1+1', company: 'A "B", C', tags: ['a', 'b'], attributes: { plan: '@sum', seats: 3 } };
    await using at = await openConsole(browser, [...many(150), aContact({ id: 'odd', ...odd })]);
    const { page } = await at.visit('/console/contacts');
    await page.click('button:has-text("Export")');
    const coming = page.waitForEvent('download');
    await page.click('dialog button:has-text("Export")');
    const text = readFileSync(await (await coming).path(), 'utf8');
    const { pages, fields } = await exportContacts(at.store.contacts, at, true);
    const parts: string[] = [];
    for await (const part of exportPeople(pages, fields, 'csv')) parts.push(part);
    const [head, ...lines] = parts.join('').split('\n');
    const [ownHead, ...ownLines] = text.split('\n');
    expect(ownHead).toBe(head);
    expect(ownLines.toSorted()).toEqual(lines.toSorted());
    expect(text).toContain("'=1+1");
  });

  it('shows an Agent nothing that writes', async () => {
    await using at = await openConsole(browser, many(3), ['Owner', 'Agent']);
    const { page } = await at.visit('/console/contacts', { role: 'Agent' });
    await page.waitForSelector(rows);
    expect(await page.locator('main :is(button, a):has-text("New contact"), main a:has-text("Bin")').count()).toBe(0);
    await page.locator(rows).first().press('Enter');
    await page.waitForSelector('h1:has-text("Person")');
    await page.waitForSelector('text=Your roles do not show the history');
    expect(await page.locator('button:has-text("Delete"), button.detail-value').count()).toBe(0);
  });
});

describe('a contact', () => {
  it('is edited in place by keyboard, with the errors of the interface, and a change of others is shown first', async () => {
    await using at = await openConsole(browser, many(1));
    const { page } = await at.visit(`/console/contacts/${at.chatbotId}/c0`);
    await page.waitForSelector('h1:has-text("Person 00000")');
    await page.locator('[data-field="email"] button').first().focus();
    await page.keyboard.press('e');
    await page.keyboard.type('nobody');
    await page.keyboard.press('Enter');
    await page.waitForSelector('[data-field="email"] .field-error');
    await page.keyboard.press('Escape');
    expect(await page.textContent('[data-field="email"]')).toContain('person0@example.com');
    const change = { chatbotId: at.chatbotId, contactId: 'c0', properties: { city: 'Lisbon' } };
    await run(updateContact, at.store, operator(at.projectId), change);
    await page.keyboard.press('e');
    await page.keyboard.type('ana@example.com');
    await page.keyboard.press('Enter');
    await page.waitForSelector('dialog:has-text("Lisbon")');
    await page.locator('dialog button:has-text("Save mine")').press('Enter');
    await page.waitForSelector('[data-field="email"] button:has-text("ana@example.com")');
    expect(await page.textContent('[data-field="city"]')).toContain('Lisbon');
    await page.waitForSelector('.history:has-text("Changed email")');
    expect(await page.title()).toBe('Contact · Roster');
  });

  it('does nothing that its fields say, in the list and on its page', async () => {
    const script = '"><img src=x onerror="globalThis.hit=1"><script>globalThis.hit=1</script>';
    const names = [...contactDetailNames, ...furtherDetailNames, 'external_id'].filter((name) => name !== 'website');
    const texts = Object.fromEntries(
      names.map((name) => [name, script.slice(0, name === 'postal_code' || name === 'phone' ? 60 : 200)]),
    );
    const person = aContact({
      ...texts,
      id: 'x',
      tags: [script.slice(0, 40).toLowerCase()],
      attributes: { plan: script },
    });
    await using at = await openConsole(browser, [person]);
    const { page, problems } = await at.visit('/console/contacts');
    await page.click('button:has-text("Show addresses")');
    await page.waitForSelector(rows);
    await page.goto(`${at.address}/console/contacts/${at.chatbotId}/x`);
    await page.waitForSelector('.history li');
    expect(await page.evaluate("'hit' in globalThis || document.querySelector('main img, main script') !== null")).toBe(
      false,
    );
    expect(problems).toEqual([]);
  });

  it('goes to the bin and comes back from it', async () => {
    await using at = await openConsole(browser, many(2));
    const { page } = await at.visit(`/console/contacts/${at.chatbotId}/c0`);
    await page.getByRole('button', { name: 'Delete', exact: true }).press('Enter');
    await page.waitForSelector('.toast:has-text("moved to the bin")');
    await page.goto(`${at.address}/console/contacts?chatbot=${at.chatbotId}&state=deleted`);
    await page.locator(rows).first().press('Enter');
    await page.locator('button:has-text("Restore")').press('Enter');
    await page.getByRole('button', { name: 'Delete', exact: true }).waitFor();
    expect(await at.store.contacts.find(at.projectId, at.chatbotId, 'c0')).toBeDefined();
  });
});

describe('the pages of contacts', () => {
  it.for([
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
    ['dark', 390],
  ] as const)('have nothing that axe objects to: %s, %i wide', async ([colorScheme, width]) => {
    await using at = await openConsole(browser, many(120));
    const { page } = await at.visit('/console/contacts?tag=vip', { colorScheme, viewport: { width, height: 800 } });
    await page.waitForSelector(rows);
    expect(await violationsOf(page)).toEqual([]);
    await page.locator('.people-pick input').last().click();
    expect(await violationsOf(page)).toEqual([]);
    await page.goto(`${at.address}/console/contacts/${at.chatbotId}/c0`);
    await page.waitForSelector('.history li');
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });
});
