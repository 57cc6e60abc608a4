import { expect, it } from 'vitest';

import { aConsole, owner } from '../support/console.ts';

const warning = 'This connection is not encrypted';
const pages = ['sign-in', 'join#made-up', 'setup#made-up'];

it('every page before sign-in warns about plain HTTP, and none on localhost', async () => {
  const served = await aConsole();
  const page = await served.open();
  const elsewhere = 'http://roster.example';
  // The browser asks for another host, and gets the pages of this one.
  await page.route(`${elsewhere}/**`, async (route) => {
    const url = route.request().url().replace(elsewhere, served.address);
    const headers = { ...route.request().headers(), host: new URL(served.address).host, origin: served.address };
    await route.fulfill({ response: await route.fetch({ url, headers }) });
  });
  const isWarnedAt = async (address: string) => {
    await page.goto('about:blank');
    await page.goto(address);
    await page.locator('main h1').waitFor();
    return (await page.getByText(warning).count()) === 1;
  };
  for (const path of pages) {
    expect([path, await isWarnedAt(`${elsewhere}/${path}`)]).toEqual([path, true]);
    expect([path, await isWarnedAt(`${served.address}/${path}`)]).toEqual([path, false]);
  }
  // Of the other host, and of the browser about it.
  const about = served.problems.splice(0).filter((one) => !one.startsWith(elsewhere));
  expect(about.filter((one) => !one.startsWith('The Cross-Origin-Opener-Policy header has been ignored'))).toEqual([]);
});

it('a page whose request is refused asks once', async () => {
  const served = await aConsole();
  const page = await served.open();
  await page.goto(`${served.address}/setup#made-up`);
  await page.getByRole('heading', { name: 'This link is not valid' }).waitFor();
  await page.goto(await served.linkFor(owner));
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  expect(served.asked.filter((url) => url.endsWith('/setup/asks'))).toHaveLength(1);
});
