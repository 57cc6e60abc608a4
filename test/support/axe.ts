import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const options = JSON.stringify({ runOnly: rules, resultTypes: ['violations'], preload: false });

const overflow = (within: string) => `(() => {
  const place = document.querySelector(${JSON.stringify(within)});
  const { scrollWidth, clientWidth } = place.matches('dialog') ? place : document.documentElement;
  return scrollWidth - clientWidth;
})()`;

/** What axe objects to against WCAG 2.0 to 2.2, A and AA, as short lines; and what has to be scrolled sideways. */
export async function violationsIn(page: Page, within = 'html'): Promise<string[]> {
  // A policy of the page allows no script from elsewhere; the protocol of the browser is not bound by it.
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(axe);
  const found = await page.evaluate<string[]>(`axe.run(${JSON.stringify(within)}, ${options}).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ target }) => target.join(' ')).join(', ')))`);
  const over = await overflowIn(page, within);
  return over > 0 ? [...found, `${over} pixels too wide`] : found;
}

/** By how many pixels the page, or the dialog, is wider than what shows it. */
export function overflowIn(page: Page, within = 'html'): Promise<number> {
  return page.evaluate<number>(overflow(within));
}
