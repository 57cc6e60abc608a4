import { describe, expect, it } from 'vitest';

import { aConsole, type Console, letGoStale } from '../support/console.ts';
import { choose, press } from '../support/keyboard.ts';

const statusWith = async ({ address }: Console, token: string) => {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${address}/v2/key`, { headers })).status;
};

describe('the keys of a project, by keyboard', () => {
  it('are made, shown once, rotated and revoked', async () => {
    const served = await aConsole();
    const page = await served.signedIn('/console/keys');
    await page.getByRole('button', { name: 'Make a key' }).first().waitFor();
    await page.keyboard.press('n');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('Website forms');
    await press(page, 'Make the key');
    const token = await page.getByLabel('Key', { exact: true }).inputValue();
    expect(await statusWith(served, token)).toBe(200);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    await page.keyboard.press('Escape');
    expect(await page.getByLabel('Key', { exact: true }).inputValue()).toBe(token);
    await press(page, 'Done');
    expect(await page.content()).not.toContain(token);

    await choose(page, 'Actions for Website forms', 'Rotate');
    await page.getByRole('dialog').waitFor();
    await press(page, 'Make the new key');
    await page.getByRole('heading', { name: 'Keep the new key' }).waitFor();
    const next = await page.getByRole('dialog').getByRole('textbox').inputValue();
    expect([await statusWith(served, token), await statusWith(served, next)]).toEqual([200, 200]);
    await press(page, 'Done');

    await page.reload();
    await choose(page, 'Actions for Website forms', 'Revoke');
    await page.getByRole('dialog').waitFor();
    await press(page, 'Revoke');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(
      [await statusWith(served, token), await statusWith(served, next)].toSorted((one, other) => one - other),
    ).toEqual([200, 401]);
  });

  it('are made only by somebody who has shown just now who they are', async () => {
    const served = await aConsole();
    const page = await served.signedIn('/console/account');
    await press(page, 'Add a passkey');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('The passkey was added').waitFor();
    await letGoStale(served);
    await page.goto(`${served.address}/console/keys`);
    await press(page, 'Make a key');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('Nightly export');
    await press(page, 'Make the key');
    await page.getByRole('heading', { name: 'Confirm it’s you' }).waitFor();
    await press(page, 'Use passkey');
    const token = await page.getByLabel('Key', { exact: true }).inputValue();
    expect(await statusWith(served, token)).toBe(200);
  });
});
