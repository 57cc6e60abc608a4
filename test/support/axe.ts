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
function overflowIn(page: Page, within = 'html'): Promise<number> {
  return page.evaluate<number>(overflow(within));
}

/** Makes all text so many times as large, as a setting of the browser does. */
export async function zoomText(page: Page, times: number): Promise<void> {
  await page.evaluate(`document.documentElement.style.fontSize = '${times * 100}%'`);
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
}

/** What sticks out of the page, of a dialog or of a button, what is cut off without dots, and text that covers text. */
export async function misfitsIn(page: Page, within = 'html'): Promise<string[]> {
  const over = await overflowIn(page, within);
  const found = await page.evaluate<string[]>(misfits(within));
  return over > 0 ? [...found, `${over} pixels too wide`] : found;
}

const misfits = (within: string) => `(() => {
  const found = [];
  const place = document.querySelector(${JSON.stringify(within)});
  const nameOf = (one) => one.tagName.toLowerCase() + '.' + one.className + ' "' + one.textContent.trim().slice(0, 30) + '"';
  const shown = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  for (const one of place.querySelectorAll('button, .button')) {
    if (shown(one) && one.clientWidth > 1 && one.scrollWidth > one.clientWidth + 1) found.push('sticks out: ' + nameOf(one));
  }
  const texts = [];
  const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const owner = walker.currentNode.parentElement;
    if (walker.currentNode.data.trim() === '' || !shown(owner) || owner.closest('option, script, style')) continue;
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    const all = [...range.getClientRects()].map(({ left, top, right, bottom }) => ({ left, top, right, bottom }));
    let isApart = false;
    for (let one = owner; one && one !== document.body; one = one.parentElement) {
      const style = getComputedStyle(one);
      if (['fixed', 'sticky'].includes(style.position) && one !== place) isApart = true;
      if (style.overflowX === 'visible' && style.overflowY === 'visible') continue;
      const box = one.getBoundingClientRect();
      const isHidden = box.width <= 1 || box.height <= 1;
      const isDotted = style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none';
      for (const rect of all) {
        if (!isHidden && !isDotted && style.overflowY === 'hidden' && (rect.bottom > box.bottom + 3 || rect.top < box.top - 3)) {
          found.push('is cut: ' + nameOf(owner) + ' in ' + nameOf(one).split(' ')[0]);
        }
        rect.left = Math.max(rect.left, box.left);
        rect.right = Math.min(rect.right, box.right);
        rect.top = Math.max(rect.top, box.top);
        rect.bottom = Math.min(rect.bottom, box.bottom);
      }
    }
    if (!isApart) texts.push({ owner, rects: all.filter(({ left, right, top, bottom }) => right - left > 2 && bottom - top > 2) });
  }
  for (const [index, one] of texts.entries()) {
    for (const other of texts.slice(index + 1)) {
      if (one.owner.contains(other.owner) || other.owner.contains(one.owner)) continue;
      const isOver = one.rects.some((a) => other.rects.some((b) =>
        Math.min(a.right, b.right) - Math.max(a.left, b.left) > 3 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 5));
      if (isOver) found.push('covers: ' + nameOf(one.owner) + ' and ' + nameOf(other.owner));
    }
  }
  return found;
})()`;
