import { operator } from '../src/actor.ts';
import { openDatabase, storeOn } from '../src/database/open-store.ts';
import { mirrored } from '../src/imports.ts';
import { importMembers } from '../src/members/import.ts';
import { run } from '../src/operation.ts';
import { createSignInLink } from '../src/sign-in/link.ts';
import { openBrowser, type Page } from '../test/support/browser.ts';
import { fill } from './search/main.ts';
import type { Person } from './search/people.ts';
import { chatbot, prepare } from './writes/setting.ts';
import { roster, sqliteIn } from './writes/trial.ts';

export type ConsoleFigures = Awaited<ReturnType<typeof measureConsole>>;

const loads = 7;
const searches = 40;
const scrolledRows = 10_000;

/** What somebody at the page waits for, in a real browser; 70 % of the contacts are in the chatbot that is shown. */
export async function measureConsole({ contacts, folder }: { contacts: number; folder: string }) {
  const url = sqliteIn(folder, 'console.db');
  await prepare(url);
  await prepare(url, 'other');
  const { people } = await fill(url, contacts, true);
  await using serving = await roster(url);
  const address = serving.address.replace('127.0.0.1', 'localhost');
  const browser = await openBrowser();
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const headers = { origin: address, 'sec-fetch-site': 'same-origin' };
    const token = await ownersToken(url);
    await context.request.post(`${address}/console/api/sign-in/link`, { data: { token }, headers });
    const page = await context.newPage();
    const place = `${address}/console/contacts?chatbot=${chatbot}`;
    const [paints, lists]: [number[], number[]] = [[], []];
    for (let i = 0; i < loads; i++) {
      await page.goto(place);
      await page.locator('.people-who a').first().waitFor();
      lists.push(await page.evaluate<number>('performance.now()'));
      paints.push(await page.evaluate<number>(`performance.getEntriesByName('first-contentful-paint')[0].startTime`));
    }
    const keys: number[] = [];
    for (const person of people.slice(0, searches)) keys.push(...(await typed(page, person)));
    const scrolled = await scroll(page);
    return { contacts, paint: shares(paints), firstRows: shares(lists), key: shares(keys), ...scrolled };
  } finally {
    await browser.close();
  }
}

async function ownersToken(url: string): Promise<string> {
  await using database = await openDatabase(url);
  const store = storeOn(database);
  const owner = { email: 'ada@example.com', status: 'Active' as const, roles: ['Owner' as const] };
  await run(importMembers, store, operator('acme'), mirrored([owner]));
  const { members } = await store.members.list('acme', { role: 'Owner' }, 1, 0);
  const [member] = members;
  const memberId = member?.id ?? '';
  const { output } = await run(createSignInLink, store, operator('acme'), { memberId }, { publicUrl: '' });
  return output.url.split('#')[1] ?? '';
}

// From the key to the frame after the list has its rows.
const watch = `window.untilListed = () => new Promise((resolve) => {
  const box = document.querySelector('.people-box');
  let startedAt = 0;
  addEventListener('keydown', (event) => (startedAt = event.timeStamp), { once: true, capture: true });
  let isBusy = false;
  const observer = new MutationObserver(() => {
    if (box.getAttribute('aria-busy') === 'true') isBusy = true;
    else if (isBusy) {
      observer.disconnect();
      requestAnimationFrame(() => resolve(performance.now() - startedAt));
    }
  });
  observer.observe(box, { attributes: true, attributeFilter: ['aria-busy'] });
})`;

/** Types a first name letter by letter; each letter is answered before the next. */
async function typed(page: Page, { first }: Person): Promise<number[]> {
  const search = page.getByLabel('Search contacts');
  await search.fill('');
  await page.locator('.people-box[aria-busy=false]').waitFor();
  await page.waitForTimeout(300);
  await page.evaluate(watch);
  const times: number[] = [];
  for (const letter of first.slice(0, 4)) {
    const listed = page.evaluate<number>('window.untilListed()');
    await search.press(letter);
    times.push(await listed);
  }
  return times;
}

/** Scrolls as fast as a wheel does; a gap is a frame whose window has fewer rows than fit. */
async function scroll(page: Page): Promise<{ rowsMax: number; gaps: number; frames: number }> {
  await page.getByLabel('Search contacts').fill('');
  await page.locator('.people-box[aria-busy=false]').waitFor();
  return page.evaluate(`new Promise((resolve) => {
    const box = document.querySelector('.people-box');
    const height = document.querySelector('.people-row[data-index]').offsetHeight;
    const found = { rowsMax: 0, gaps: 0, frames: 0 };
    const step = () => {
      const rows = box.querySelectorAll('[data-index]');
      const [top, bottom] = [box.getBoundingClientRect().top, box.getBoundingClientRect().bottom];
      const last = Math.max(...[...rows].map((row) => row.getBoundingClientRect().bottom));
      found.rowsMax = Math.max(found.rowsMax, rows.length);
      if (last < Math.min(bottom, innerHeight) - 1 || top > innerHeight) found.gaps++;
      found.frames++;
      if (box.scrollTop / height >= ${scrolledRows}) return resolve(found);
      box.scrollTop += height * 8;
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  })`);
}

function shares(times: number[]): { p50: number; p95: number } {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
  return { p50: at(0.5), p95: at(0.95) };
}
