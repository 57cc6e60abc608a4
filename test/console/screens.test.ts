import { describe, expect, it } from 'vitest';

import { violationsIn } from '../support/axe.ts';
import { aConsole } from '../support/console.ts';
import { manyContacts } from '../support/many-contacts.ts';

const screens = ['contacts', 'contacts?tag=vip', 'import', 'chatbots', 'members', 'keys', 'project', 'account'];
const widths = { wide: { width: 1280, height: 800 }, narrow: { width: 390, height: 844 } };

describe.each(['light', 'dark'] as const)('in the %s', (colorScheme) => {
  it.each(['wide', 'narrow'] as const)(
    'axe objects to nothing on a %s screen, and nothing sticks out',
    async (size) => {
      const served = await aConsole({ roles: { 'grace@example.com': ['Editor'] }, contacts: manyContacts(120) });
      const page = await served.signedIn('/console/account', { viewport: widths[size], colorScheme });
      const found: string[] = [];
      for (const screen of [...screens, `contacts/${served.chatbotId}/c0`]) {
        await page.goto(`${served.address}/console/${screen}`);
        await page.locator('main h1').waitFor();
        await page.locator('main [aria-busy=true]').waitFor({ state: 'detached' });
        found.push(...(await violationsIn(page)).map((one) => `${screen}: ${one}`));
      }
      await page.context().clearCookies();
      for (const path of ['sign-in', 'sign-in#made-up', 'join#made-up', 'setup']) {
        await page.goto('about:blank');
        await page.goto(`${served.address}/${path}`);
        await page.locator('main h1').waitFor();
        found.push(...(await violationsIn(page)).map((one) => `${path}: ${one}`));
      }
      expect(found).toEqual([]);
    },
  );
});
