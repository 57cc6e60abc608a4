import { describe, expect, it } from 'vitest';

import { aConsole, rows } from '../support/console.ts';
import { manyContacts } from '../support/many-contacts.ts';

const status = '.people-status span';

/** Runs in the page: scrolls until everybody is loaded. */
const loadAll = `(async () => {
  const box = document.querySelector('.people');
  while (box.getAttribute('aria-rowcount') === '-1') {
    box.scrollTop += 2_000;
    await new Promise(requestAnimationFrame);
  }
})()`;

describe('a deletion that fails after its first request', () => {
  it.for([
    ['told', 'The others were not deleted.'],
    ['lost', 'Roster cannot tell who was deleted. Check the list before you retry.'],
  ] as const)('takes out those who are deleted, and offers to bring them back: %s', async ([kind, text]) => {
    const at = await aConsole({ contacts: manyContacts(1_100) });
    const page = await at.signedIn('/console/contacts');
    await page.waitForSelector(rows);
    await page.evaluate(loadAll);
    let isFirst = true;
    await page.route('**/contacts/bulk', async (route) => {
      if (!isFirst) return kind === 'lost' ? route.abort() : route.fulfill({ status: 500, json: { code: 'internal' } });
      const response = await route.fetch();
      // A busy server may ask to come again.
      isFirst = !response.ok();
      await route.fulfill({ response });
    });
    await page.locator('.people-head .people-pick label').click();
    await page.click('button:has-text("Delete")');
    await page.waitForSelector(`.toast:has-text("${text}")`);
    await expect.poll(() => page.textContent(status)).toBe('100 contacts');
    await page.waitForSelector('.toast:has-text("1,000 contacts moved to the bin") button:has-text("Undo")');
  });
});
