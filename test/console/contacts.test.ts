import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { exportContacts } from '../../src/contacts/export.ts';
import { exportPeople } from '../../src/files/writing.ts';
import { aConsole, rows } from '../support/console.ts';
import { eventsOf } from '../support/events.ts';
import { manyContacts } from '../support/many-contacts.ts';
import { aContact } from '../support/people.ts';

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
  it('is searched, chosen from, emptied and filled again by keyboard alone', async () => {
    const at = await aConsole({ contacts: manyContacts(30) });
    const page = await at.signedIn('/console/contacts');
    await page.waitForSelector(rows);
    // A browser that corrects names would search for others.
    expect(await page.getAttribute('input[aria-label="Search contacts"]', 'autocorrect')).toBe('off');
    await page.keyboard.press('/');
    await page.keyboard.type('person 0002');
    await expect.poll(() => page.locator(rows).count()).toBe(10);
    await page.keyboard.press('ArrowDown');
    // Until the row has the keyboard, letters go to the search.
    await page.waitForSelector(`${rows}:focus`);
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
  });

  it('never says that nobody is there before it knows', async () => {
    const at = await aConsole({ contacts: manyContacts(3) });
    const page = await at.signedIn('/console/account');
    await page.evaluate(`(() => {
      globalThis.seen = [];
      new MutationObserver(() => seen.push(document.querySelector('main').textContent))
        .observe(document.body, { childList: true, subtree: true });
    })()`);
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await page.waitForSelector(rows);
    expect((await page.evaluate<string[]>('seen')).join('\n')).not.toContain('no contacts yet');
  });

  it('loses no letter of somebody who types faster than the page is painted', async () => {
    const at = await aConsole({ contacts: manyContacts(3) });
    const page = await at.signedIn('/console/contacts');
    await page.waitForSelector(rows);
    expect(await page.evaluate(typeFast)).toBe('pe');
  });

  it('selects the row that keys have reached, however fast they come', async () => {
    const at = await aConsole({ contacts: manyContacts(5) });
    const page = await at.signedIn('/console/contacts');
    await page.locator(rows).first().focus();
    await page.evaluate(`(() => {
      for (const key of ['ArrowDown', 'ArrowDown', 'x']) {
        document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
      }
    })()`);
    await page.locator(`${rows}[data-index="2"][aria-selected="true"]`).waitFor();
    expect(await page.locator(`${rows}[aria-selected="true"]`).count()).toBe(1);
  });

  it('keeps the query out of the address, the history, the title, the storage and every request address', async () => {
    const at = await aConsole({ contacts: manyContacts(3) });
    const page = await at.signedIn('/console/contacts');
    await page.waitForSelector(rows);
    await page.fill('input[aria-label="Search contacts"]', 'person1@example.com');
    await expect.poll(() => page.locator(rows).count()).toBe(1);
    await page.locator('.people-who a').first().click();
    await page.waitForSelector('h1:has-text("Person 00001")');
    const kept = await page.evaluate<string>(
      'JSON.stringify([location.href, history.state, document.title, { ...localStorage }, { ...sessionStorage }])',
    );
    expect(kept).not.toMatch(/person1|Person 0/);
    expect(at.asked.join(' ')).not.toMatch(/person1/);
  });

  it('exports what the command line exports, with formulas defused', async () => {
    const odd = { name: '=1+1', company: 'A "B", C', tags: ['a', 'b'], attributes: { plan: '@sum', seats: 3 } };
    const at = await aConsole({ contacts: [...manyContacts(150), aContact({ id: 'odd', ...odd })] });
    const page = await at.signedIn('/console/contacts');
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
    const recorded = await eventsOf(at.store, at.projectId, { types: ['contacts.exported'] });
    expect(recorded).toMatchObject([{ actor: { type: 'member' }, count: 151 }]);
  });
});
