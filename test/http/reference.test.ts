import { expect, it, onTestFinished } from 'vitest';

import { openApp, portOf } from '../support/app.ts';
import { browserOfWorker } from '../support/browser.ts';
import { openStoreOfRun } from '../support/engines.ts';
import { aProject } from '../support/people.ts';

it('the page at /docs shows and calls an operation in Chromium, and loads nothing from another host', async () => {
  await using opened = await openStoreOfRun();
  const { store } = opened;
  const { token } = await aProject(store);
  await using server = await openApp({}, store, { demoToken: token });
  const address = `http://127.0.0.1:${await portOf(server.app)}`;
  const context = await (await browserOfWorker()).newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const asked: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (line) => void (line.type() === 'error' && complaints.push(line.text())));

  await page.goto(`${address}/docs#tag/members/GET/v2/members`);
  // A parameter from the components.
  await page.getByText('Page, from 1.').first().waitFor();
  await page.getByRole('button', { name: 'Test Request (get /v2/members)' }).click();
  const [answer] = await Promise.all([
    page.waitForResponse(/\/v2\/members/),
    page.getByRole('button', { name: 'Send Request' }).click(),
  ]);
  // With the key of the demonstration, and nothing that a request may do without.
  expect([answer.url(), answer.status()]).toEqual([`${address}/v2/members`, 200]);
  expect(answer.request().headers()).not.toHaveProperty('if-none-match');
  expect(complaints).toEqual([]);
  expect(asked.filter((url) => !url.startsWith(address))).toEqual([]);
});
