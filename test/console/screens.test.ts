import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { aConsole, type ServedConsole, violationsIn } from '../support/console.ts';

let served: ServedConsole;
beforeAll(async () => {
  served = await aConsole({ roles: { 'grace@example.com': ['Editor'] } });
});
afterAll(() => served[Symbol.asyncDispose]());

const screens = ['contacts', 'import', 'chatbots', 'members', 'keys', 'project', 'account'];
const widths = { wide: { width: 1280, height: 800 }, narrow: { width: 390, height: 844 } };

describe.each(['light', 'dark'] as const)('in the %s', (colorScheme) => {
  it.each(['wide', 'narrow'] as const)(
    'axe objects to nothing on a %s screen, and nothing sticks out',
    async (size) => {
      const page = await served.signedIn('/console/account', { viewport: widths[size], colorScheme });
      const found: string[] = [];
      for (const screen of screens) {
        await page.goto(`${served.address}/console/${screen}`);
        await page.locator('main h1').waitFor();
        await page.locator('main [aria-busy=true]').waitFor({ state: 'detached' });
        found.push(...(await violationsIn(page)).map((one) => `${screen}: ${one}`));
        const over = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        if (over > 0) found.push(`${screen} is ${over} pixels too wide`);
      }
      await page.context().clearCookies();
      for (const path of ['sign-in', 'sign-in#made-up', 'join#made-up', 'setup']) {
        await page.goto('about:blank');
        await page.goto(`${served.address}/${path}`);
        await page.locator('main h1').waitFor();
        found.push(...(await violationsIn(page)).map((one) => `${path}: ${one}`));
      }
      expect(found).toEqual([]);
      expect(served.problems.filter((one) => one !== 'about:blank')).toEqual([]);
      await page.context().close();
    },
  );
});
