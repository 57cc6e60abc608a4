import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { exampleContact } from '../../src/contacts/contact.ts';
import type { Page } from '../support/console.ts';
import { anOwnedProject } from '../support/owned-project.ts';

const folder = process.env['PICTURES'] ?? '';
const widths = { wide: { width: 1280, height: 800 }, narrow: { width: 390, height: 844 } };

/** Debian: apt-get install fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji. */
function hasFonts(): boolean {
  try {
    return ['ja', 'ar', 'hi', 'th'].every((lang) =>
      /Noto/.test(execFileSync('fc-list', [`:lang=${lang}`], { encoding: 'utf8' })),
    );
  } catch {
    return false;
  }
}

const people =
  'Vorname,Nachname,E-Mail,Firma,Stadt\nJürgen,Weiß,juergen@example.com,Nordwind GmbH,Berlin\nKatrin,Schäfer,katrin@example.com,Lindqvist AB,Hamburg\n';
const chooseFile = (page: Page) =>
  page.locator('input[type=file]').setInputFiles({ name: 'people.csv', mimeType: '', buffer: Buffer.from(people) });

// PICTURES=docs/console npm test -- pictures
describe.runIf(folder !== '')('every screen', () => {
  it('is drawn, light and dark, wide and narrow, with names in many scripts', { timeout: 600_000 }, async () => {
    expect(hasFonts(), 'fonts-noto-core, fonts-noto-cjk and fonts-noto-color-emoji are installed').toBe(true);
    const served = await anOwnedProject();
    const contact = `contacts/${served.chatbotId}/${exampleContact.id}`;
    const screens: Record<string, string> = {
      home: '',
      contact,
      privacy: `${contact}/privacy`,
      webhook: 'webhooks/crm',
    };
    const named = 'contacts duplicates import activity chatbots members keys webhooks project account'.split(' ');
    for (const name of named) screens[name] = name;
    const first = await served.signedIn('/console/account');
    await first.getByRole('button', { name: 'Add a passkey' }).click();
    await first.getByRole('dialog').waitFor();
    await first.keyboard.press('Enter');
    await first.getByText('Passkey added').waitFor();
    mkdirSync(folder, { recursive: true });
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const [size, viewport] of Object.entries(widths)) {
        const page = await served.signedIn('/console/account', { viewport, colorScheme });
        const draw = async (name: string) => {
          await page.locator('main h1').waitFor();
          await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' });
          await page.screenshot({ path: join(folder, `${name}-${size}-${colorScheme}.png`), animations: 'disabled' });
        };
        for (const [name, path] of Object.entries(screens)) {
          await page.goto(`${served.address}/console/${path}`);
          if (name === 'import') await chooseFile(page);
          if (name === 'duplicates') await page.locator('.compare').waitFor();
          await draw(name);
        }
        await page.context().clearCookies();
        await page.goto(`${served.address}/sign-in`);
        await draw('sign-in');
      }
    }
  });
});
