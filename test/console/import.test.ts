import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { BrowserContextOptions } from 'playwright-core';
import { describe, expect, it } from 'vitest';

import { openCurrentStore } from '../../src/cli/open.ts';
import { openBrowser } from '../support/browser.ts';
import { violationsOf } from '../support/console-page.ts';
import { officials } from '../support/desk.ts';
import { aMember, aProject, createChatbot } from '../support/people.ts';
import { anInstallation, type Installation, serving } from '../support/process.ts';

const [byPage, byCommand] = ['1111111111', '2222222222'];

/** A server with two chatbots, and the import page of the first one as its Owner sees it. */
async function anImportPage(look: BrowserContextOptions = {}) {
  const at = await anInstallation();
  await using store = await openCurrentStore(at.databaseUrl);
  await aProject(store, {
    id: 'acme',
    chatbotId: byPage,
    members: [aMember({ email: 'ada@example.com', roles: ['Owner'] })],
  });
  await createChatbot(store, 'acme', { id: byCommand, name: 'Other' });
  const { address } = await serving(at);
  const { stdout } = await at.run(['console', 'link', '--member', 'ada@example.com']);
  const token = /#([\w-]+)/.exec(stdout)?.[1] ?? '';
  const browser = await openBrowser();
  const page = await browser.newPage({ acceptDownloads: true, ...look });
  const seen: string[] = [];
  page.on('request', (request) => seen.push(request.url()));
  page.on('pageerror', (error) => seen.push(String(error.stack)));
  page.on('console', (message) => seen.push(message.text()));
  await page.goto(`${address}/sign-in#${token}`);
  await page.locator('button.button-primary').click();
  await page.waitForURL(/\/console/);
  page.setDefaultTimeout(10_000);
  await page.goto(`${address}/console/import?chatbot=${byPage}`);
  await page.getByRole('heading', { name: 'Import', level: 1 }).waitFor();
  const run = async (button: string) => {
    await page.getByRole('button', { name: button, exact: true }).click();
    await page.getByRole('heading', { name: /Dry run: nothing was stored|The account of the import/ }).waitFor();
    const names = await page.locator('.import-account dt').allTextContents();
    const counts = await page.locator('.import-account dd').allTextContents();
    return Object.fromEntries(names.map((name, index) => [name, Number(counts[index]?.replaceAll(/\D/g, ''))]));
  };
  const choose = async (file: string | { name: string; text: string }) => {
    const input = page.locator('input[type=file]');
    const buffer = typeof file === 'string' ? undefined : Buffer.from(file.text);
    await input.setInputFiles(
      typeof file === 'string' ? file : { name: file.name, mimeType: '', buffer: buffer ?? Buffer.alloc(0) },
    );
    await page.getByRole('heading', { name: 'The first people' }).waitFor();
  };
  return {
    at,
    page,
    address,
    seen,
    run,
    choose,
    [Symbol.asyncDispose]: async () => {
      await browser.close();
      await at[Symbol.asyncDispose]();
    },
  };
}

/** Everybody of a chatbot, but for what no two imports give alike. */
async function everybody(at: Installation, chatbot: string): Promise<string[]> {
  const people = await at.json<Record<string, unknown>[]>(['contacts', 'export', '--chatbot', chatbot]);
  return people.map(({ id: _id, created_at: _at, ...rest }) => JSON.stringify(rest)).toSorted();
}

const counts = (account: object) =>
  JSON.parse(JSON.stringify({ ...account, rejects_file: undefined })) as Record<string, unknown>;

describe('a file that is imported on the page', () => {
  it('becomes what the command makes of it, with the command line that the page shows', async () => {
    await using desk = await anImportPage();
    const { at, page } = desk;
    await desk.choose(officials);
    await page.getByLabel('bioguide_id goes to').selectOption('external_id');
    await page.getByLabel('facebook goes to').selectOption('-');
    await page.getByLabel('Keep other columns as attributes').check();
    await page.getByText('--leave-out facebook').waitFor();
    const shown = (await page.locator('.code code').last().textContent()) ?? '';
    const words = shown.replace('legislators-current.csv', `'${officials}'`).replace(byPage, byCommand);
    const { stdout } = await at.shell(`${words.replace('roster ', '')} --json`);
    const told = counts(JSON.parse(stdout) as object);
    expect(told).toMatchObject({ read: 537, rejected: 0 });
    expect(await desk.run('Check the whole file')).toEqual(told);
    expect(await everybody(at, byPage)).toEqual([]);
    expect(await desk.run('Import')).toEqual(told);
    expect(await everybody(at, byPage)).toEqual(await everybody(at, byCommand));
    expect(await desk.run('Import')).toMatchObject({ created: 0, unchanged: told['read'] });
  });

  it('gives back what was rejected as the command does, and takes it once it is mended', async () => {
    await using desk = await anImportPage();
    const { at, page, address, seen } = desk;
    const text = [
      'id;Full name;E-mail;Notes',
      'a;<img src=x onerror=alert(1)>;ana@example.com;"=1+1"',
      'b;"Bo; the <b>second</b>";bo at example.com;x',
      'c;;;y',
      'a;Somebody Else;ana@example.com;z',
    ].join('\r\n');
    await desk.choose({ name: 'people.csv', text });
    const file = join(at.folder, 'people.csv');
    const rejects = join(at.folder, 'rejected.csv');
    const args = ['contacts', 'import', '-', '--chatbot', byCommand, '--rejects', rejects, '--json'];
    const { stdout } = await at.run(args, { input: text });
    expect(await desk.run('Import')).toEqual(counts(JSON.parse(stdout) as object));
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download 3 rejected rows' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('people-rejected.csv');
    await download.saveAs(file);
    const advice = /and (?:run: .*|import this file again) (?=\[row)/g;
    const given = readFileSync(file, 'utf8');
    expect(given.replaceAll(advice, '')).toBe(readFileSync(rejects, 'utf8').replaceAll(advice, ''));
    const mended = given.replace('bo at example.com', 'bo@example.com').split('\n').slice(0, 2).join('\n');
    await desk.choose({ name: 'mended.csv', text: mended });
    expect(await desk.run('Import')).toMatchObject({ read: 1, created: 1, rejected: 0 });
    const people = (await everybody(at, byPage)).join('\n');
    expect(people).toContain('<img src=x onerror=alert(1)>');
    expect(people).toContain('bo@example.com');
    // Nothing of the file is in an address, and nothing was asked of another host.
    expect(seen.filter((one) => !one.startsWith(address) && !one.startsWith('blob:'))).toEqual([]);
    expect(seen.join('\n')).not.toMatch(/example\.com|people|onerror/);
    expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).not.toContain('people');
  });

  it.for([
    ['light', 1280],
    ['dark', 390],
  ] as const)('is chosen, mapped and checked without a barrier: %s, %i wide', async ([colorScheme, width]) => {
    await using desk = await anImportPage({ colorScheme, viewport: { width, height: 800 }, reducedMotion: 'reduce' });
    const { page } = desk;
    await desk.choose({ name: 'people.csv', text: 'Vorname,Nachname,Notes\nAna,Ferreira,x\nBo,,\n' });
    await page.getByRole('button', { name: 'Use Vorname and Nachname for name' }).press('Enter');
    await page
      .getByText("--map 'name={Vorname} {Nachname}'")
      .or(page.getByText('--map name="{Vorname} {Nachname}"'))
      .waitFor();
    expect(await desk.run('Check the whole file')).toMatchObject({ read: 2, created: 2 });
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });

  it('can be in another encoding, and is read as the command reads it after iconv', async () => {
    await using desk = await anImportPage();
    const { page } = desk;
    const bytes = Buffer.from('Name,E-Mail\nZo\xeb,zoe@example.com\n', 'latin1');
    await page.locator('input[type=file]').setInputFiles({ name: 'old.csv', mimeType: '', buffer: bytes });
    await page.getByText('The file is not UTF-8; save it as').waitFor();
    await page.getByLabel('Read it as').selectOption('windows-1252');
    await page.getByText('iconv -f WINDOWS-1252 -t UTF-8 old.csv | roster contacts import -').waitFor();
    expect(await desk.run('Import')).toMatchObject({ read: 1, created: 1 });
    expect(await everybody(desk.at, byPage)).toEqual([expect.stringContaining('Zoë')]);
  });
});
