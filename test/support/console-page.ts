import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

import type { StoredContact } from '../../src/contacts/contact.ts';
import type { Role } from '../../src/members/member.ts';
import { openApp, portOf } from './app.ts';
import { storeContacts } from './people.ts';
import { aTeam } from './signed-in.ts';

/** A console on a socket with the engine of this run, and browsers that are signed in to it. */
export async function openConsole(browser: Browser, contacts: StoredContact[] = [], roles: Role[] = ['Owner']) {
  const opened = await openApp({ publicUrl: 'http://localhost:PORT' });
  const address = `http://localhost:${await portOf(opened.app)}`;
  const team = await aTeam(opened, roles);
  await storeContacts(opened.store, team.projectId, team.chatbotId, contacts);
  const closing: (() => Promise<void>)[] = [];
  const visit = async (path: string, { role = 'Owner', ...options }: BrowserContextOptions & { role?: Role } = {}) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    closing.push(() => context.close());
    const { token } = await team.link(role);
    const page = await context.newPage();
    const problems: string[] = [];
    const asked: string[] = [];
    page.on('console', (message) => void problems.push(message.text()));
    page.on('pageerror', (error) => void problems.push(error.message));
    page.on('request', (request) => void asked.push(request.url()));
    await page.goto(`${address}/console/none`);
    await page.evaluate(
      (text) =>
        fetch('/console/api/sign-in/link', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ token: text }),
        }),
      token,
    );
    await page.goto(`${address}${path}`);
    // Of the visit without a session.
    problems.length = 0;
    return { page, problems, asked };
  };
  return {
    ...team,
    store: opened.store,
    address,
    visit,
    [Symbol.asyncDispose]: async () => {
      for (const close of closing) await close();
      await opened[Symbol.asyncDispose]();
    },
  };
}

/** What axe finds against WCAG 2.0 to 2.2, A and AA: the rule and where. */
export async function violationsOf(page: Page): Promise<string[]> {
  // A policy of the page allows no script from elsewhere; the protocol of the browser is not bound by it.
  await page.evaluate(axe.source);
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
  const found = await page.evaluate(async (values) => {
    const { axe: inPage } = globalThis as unknown as { axe: typeof axe };
    const { violations } = await inPage.run({ runOnly: { type: 'tag', values } });
    return violations.map(({ id, nodes }) => ({ id, targets: nodes.map(({ target }) => target.join(' ')) }));
  }, tags);
  return found.map(({ id, targets }) => `${id}: ${targets.slice(0, 3).join(', ')}`);
}
