import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { aConsole } from '../support/console.ts';
import { officials } from '../support/desk.ts';
import { createChatbot } from '../support/people.ts';
import type { Installation } from '../support/process.ts';

/** A project with two chatbots, and the import page of the first one as its Owner sees it. */
async function anImportPage() {
  const served = await aConsole();
  const { at, store, projectId, chatbotId: byPage } = served;
  const { id: byCommand } = await createChatbot(store, projectId, { name: 'Other' });
  const page = await served.signedIn(`/console/import?chatbot=${byPage}`);
  const run = async (button: string) => {
    await page.getByRole('button', { name: new RegExp(`^${button}( \\d+ into Desk)?$`) }).click();
    await page.getByRole('heading', { name: /Check: nothing was stored|Result/ }).waitFor();
    const names = await page.locator('.import-account dt').allTextContents();
    const counts = await page.locator('.import-account dd').allTextContents();
    return Object.fromEntries(names.map((name, index) => [name, Number(counts[index]?.replaceAll(/\D/g, ''))]));
  };
  const choose = async (file: string | { name: string; text: string }) => {
    const given = typeof file === 'string' ? file : { name: file.name, mimeType: '', buffer: Buffer.from(file.text) };
    await page.locator('input[type=file]').setInputFiles(given);
    await page.getByRole('heading', { name: 'Preview' }).waitFor();
  };
  return { ...served, at, byPage, byCommand, page, run, choose };
}

/** Everybody of a chatbot, but for what no two imports give alike. */
async function everybody(at: Installation, chatbot: string): Promise<string[]> {
  const people = await at.json<Record<string, unknown>[]>(['contacts', 'export', '--chatbot', chatbot]);
  return people.map(({ id: _id, created_at: _at, ...rest }) => JSON.stringify(rest)).toSorted();
}

const counts = (account: object) =>
  Object.fromEntries(Object.entries(account as Record<string, unknown>).filter(([, one]) => typeof one === 'number'));

describe('a file that is imported on the page', () => {
  it('with German headings needs no choice, and with unknown ones is known by its values', async () => {
    const desk = await anImportPage();
    const { page } = desk;
    const german = 'Vorname;Nachname;E-Mail Adresse (privat);Tel. Nr.;Firma;Funktion;Stadt\n';
    await desk.choose({
      name: 'kunden.csv',
      text: `${german}Zoë;Groß;zoe@example.com;+49 555 0100;Übungs-AG;Einkauf;Köln\n`,
    });
    const places = page.locator('td select');
    const shown = () => places.locator('option:checked').allTextContents();
    const found = ['e-mail', 'phone', 'company', 'job title', 'city'];
    await expect.poll(async () => (await shown()).slice(2)).toEqual(found);
    expect((await shown()).slice(0, 2).join()).toMatch(/first name.*last name/);
    await desk.choose({ name: 'leads.csv', text: 'Kontakt A,Kontakt B\nzoe@example.com,+49 555 0100\n' });
    await page.getByRole('button', { name: 'Use Kontakt A for e-mail' }).click();
    await page.getByRole('button', { name: 'Use Kontakt B for phone' }).click();
    await expect.poll(shown).toEqual(['e-mail', 'phone']);
    expect(await places.first().locator('option', { hasText: 'Leave out' }).count()).toBe(1);
    expect(await desk.run('Check file')).toMatchObject({ created: 1, rejected: 0 });
  });

  it('becomes what the command makes of it, with the command line that the page shows', async () => {
    const desk = await anImportPage();
    const { at, page, byPage, byCommand } = desk;
    await desk.choose(officials);
    await page.getByLabel('Field of bioguide_id').selectOption('external_id');
    await page.getByLabel('Keep other columns as attributes').check();
    await page.getByLabel('Field of facebook').selectOption('-');
    await page.getByRole('button', { name: 'The same on the command line' }).click();
    await page.getByText('--leave-out facebook').waitFor();
    const shown = (await page.locator('.code code').last().textContent()) ?? '';
    await page.keyboard.press('Escape');
    const words = shown.replace('legislators-current.csv', `'${officials}'`).replace(byPage, byCommand);
    const { stdout } = await at.shell(`${words.replace('roster ', '')} --json`);
    const told = counts(JSON.parse(stdout) as object);
    expect(told).toMatchObject({ read: 537, rejected: 0 });
    expect(await desk.run('Check file')).toEqual(told);
    expect(await everybody(at, byPage)).toEqual([]);
    expect(await desk.run('Import')).toEqual(told);
    expect(await everybody(at, byPage)).toEqual(await everybody(at, byCommand));
    expect(await desk.run('Import')).toMatchObject({ created: 0, unchanged: told['read'] });
  });

  it('gives back what was rejected as the command does, and takes it once it is mended', async () => {
    const desk = await anImportPage();
    const { at, page, byPage, byCommand } = desk;
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
    const advice = /; (?:mend|correct)[^[]*(?=\[row)/g;
    const given = readFileSync(file, 'utf8');
    expect(given.replaceAll(advice, '')).toBe(readFileSync(rejects, 'utf8').replaceAll(advice, ''));
    const mended = given.replace('bo at example.com', 'bo@example.com').split('\n').slice(0, 2).join('\n');
    await desk.choose({ name: 'mended.csv', text: mended });
    expect(await desk.run('Import')).toMatchObject({ read: 1, created: 1, rejected: 0 });
    const people = (await everybody(at, byPage)).join('\n');
    expect(people).toContain('<img src=x onerror=alert(1)>');
    expect(people).toContain('bo@example.com');
    // Nothing of the file is in an address.
    expect(desk.asked.join('\n')).not.toMatch(/example\.com|people|onerror/);
    expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).not.toContain('people');
  });

  it('can be in another encoding, which is detected and can be chosen', async () => {
    const desk = await anImportPage();
    const { page } = desk;
    const bytes = Buffer.from('Name,E-Mail\nZo\xeb,zoe@example.com;z@example.com\n', 'latin1');
    await page.locator('input[type=file]').setInputFiles({ name: 'old.csv', mimeType: '', buffer: bytes });
    await page.getByText('Windows-1252 (Excel, western Europe), 1 row,').waitFor();
    await page.getByLabel('Encoding').selectOption('windows-1250');
    await page.getByRole('button', { name: 'The same on the command line' }).click();
    await page.getByText('--encoding windows-1250').waitFor();
    await page.keyboard.press('Escape');
    await page.getByLabel('Encoding').selectOption('');
    expect(await desk.run('Import')).toMatchObject({ read: 1, created: 1 });
    await page.getByText('1 × more than one e-mail; the first was taken (line 2)').waitFor();
    expect(await everybody(desk.at, desk.byPage)).toEqual([expect.stringContaining('Zoë')]);
  });

  it('that is empty, a workbook or no text is refused with the reason', async () => {
    const { page } = await anImportPage();
    const reasonFor = async (name: string, bytes: number[]) => {
      await page.locator('input[type=file]').setInputFiles({ name, mimeType: '', buffer: Buffer.from(bytes) });
      await page.getByText(name).waitFor();
      return page.getByRole('alert').innerText();
    };
    await page.getByRole('heading', { name: 'Import' }).waitFor();
    await expect.poll(() => reasonFor('empty.csv', [])).toContain('The file is empty');
    await expect.poll(() => reasonFor('lines.csv', [10, 10])).toContain('The file is empty');
    await expect.poll(() => reasonFor('book.csv', [0x50, 0x4b, 3, 4])).toContain('a workbook or an archive');
    await expect.poll(() => reasonFor('picture.csv', [0x89, 0x50, 0, 0xff, 0xfe])).toContain('The file is not');
  });
});
