import { setTimeout as sleep } from 'node:timers/promises';

import type { Page } from 'playwright-core';

/** What Tab stops at, in the dialog where one is open, with their names; and the place of the focus. */
const stops = `(() => {
  const scope = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document;
  const all = scope.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]');
  // Tab stops at one of a group of radio buttons: the one that is chosen, or else the first.
  const isPassed = (one) => {
    const group = [...all].filter(({ type, name }) => type === 'radio' && name === one.name);
    return one.type === 'radio' && one !== (group.find(({ checked }) => checked) ?? group[0]);
  };
  const isStop = (one) => one.tabIndex >= 0 && !one.matches(':disabled') && !isPassed(one) && !one.closest('[inert]')
    && one.checkVisibility({ visibilityProperty: true });
  const nameOf = (one) => {
    const label = one.getAttribute('aria-label') ?? one.labels?.[0]?.textContent ?? one.textContent;
    return label.trim();
  };
  return [...all].filter(isStop).map((element) => ({ element, name: nameOf(element) }));
})()`;

const focusBefore = (name: string) => `(() => {
  const all = ${stops};
  const place = all.findIndex((one) => one.name.startsWith(${JSON.stringify(name)}));
  if (place === -1) return undefined;
  all[Math.max(0, place - 1)].element.focus();
  return { isFirst: place === 0 };
})()`;

const focused = `(() => {
  const { activeElement } = document;
  return ${stops}.find(({ element }) => element === activeElement)?.name ?? '';
})()`;

/**
 * Goes by Tab to the control of this name, from the one before it, as soon as it is there; again where the page itself
 * has just moved the focus. What Tab does not stop at is not found.
 */
async function tabTo(page: Page, name: string): Promise<void> {
  const end = performance.now() + 10_000;
  let reached = '';
  while (performance.now() < end) {
    const found = await page.evaluate<{ isFirst: boolean } | undefined>(focusBefore(name));
    if (found) {
      if (found.isFirst) await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('Tab');
      reached = await page.evaluate<string>(focused);
      if (reached.startsWith(name)) return;
    }
    await sleep(20);
  }
  const all = await page.evaluate<string[]>(`${stops}.map(({ name }) => name)`);
  throw new Error(`Tab does not lead to "${name}", but to "${reached}". It stops at: ${all.join(' | ')}`);
}

/** Goes to the control of this name by Tab, and presses a key there. */
export async function press(page: Page, name: string, key = 'Enter'): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press(key);
}

/** Chooses from the menu of actions behind this button, by keyboard. */
export async function choose(page: Page, menu: string, item: string): Promise<void> {
  await press(page, menu);
  await page.locator(':popover-open [role=menuitem]:focus').waitFor();
  const items = await page.locator(':popover-open [role=menuitem]').allInnerTexts();
  const place = items.findIndex((one) => one.startsWith(item));
  if (place === -1) throw new Error(`The menu has no "${item}", but ${items.join(', ')}`);
  for (let step = 0; step < place; step++) await page.keyboard.press('ArrowDown');
  const reached = await page.locator(':focus').innerText();
  if (!reached.startsWith(item)) throw new Error(`The arrows lead to "${reached}" where "${item}" comes next`);
  await page.keyboard.press('Enter');
}

/** What Tab does not reach from the top of a page that has just come, as it goes from one stop to the next. */
export async function walkByTab(page: Page): Promise<string[]> {
  const reached: string[] = [];
  for (;;) {
    await page.keyboard.press('Tab');
    const name = await page.evaluate<string>(focused);
    if (name === '' || (name === reached[0] && reached.length > 1)) break;
    reached.push(name);
  }
  const all = await page.evaluate<string[]>(`${stops}.map(({ name }) => name)`);
  return all.filter((name, place) => reached[place] !== name);
}

/** Adds a passkey on the page of the account, under the name that it suggests or another. */
export async function addPasskey(page: Page, name?: string): Promise<void> {
  await press(page, 'Add a passkey');
  await page.getByRole('dialog').waitFor();
  if (name !== undefined) {
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText(name);
  }
  await page.keyboard.press('Enter');
  await page.getByText('Passkey added').waitFor();
}
