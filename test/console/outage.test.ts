import { describe, expect, it } from 'vitest';

import { aConsole, type Console, type Page, rows } from '../support/console.ts';
import { manyContacts } from '../support/many-contacts.ts';

/** As long as it lasts, no request leaves the pages of the browser. It tells them when it is over; kept.test.ts does not. */
async function awayServer(page: Page): Promise<{ back: () => Promise<void> }> {
  const context = page.context();
  await context.setOffline(true);
  return { back: () => context.setOffline(false) };
}

/** A tab of each name, whose scripts have all come. */
async function tabs(at: Console, paths: readonly string[]): Promise<Page[]> {
  const first = await at.signedIn('/console/account');
  const pages = await Promise.all(
    paths.map(async (path) => {
      const page = await first.context().newPage();
      await page.goto(`${at.address}${path}`);
      await page.locator('main h1').waitFor();
      return page;
    }),
  );
  // The other screens come a little later.
  const isThere = `performance.getEntriesByType('resource').some(({ name }) => /import-[^/]+js$/.test(name))`;
  for (const page of pages) await expect.poll(() => page.evaluate(isThere)).toBe(true);
  return pages;
}

const comesBack = (page: Page) => page.locator('.away:empty').waitFor({ state: 'attached' });

describe('while the server is away', () => {
  it('every screen opens, says nothing that it cannot know, and fills itself once it is back', async () => {
    const at = await aConsole({ contacts: manyContacts(3) });
    const screens = {
      Home: '.home-days li',
      Contacts: rows,
      Import: 'input[type=file]',
      Activity: '.activity-line',
      Chatbots: 'td:has-text("Desk")',
      Members: 'td:has-text("ada@example.com")',
      Keys: 'td:has-text("test")',
      Webhooks: 'main :text("No webhook yet")',
      Project: 'main dd',
    };
    const entries = Object.entries(screens);
    const pages = await tabs(
      at,
      entries.map(() => '/console/account'),
    );
    const server = await awayServer(pages[0] as Page);
    const open = async (name: string, page: Page) => {
      await page.locator('nav.side a', { hasText: name }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await page.locator('.away:has-text("Roster cannot be reached")').waitFor();
      const said = (await page.innerText('main')).replace(/^You have no passkey.*$/m, '');
      expect(said).not.toMatch(/\b(?:no \w+ yet|nobody|nothing|0 contacts|found|ready)\b/i);
    };
    await Promise.all(entries.map(([name], index) => open(name, pages[index] as Page)));
    await server.back();
    const filled = entries.map(async ([, selector], index) => {
      await (pages[index] as Page).locator(selector).first().waitFor();
      await comesBack(pages[index] as Page);
      return selector;
    });
    expect(await Promise.all(filled)).toEqual(Object.values(screens));
  });

  it('a screen whose script has not come stays in the page, and opens once it is back', async () => {
    const at = await aConsole();
    const page = await at.signedIn('/console/chatbots');
    await page.route(/members-[^/]+\.js/, (route) => route.abort());
    await page.locator('td:has-text("Desk")').waitFor();
    const server = await awayServer(page);
    await page.locator('nav.side a', { hasText: 'Members' }).click();
    await page.locator('.away:has-text("Roster cannot be reached")').waitFor();
    expect(await page.textContent('nav.side')).toContain('Members');
    await page.unroute(/members-[^/]+\.js/);
    await server.back();
    await page.locator('td:has-text("ada@example.com")').waitFor();
  });

  it('what somebody saves stays as they typed it, with a word, and is saved once it is back', async () => {
    const at = await aConsole({ contacts: manyContacts(2) });
    const dialog = 'dialog input.input >> nth=0';
    const places = [
      { path: `/console/contacts/${at.chatbotId}/c0`, open: '[data-edit="name"]', input: '[data-field="name"] input' },
      { path: '/console/contacts', open: 'main button:has-text("New contact")', input: dialog },
      { path: '/console/chatbots', open: 'main button.button-primary', input: dialog },
      {
        path: '/console/keys',
        open: 'main button.button-primary',
        input: dialog,
        more: 'dialog [type=radio] >> nth=0',
      },
      {
        path: '/console/members',
        open: 'main button.button-primary',
        input: dialog,
        more: 'dialog [type=checkbox] >> nth=0',
      },
      { path: '/console/project', open: 'main input', input: 'main input >> nth=0' },
      { path: '/console/account', open: 'main button:has-text("Add a passkey")', input: dialog },
    ];
    const pages = await tabs(
      at,
      places.map(({ path }) => path),
    );
    const texts = places.map((_, index) => (index === 4 ? 'grace@example.com' : `Typed ${index}`));
    for (const [index, { open, input, more }] of places.entries()) {
      const page = pages[index] as Page;
      await page.locator(open).first().click();
      await page.locator(input).fill(texts[index] ?? '');
      if (more !== undefined) await page.locator(more).check();
    }
    const server = await awayServer(pages[0] as Page);
    const tried = places.map(async ({ input }, index) => {
      const page = pages[index] as Page;
      await page.locator(input).press('Enter');
      await page.locator('[role=alert]:has-text("Roster cannot be reached")').first().waitFor();
      return page.locator(input).inputValue();
    });
    expect(await Promise.all(tried)).toEqual(texts);
    await server.back();
    const saved = places.map(async ({ input }, index) => {
      const page = pages[index] as Page;
      await comesBack(page);
      expect(await page.locator(input).inputValue()).toBe(texts[index]);
      await page.locator(input).press('Enter');
      await page.locator('[role=alert]:has-text("cannot be reached")').first().waitFor({ state: 'detached' });
    });
    await Promise.all(saved);
    await expect
      .poll(async () => (await at.store.contacts.find(at.projectId, at.chatbotId, 'c0'))?.name)
      .toBe('Typed 0');
    await expect.poll(() => at.store.contacts.count(at.projectId, [at.chatbotId])).toBe(3);
    await expect
      .poll(async () => (await at.store.chatbots.list(at.projectId)).map(({ name }) => name))
      .toContain('Typed 2');
  });

  it('a list that is scrolled, an export and a deletion are not lost, and go on once it is back', async () => {
    const at = await aConsole({ contacts: manyContacts(250) });
    const pages = await tabs(at, ['/console/contacts', '/console/contacts', '/console/contacts']);
    const [scrolled, exporting, deleting] = pages as [Page, Page, Page];
    await exporting.click('main button:has-text("Export")');
    await deleting.locator('.people-rows .people-pick input').nth(1).click();
    const server = await awayServer(scrolled);
    await scrolled.evaluate("document.querySelector('.people').scrollTop = 1e6");
    await scrolled.locator('.away:has-text("Roster cannot be reached")').waitFor();
    await exporting.click('dialog button:has-text("Export")');
    await exporting.locator('dialog [role=alert]:has-text("Roster cannot be reached")').waitFor();
    await deleting.click('.is-selection button:has-text("Delete")');
    await deleting.locator('.toast:has-text("Roster cannot tell")').waitFor();
    await server.back();
    await scrolled.locator('.people[aria-rowcount="251"]').waitFor();
    const [download] = await Promise.all([
      exporting.waitForEvent('download'),
      exporting.click('dialog button:has-text("Export")'),
    ]);
    expect(download.suggestedFilename()).toMatch(/^contacts-/);
    await comesBack(deleting);
    await deleting.locator('.people-status:has-text("250 contacts")').waitFor();
  });
});
