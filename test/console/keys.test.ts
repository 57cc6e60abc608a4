import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openDatabase } from '../../src/database/open-store.ts';
import { sql } from '../../src/database/sql.ts';
import { aConsole, choose, press, type ServedConsole } from '../support/console.ts';

let served: ServedConsole;
beforeAll(async () => {
  served = await aConsole();
});
afterAll(() => served[Symbol.asyncDispose]());

const statusWith = async (token: string) => {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${served.address}/v2/key`, { headers })).status;
};

/** As if everybody had signed in long ago. */
async function letGoStale(): Promise<void> {
  await using database = await openDatabase(served.at.databaseUrl);
  await database.run(sql`update sessions set verified_at = ${'2020-01-01T00:00:00+00:00'}`);
}

describe('the keys of a project, by keyboard', () => {
  it('are made, shown once, rotated and revoked', async () => {
    const page = await served.signedIn('/console/keys');
    await page.getByRole('button', { name: 'Make a key' }).first().waitFor();
    await page.keyboard.press('n');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('Website forms');
    await press(page, 'Make the key');
    const token = await page.getByLabel('Key', { exact: true }).inputValue();
    expect(await statusWith(token)).toBe(200);
    await press(page, 'Done');
    expect(await page.content()).not.toContain(token);

    await choose(page, 'Actions for Website forms', 'Rotate');
    await page.getByRole('dialog').waitFor();
    await press(page, 'Make the new key');
    await page.getByRole('heading', { name: 'Keep the new key' }).waitFor();
    const next = await page.getByRole('dialog').getByRole('textbox').inputValue();
    expect([await statusWith(token), await statusWith(next)]).toEqual([200, 200]);
    await press(page, 'Done');

    await page.reload();
    await choose(page, 'Actions for Website forms', 'Revoke');
    await page.getByRole('dialog').waitFor();
    await press(page, 'Revoke');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect([await statusWith(token), await statusWith(next)].toSorted((one, other) => one - other)).toEqual([200, 401]);
    expect(served.problems).toEqual([]);
    await page.context().close();
  });

  it('are made only by somebody who has shown just now who they are', async () => {
    const page = await served.signedIn('/console/account');
    await press(page, 'Add a passkey');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('The passkey was added').waitFor();
    await letGoStale();
    await page.goto(`${served.address}/console/keys`);
    await press(page, 'Make a key');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('Nightly export');
    await press(page, 'Make the key');
    await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor();
    await press(page, 'Use passkey');
    const token = await page.getByLabel('Key', { exact: true }).inputValue();
    expect(await statusWith(token)).toBe(200);
    expect(served.problems).toEqual([]);
    await page.context().close();
  });
});
