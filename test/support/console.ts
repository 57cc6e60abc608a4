import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';

import { operator } from '../../src/actor.ts';
import type { StoredContact } from '../../src/contacts/contact.ts';
import { openDatabase } from '../../src/database/open-store.ts';
import { sql } from '../../src/database/sql.ts';
import type { Role } from '../../src/members/member.ts';
import { run } from '../../src/operation.ts';
import { createSignInLink } from '../../src/sign-in/link.ts';
import { addSeconds, formatTimestamp } from '../../src/values/timestamp.ts';
import { browserOfWorker } from './browser.ts';
import { aMember, aProject, type ProjectWithPeople } from './people.ts';
import { serverOfWorker, type Served } from './served.ts';

export type { Page } from 'playwright-core';

const viewport = { width: 1280, height: 800 };
export const owner = 'ada@example.com';
/** Of the list of contacts. */
export const rows = '.people-rows .people-row';

type Look = BrowserContextOptions & { email?: string };

export interface Console extends Served, ProjectWithPeople {
  memberId(email: string): Promise<string>;
  linkFor(email: string): Promise<string>;
  /** Signs the Owner in, or somebody else; the cookie of the session. */
  newSession(email?: string, userAgent?: string): Promise<string>;
  /** A page of a browser of its own, with an authenticator that confirms everything. */
  open(look?: BrowserContextOptions): Promise<Page>;
  /** The same, where the Owner is signed in, or somebody else; it shows `path`. */
  signedIn(path: string, look?: Look): Promise<Page>;
  /** What went wrong in a page: messages of the browser, and calls of another host. Any at the end fails the test. */
  problems: string[];
  /** The address of every request. */
  asked: string[];
}

/** A new project, whose Owner is `owner`, in the console of `serve` as shipped. The test that made it closes its pages. */
export async function aConsole(
  given: { roles?: Record<string, Role[]>; pending?: Record<string, Role[]>; contacts?: StoredContact[] } = {},
): Promise<Console> {
  const [served, browser] = await Promise.all([serverOfWorker(), browserOfWorker()]);
  const { store, address } = served;
  served.check();
  const active = Object.entries({ [owner]: ['Owner'] satisfies Role[], ...given.roles });
  const pending = Object.entries(given.pending ?? {});
  const members = [
    ...active.map(([email, roles]) => aMember({ email, roles })),
    ...pending.map(([email, roles]) => aMember({ email, roles, status: 'Pending' })),
  ];
  const project = await aProject(store, { members, contacts: given.contacts ?? [] });
  const [problems, asked]: [string[], string[]] = [[], []];
  onTestFinished(() => {
    served.check();
    expect(problems).toEqual([]);
  });

  const open: Console['open'] = async (look = {}) => {
    const context = await browser.newContext({ viewport, reducedMotion: 'reduce', ...look });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await watch(page, address, { problems, asked });
    await addAuthenticator(page);
    return page;
  };
  const memberId: Console['memberId'] = async (email) => {
    const found = await store.members.list(project.projectId, { email }, 1, 0);
    return found.members[0]?.id ?? '';
  };
  const linkFor: Console['linkFor'] = async (email) => {
    const input = { memberId: await memberId(email) };
    const { output } = await run(createSignInLink, store, operator(project.projectId), input, { publicUrl: address });
    return output.url;
  };
  const newSession: Console['newSession'] = async (email = owner, userAgent = 'curl') => {
    const [, token = ''] = (await linkFor(email)).split('#');
    const answer = await fetch(`${address}/console/api/sign-in/link`, {
      method: 'POST',
      headers: { origin: address, 'content-type': 'application/json', 'user-agent': userAgent },
      body: JSON.stringify({ token }),
    });
    return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  };
  const signedIn: Console['signedIn'] = async (path, { email = owner, ...look } = {}) => {
    const page = await open(look);
    const [name = '', value = ''] = (await newSession(email)).split('=');
    await page.context().addCookies([{ name, value, url: address }]);
    await page.goto(`${address}${path}`);
    await page.locator('main h1').waitFor();
    return page;
  };
  return { ...served, ...project, memberId, linkFor, newSession, open, signedIn, problems, asked };
}

/** As if everybody had signed in long ago, or so many hours ago. */
export async function letGoStale({ at, projectId }: Console, hours = 24 * 365): Promise<void> {
  await using database = await openDatabase(at.databaseUrl);
  const then = formatTimestamp(addSeconds(new Date(), -hours * 3_600));
  await database.run(sql`update sessions set verified_at = ${then} where project_id = ${projectId}`);
}

async function watch(page: Page, address: string, { problems, asked }: Pick<Console, 'problems' | 'asked'>) {
  page.on('pageerror', (error) => void problems.push(error.message));
  page.on('console', (message) => {
    // An answer with an error is shown by the page itself.
    if (!message.text().startsWith('Failed to load')) problems.push(message.text());
  });
  page.on('request', (request) => {
    asked.push(request.url());
    if (/^\w+:\/\//.test(request.url()) && !request.url().startsWith(address)) problems.push(request.url());
  });
  await page.addInitScript(`addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    console.error('the policy forbids', violatedDirective, blockedURI))`);
}

async function addAuthenticator(page: Page) {
  const devTools = await page.context().newCDPSession(page);
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
}
