import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { createApiKey } from '../../src/api-keys/create.ts';
import { run } from '../../src/operation.ts';
import { aConsole, type Console } from '../support/console.ts';
import { choose, press } from '../support/keyboard.ts';

const statusWith = async ({ address }: Console, token: string) => {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${address}/v2/key`, { headers })).status;
};

describe('the keys of a project, by keyboard', () => {
  it('are made, shown once, rotated and revoked', async () => {
    const served = await aConsole();
    const page = await served.signedIn('/console/keys');
    await page.getByRole('button', { name: 'Create a key' }).first().waitFor();
    await page.keyboard.press('n');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('Website forms');
    await press(page, 'CRM sync', 'Space');
    await press(page, 'Create');
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
    await press(page, 'Rotate');
    await page.getByRole('heading', { name: 'Copy the new key' }).waitFor();
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

  it('have the smallest rights after three clicks, with nothing chosen in advance, and an end', async () => {
    const served = await aConsole();
    const page = await served.signedIn('/console/keys');
    await page.getByRole('button', { name: 'Create a key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Helper');
    expect(await dialog.locator('input:checked').count()).toBe(0);
    expect(await dialog.getByRole('button', { name: 'Create' }).isDisabled()).toBe(true);
    await dialog.getByText('Assistant').click();
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByRole('heading', { name: 'Copy the key' }).waitFor();
    await press(page, 'Done');
    const row = page.getByRole('row', { name: 'Helper' });
    expect(await row.innerText()).toMatch(/Read contacts, read chatbots\s+ada@example\.com/);
    const all = await served.store.apiKeys.list(served.projectId);
    const key = all.find(({ name }) => name === 'Helper');
    expect(key?.scopes.toSorted()).toEqual(['chatbots:read', 'contacts:read']);
    expect(Math.round((Date.parse(key?.expires_at ?? '') - Date.now()) / 86_400_000)).toBe(90);
  });

  it('name who made them in one piece, beside a long list of rights', async () => {
    const email = 'grace.of.the.sales.team@example.com';
    const served = await aConsole({ roles: { [email]: ['Admin'] } });
    const { store, projectId } = served;
    const actor = { ...operator(projectId), type: 'member', id: await served.memberId(email) } as const;
    const scopes = ['contacts:read', 'contacts:write', 'chatbots:read', 'members:read', 'project:read'] as const;
    await run(createApiKey, store, actor, { name: 'Website forms of the shop', scopes: [...scopes] });
    const page = await served.signedIn('/console/keys');
    const maker = page.getByRole('row', { name: 'Website forms' }).getByText(email);
    // Two lines would be 40 pixels.
    expect((await maker.boundingBox())?.height).toBeLessThan(30);
  });
});
