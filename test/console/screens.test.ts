import { describe, expect, it } from 'vitest';

import { overflowIn, violationsIn } from '../support/axe.ts';
import { aConsole, type Page } from '../support/console.ts';
import { walkByTab } from '../support/keyboard.ts';
import { manyContacts } from '../support/many-contacts.ts';
import { aContact } from '../support/people.ts';
import { type Opening, openingsOfContact, visitsOf } from '../support/screens.ts';

const [wide, narrow] = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];
const entries = ['sign-in', 'sign-in#made-up', 'join', 'join#made-up', 'setup', 'setup#made-up'];

/** A person of whom everything is known, at length. */
const known = aContact({
  id: 'c0',
  name: 'Ana Lucía Ferreira de Albuquerque e Vasconcelos',
  email: 'ana.lucia.ferreira.de.albuquerque.e.vasconcelos@mail.example.com',
  website: `https://example.com/${'about-us/'.repeat(12)}`,
  company: 'Gesellschaft für Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamte',
  tags: ['vip', 'a-tag-as-long-as-a-tag-may-be-in-roster-1'.slice(0, 40)],
  attributes: { plan: 'gold', seats: 3, has_agreed: true, note: 'x'.repeat(300) },
});

async function aFullConsole() {
  const served = await aConsole({
    roles: { 'grace@example.com': ['Admin'] },
    pending: { 'heidi@example.com': ['Analyst'] },
    contacts: [...manyContacts(120).slice(1), known],
  });
  return { served, visits: visitsOf(served) };
}

/** A look at what is there; in the places that are named, or in the whole page. */
type Look = (name: string, within?: string) => Promise<void>;

async function openEach(page: Page, openings: readonly Opening[], look: Look): Promise<void> {
  for (const { name, open } of openings) {
    await open(page);
    const opened = page.locator('dialog[open], .menu:popover-open');
    await opened.waitFor();
    await look(name, (await page.locator('dialog[open]').count()) > 0 ? 'dialog[open]' : '.menu:popover-open');
    await page.keyboard.press('Escape');
    await opened.waitFor({ state: 'detached' }).catch(() => opened.waitFor({ state: 'hidden' }));
  }
}

async function goThrough(
  { served, visits }: Awaited<ReturnType<typeof aFullConsole>>,
  page: Page,
  look: Look,
): Promise<void> {
  for (const { name, key, prepare, openings = [] } of visits) {
    await page.keyboard.press('g');
    await page.keyboard.press(key);
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' });
    await prepare?.(page);
    await look(name, key === 'c' ? undefined : 'main');
    await openEach(page, openings, look);
  }
  await page.goto(`${served.address}/console/contacts/${served.chatbotId}/c0`);
  await page.locator('.history li').first().waitFor();
  await look('Contact', 'main');
  await openEach(page, openingsOfContact, look);
  await page.click('a:has-text("Privacy request")');
  await page.locator('main .check').first().waitFor();
  await look('Privacy request', 'main');
  await page.context().clearCookies();
  for (const path of entries) {
    await page.goto('about:blank');
    await page.goto(`${served.address}/${path}`);
    await page.locator('main h1').waitFor();
    await look(path);
  }
}

describe('the screens, with all that opens over them', () => {
  it.each([
    ['light', wide],
    ['dark', narrow],
  ] as const)('have nothing that axe objects to or that sticks out: %s, %o', async (colorScheme, viewport) => {
    const full = await aFullConsole();
    const page = await full.served.signedIn('/console/account', { viewport, colorScheme });
    const found: string[] = [];
    await goThrough(full, page, async (name, within) => {
      found.push(...(await violationsIn(page, within)).map((one) => `${name}: ${one}`));
    });
    expect(found).toEqual([]);
  });

  it.each([narrow, wide])('need no scrolling sideways where the text is twice as large: %o', async (viewport) => {
    const full = await aFullConsole();
    const page = await full.served.signedIn('/console/account', { viewport });
    await page.addInitScript(`addEventListener('DOMContentLoaded', () => {
      document.documentElement.style.fontSize = '200%';
    })`);
    await page.reload();
    await page.locator('main h1').waitFor();
    const found: string[] = [];
    await goThrough(full, page, async (name, within) => {
      const over = await overflowIn(page, within);
      if (over > 0) found.push(`${name}: ${over} pixels`);
    });
    expect(found).toEqual([]);
  });

  it('are walked through by Tab from the first control to the last', async () => {
    const { served, visits } = await aFullConsole();
    const page = await served.signedIn('/console/account');
    for (const { name } of visits) {
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
