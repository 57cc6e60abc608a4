import { describe, expect, it } from 'vitest';

import { misfitsIn, violationsIn, zoomText } from '../support/axe.ts';
import type { Console, Page } from '../support/console.ts';
import { walkByTab } from '../support/keyboard.ts';
import { aFullProject, type Opening, visitsOf } from '../support/screens.ts';

// The first is that in which each screen is opened.
// ROSTER_TEST_SCREENS=all npx vitest run test/console/screens.test.ts
const windows =
  process.env['ROSTER_TEST_SCREENS'] === 'all'
    ? (['light', 'dark'] as const).flatMap((scheme) => [1_280, 900, 390].map((width) => [scheme, width] as const))
    : ([
        ['light', 1_280],
        ['dark', 390],
      ] as const);
const entries = ['sign-in', 'join', 'setup', 'sign-in#made-up', 'join#made-up', 'setup#made-up'];

/** A look at what is there; in the places that are named, or in the whole page. */
type Look = (name: string, within?: string) => Promise<void>;

const over = 'dialog[open], .menu:popover-open';

async function openEach(page: Page, openings: readonly Opening[], look: Look): Promise<void> {
  for (const { name, open } of openings) {
    await open(page);
    await page.locator(over).first().waitFor();
    await look(name, (await page.locator('dialog[open]').count()) > 0 ? 'dialog[open]' : '.menu:popover-open');
    // The first may close suggestions, or ask whether to discard what was typed.
    await expect
      .poll(async () => {
        const discard = page.getByRole('button', { name: 'Discard' });
        if (await discard.isVisible()) await discard.click();
        else await page.keyboard.press('Escape');
        return page.locator(over).count();
      })
      .toBe(0);
  }
}

async function goThrough(served: Console, page: Page, look: Look): Promise<void> {
  for (const { name, key, path, prepare, openings = [] } of visitsOf(served)) {
    const address = `${served.address}/console/${path}`;
    if (path !== undefined && page.url() !== address) await page.goto(address);
    if (path === undefined) {
      await page.keyboard.press('g');
      await page.keyboard.press(key ?? '');
      await page.getByRole('heading', { name, level: 1 }).waitFor();
    }
    await page.locator('main h1').waitFor();
    await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' });
    await prepare?.(page);
    await look(name, key === 'c' ? undefined : 'main');
    await openEach(page, openings, look);
  }
  await page.context().clearCookies();
  for (const path of entries) {
    await page.goto(`${served.address}/${path}`);
    await page.locator('main h1').waitFor();
    await look(path);
  }
}

/** What is still found once colours and places have settled. */
async function settled(find: () => Promise<string[]>): Promise<string[]> {
  let found = await find();
  for (let again = 0; again < 3 && found.length > 0; again++) found = await find();
  return found;
}

async function show(page: Page, [colorScheme, width]: (typeof windows)[number]): Promise<void> {
  await page.setViewportSize({ width, height: width === 390 ? 844 : 800 });
  await page.emulateMedia({ colorScheme });
  await zoomText(page, 1);
}

describe('the screens, with all that opens over them', () => {
  it('have nothing that axe objects to or that is cut or covered, light and dark, wide and narrow', async () => {
    const served = await aFullProject();
    const page = await served.signedIn('/console/account');
    const found: string[] = [];
    await goThrough(served, page, async (name, within) => {
      for (const window of windows) {
        const note = (all: readonly string[]) =>
          found.push(...all.map((one) => `${name}, ${window.join(' ')}: ${one}`));
        await show(page, window);
        note(await settled(() => violationsIn(page, within)));
        await zoomText(page, 2);
        note((await settled(() => misfitsIn(page, within))).map((one) => `with large text, ${one}`));
      }
      await show(page, windows[0]);
    });
    expect(found).toEqual([]);
  }, 400_000);

  it('are walked through by Tab from the first control to the last', async () => {
    const served = await aFullProject();
    const page = await served.signedIn('/console/account');
    for (const { name, key } of visitsOf(served)) {
      if (key === undefined) continue;
      const walk = async () => {
        await page.goto(`${served.address}/console/${name === 'Home' ? '' : name.toLowerCase()}`);
        await page.locator('main h1').waitFor();
        return walkByTab(page);
      };
      // What comes late is not reached the first time.
      await expect.poll(walk).toEqual([]);
    }
  });
});
