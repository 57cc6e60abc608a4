import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import type { BrowserContextOptions, Page } from 'playwright-core';

import { operator } from '../../src/actor.ts';
import { openCurrentStore } from '../../src/cli/open.ts';
import type { Role } from '../../src/members/member.ts';
import { run } from '../../src/operation.ts';
import { createSignInLink } from '../../src/sign-in/link.ts';
import type { Store } from '../../src/store.ts';
import { openBrowser } from './browser.ts';
import { aMember, aProject } from './people.ts';
import { anInstallation, type Installation, serving } from './process.ts';

export type { Page } from 'playwright-core';

export const owner = 'ada@example.com';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

export interface ServedConsole extends AsyncDisposable {
  at: Installation;
  store: Store;
  address: string;
  projectId: string;
  chatbotId: string;
  /** The token of a key of the project with every scope. */
  token: string;
  linkFor(email: string): Promise<string>;
  /** A page of a browser of its own, with an authenticator that confirms everything. */
  open(options?: BrowserContextOptions): Promise<Page>;
  /** The same, where the Owner is signed in; it shows `path`. */
  signedIn(path: string, options?: BrowserContextOptions & { email?: string }): Promise<Page>;
  /** What went wrong in a page: messages of the browser, and calls of another host. */
  problems: string[];
}

/** `serve` as shipped, with a project whose Owner is `owner`; one browser for all pages. */
export async function aConsole(given: { roles?: Record<string, Role[]> } = {}): Promise<ServedConsole> {
  const [at, browser] = await Promise.all([anInstallation(), openBrowser()]);
  const store = await openCurrentStore(at.databaseUrl);
  const others = Object.entries(given.roles ?? {}).map(([email, roles]) => aMember({ email, roles }));
  const members = [aMember({ email: owner, roles: ['Owner'] }), ...others];
  const project = await aProject(store, { members });
  const { projectId } = project;
  const served = await serving(at);
  // Passkeys need a host with a name.
  const address = served.address.replace('127.0.0.1', 'localhost');
  const problems: string[] = [];

  const open = async (options: BrowserContextOptions = {}) => {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    page.on('pageerror', (error) => void problems.push(error.message));
    page.on('console', (message) => {
      // An answer with an error is shown by the page itself.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load')) problems.push(message.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(address)) problems.push(request.url());
    });
    const devTools = await context.newCDPSession(page);
    await devTools.send('WebAuthn.enable');
    await devTools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
      },
    });
    return page;
  };
  const linkFor = async (email: string) => {
    const { members: found } = await store.members.list(projectId, { email }, 1, 0, true);
    const [member] = found;
    const input = { memberId: member && 'id' in member ? member.id : '' };
    const { output } = await run(createSignInLink, store, operator(projectId), input, { publicUrl: address });
    return output.url;
  };
  const signedIn: ServedConsole['signedIn'] = async (path, { email = owner, ...options } = {}) => {
    const page = await open(options);
    const [, token = ''] = (await linkFor(email)).split('#');
    const headers = { origin: address, 'sec-fetch-site': 'same-origin' };
    await page.context().request.post(`${address}/console/api/sign-in/link`, { data: { token }, headers });
    await page.goto(`${address}${path}`);
    await page.locator('main h1').waitFor();
    return page;
  };

  return {
    at,
    store,
    address,
    projectId,
    chatbotId: project.chatbotId,
    token: project.token,
    linkFor,
    open,
    signedIn,
    problems,
    [Symbol.asyncDispose]: async () => {
      await browser.close();
      await store[Symbol.asyncDispose]();
      await at[Symbol.asyncDispose]();
    },
  };
}

const focused = `(() => {
  const { activeElement: at } = document;
  if (at === document.body) return '';
  const label = at?.getAttribute('aria-label') ?? at?.labels?.[0]?.textContent ?? at?.textContent ?? '';
  return label.trim();
})()`;

/** Presses Tab until the control of this name has the focus: what cannot be reached by keyboard is not found. */
export async function tabTo(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name }).or(page.getByRole('menuitem', { name }));
  await button.or(page.getByLabel(name)).first().waitFor();
  const passed: string[] = [];
  for (let count = 0; count < 80; count++) {
    await page.keyboard.press('Tab');
    const label = await page.evaluate<string>(focused);
    if (label.startsWith(name)) return;
    passed.push(label);
  }
  throw new Error(`Tab does not lead to "${name}", but to: ${passed.slice(0, 40).join(' | ')}`);
}

/** Goes to the control of this name by Tab, and presses a key there. */
export async function press(page: Page, name: string, key = 'Enter'): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press(key);
}

/** Chooses from the menu of actions behind this button, by keyboard. */
export async function choose(page: Page, menu: string, item: string): Promise<void> {
  await press(page, menu);
  const wanted = page.getByRole('menuitem', { name: item });
  await wanted.waitFor();
  for (let count = 0; count < 10; count++) {
    if ((await page.evaluate<string>(focused)) === item) return page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
  }
  throw new Error(`The arrows do not lead to "${item}"`);
}

/** What axe objects to in the page, as short lines. */
export async function violationsIn(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const options = JSON.stringify({ runOnly: rules });
  return page.evaluate<string[]>(`axe.run(document, ${options}).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ target }) => target.join(' ')).join(', ')))`);
}
