import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { madeUpContacts } from '../../src/cli/demo/demo-people.ts';
import { exampleContact, type StoredContact } from '../../src/contacts/contact.ts';
import type { Draft } from '../../src/contacts/draft.ts';
import { importContacts } from '../../src/contacts/import.ts';
import { mirrored } from '../../src/imports.ts';
import { run } from '../../src/operation.ts';
import { aConsole } from '../support/console.ts';

const folder = process.env['PICTURES'] ?? '';
const widths = { wide: { width: 1280, height: 800 }, narrow: { width: 390, height: 844 } };

// PICTURES=docs/console npm test -- pictures
describe.runIf(folder !== '')('every screen', () => {
  it('is drawn, light and dark, wide and narrow', async () => {
    const served = await aConsole({ roles: { 'grace@example.com': ['Editor'], 'bo@example.com': ['Analyst'] } });
    const { store, projectId, chatbotId } = served;
    const contacts = mirrored<Draft, StoredContact>([...madeUpContacts(150, 0), { texts: exampleContact }]);
    await run(importContacts, store, operator(projectId), { ...contacts, chatbotId });
    mkdirSync(folder, { recursive: true });
    const screens = ['contacts', 'import', 'activity', 'chatbots', 'members', 'keys', 'webhooks', 'project', 'account'];
    const paths = [...screens, `contacts/${chatbotId}/${exampleContact.id}`].map((screen) => `/console/${screen}`);
    let drawn = 0;
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const [size, viewport] of Object.entries(widths)) {
        const page = await served.signedIn('/console/account', { viewport, colorScheme });
        const draw = async (name: string) => {
          await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' });
          await page.screenshot({ path: join(folder, `${name}-${size}-${colorScheme}.png`), animations: 'disabled' });
          drawn++;
        };
        for (const path of paths) {
          await page.goto(`${served.address}${path}`);
          await page.locator('main h1').waitFor();
          await draw(path.includes(chatbotId) ? 'contact' : (path.split('/').at(-1) ?? ''));
        }
        await page.context().clearCookies();
        await page.goto(`${served.address}/sign-in`);
        await page.locator('main h1').waitFor();
        await draw('sign-in');
      }
    }
    expect(drawn).toBe(4 * (paths.length + 1));
  });
});
