import { statSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { aConsole } from '../support/console.ts';
import { manyContacts } from '../support/many-contacts.ts';

/**
 * Runs in the page: scrolls to the last row by less than the rows that are in the page, and after each step looks for a
 * place in the list without a row.
 */
const scrollThrough = `(async () => {
  const box = document.querySelector('.people');
  const list = document.querySelector('.people-rows');
  const head = document.querySelector('.people-head').offsetHeight;
  const found = new Set();
  let [most, gaps] = [0, 0];
  const isAtEnd = () => box.scrollTop + box.clientHeight >= box.scrollHeight - 1;
  // The first row is that of the headings.
  while (!found.has(String(box.ariaRowCount - 2))) {
    if (isAtEnd()) await new Promise((resolve) => setTimeout(resolve, 5));
    box.scrollTop += 2_000;
    await new Promise(requestAnimationFrame);
    const shown = [...list.querySelectorAll('.people-row')];
    most = Math.max(most, shown.length);
    for (const row of shown) found.add(row.dataset.index);
    const { bottom, top } = box.getBoundingClientRect();
    const inside = shown.map((row) => row.getBoundingClientRect());
    const end = Math.min(bottom, list.getBoundingClientRect().bottom) - 5;
    for (let y = top + head + 5; y < end; y += 20) {
      if (!inside.some((one) => one.top <= y && one.bottom >= y)) gaps++;
    }
  }
  return { found: found.size, most, gaps };
})()`;

const built = new URL('../../dist/console/', import.meta.url);

describe('the list of contacts', () => {
  it('comes with less than 60 kB gzipped, where it is the first screen', async () => {
    const at = await aConsole({ contacts: manyContacts(1) });
    const page = await at.signedIn('/console/contacts');
    await page.waitForSelector('.people-rows .people-row');
    // Others come once it is there.
    const first = at.asked.slice(
      0,
      at.asked.findIndex((one) => one.includes('/contacts/search')),
    );
    const files = first.flatMap((one) => /\/console\/(assets\/[^?]+)$/.exec(one)?.[1] ?? []);
    expect(files.length).toBeGreaterThan(3);
    const bytes = ['index.html', ...new Set(files)].map((file) => statSync(new URL(`${file}.gz`, built)).size);
    expect(bytes.reduce((sum, one) => sum + one)).toBeLessThan(60_000);
  });

  it('has fewer than 300 rows in the page and shows no gap while 2,000 are scrolled through', async () => {
    const at = await aConsole({ contacts: manyContacts(2_000) });
    const page = await at.signedIn('/console/contacts', { viewport: { width: 1280, height: 420 } });
    await page.waitForSelector('.people-rows .people-row');
    const seen = await page.evaluate<{ found: number; most: number; gaps: number }>(scrollThrough);
    expect(seen).toMatchObject({ found: 2_000, gaps: 0 });
    expect(seen.most).toBeLessThan(300);
  }, 120_000);
});
