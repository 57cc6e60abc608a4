import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { createApiKey } from '../../src/api-keys/create.ts';
import { inviteMember } from '../../src/members/invite.ts';
import { run } from '../../src/operation.ts';
import { retrieveProjectSettings } from '../../src/projects/settings.ts';
import { aConsole, type Console } from '../support/console.ts';
import { addPasskey, choose, press } from '../support/keyboard.ts';

const rolesOf = async ({ store, projectId }: Console, email: string) => {
  const { members } = await store.members.list(projectId, { email }, 1, 0);
  return members[0]?.roles;
};

describe('the members of a project, by keyboard', () => {
  it('are invited by a link that lets them in, get other roles and are removed', async () => {
    const served = await aConsole();
    const page = await served.signedIn('/console/members');
    await page.getByRole('button', { name: 'Invite' }).waitFor();
    await page.keyboard.press('n');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('heidi@example.com');
    await press(page, 'Analyst', 'Space');
    await press(page, 'Create invitation');
    const link = await page.getByRole('textbox', { name: 'Invitation' }).inputValue();
    await page.getByText('This link works on this machine only.').waitFor();
    await press(page, 'Done');
    await page.getByRole('row', { name: 'heidi@example.com' }).getByText('expires in 7 days').waitFor();

    const theirs = await served.open();
    await theirs.goto(link);
    await press(theirs, 'Join');
    await press(theirs, 'Not now');
    await theirs.waitForURL(`${served.address}/console`);
    expect(await theirs.getByRole('link', { name: 'Members' }).count()).toBe(0);

    await page.reload();
    const row = page.getByRole('row', { name: 'heidi@example.com' });
    await row.getByText('just now').waitFor();
    await row.getByText('Links only').waitFor();
    await choose(page, 'Actions for heidi@example.com', 'Change roles');
    await page.getByRole('dialog').waitFor();
    await press(page, 'Viewer', 'Space');
    await press(page, 'Save');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await rolesOf(served, 'heidi@example.com')).toEqual(['Analyst', 'Viewer']);

    await choose(page, 'Actions for heidi@example.com', 'Remove');
    await page.getByRole('dialog').waitFor();
    await press(page, 'Remove');
    await page.getByText('heidi@example.com removed').waitFor();
    await page.locator('h1:focus').waitFor();
    expect(await rolesOf(served, 'heidi@example.com')).toBeUndefined();
    await theirs.reload();
    await theirs.waitForURL(`${served.address}/sign-in`);
  });

  it('take along what they made when they go, named before, unless it is kept', async () => {
    const served = await aConsole({ roles: { 'grace@example.com': ['Admin'] } });
    const { store, projectId } = served;
    const id = await served.memberId('grace@example.com');
    const actor = { ...operator(projectId), type: 'member', id } as const;
    const { key } = (await run(createApiKey, store, actor, { name: 'CRM sync' })).output;
    await run(inviteMember, store, actor, { email: 'heidi@example.com', roles: ['Agent'] });
    const page = await served.signedIn('/console/keys');
    await page.getByRole('row', { name: /CRM sync.*grace@example\.com/ }).waitFor();
    await page.goto(`${served.address}/console/members`);
    await choose(page, 'Actions for grace@example.com', 'Change roles');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await press(page, 'Viewer', 'Space');
    await press(page, 'Admin', 'Space');
    await dialog.getByText('Key CRM sync: revoked').waitFor();
    await dialog.getByText('Invitation of heidi@example.com: withdrawn').waitFor();
    await press(page, 'Keep these', 'Space');
    await press(page, 'Save');
    await dialog.waitFor({ state: 'detached' });
    expect((await store.apiKeys.find(projectId, key.id))?.revoked_at).toBeNull();
    await choose(page, 'Actions for grace@example.com', 'Remove');
    await dialog.getByText('Key CRM sync: revoked').waitFor();
    await press(page, 'Remove');
    await page.getByText('grace@example.com removed').waitFor();
    expect((await store.apiKeys.find(projectId, key.id))?.revoked_at).not.toBeNull();
    expect(await rolesOf(served, 'heidi@example.com')).toBeUndefined();
  });

  it('are signed out everywhere, with their passkeys', async () => {
    const served = await aConsole({ roles: { 'grace@example.com': ['Admin'] } });
    const theirs = await served.signedIn('/console/account', { email: 'grace@example.com' });
    await addPasskey(theirs);
    const page = await served.signedIn('/console/members');
    await choose(page, 'Actions for grace@example.com', 'Sign out everywhere');
    await page.getByRole('dialog').waitFor();
    await press(page, 'Also remove their passkeys', 'Space');
    await press(page, 'Sign out');
    await page.getByText('grace@example.com signed out').waitFor();
    await theirs.reload();
    await theirs.waitForURL(`${served.address}/sign-in`);
    await press(theirs, 'Sign in with a passkey');
    await theirs.getByText('This passkey was not accepted').waitFor();
    const id = await served.memberId('grace@example.com');
    expect(await served.store.signIn.listPasskeys(served.projectId, id)).toEqual([]);
  });

  it('are told what is wrong beside the field that it is about', async () => {
    const served = await aConsole({ roles: { 'grace@example.com': ['Admin'] } });
    const page = await served.signedIn('/console/members');
    await press(page, 'Invite');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('GRACE@example.com');
    await press(page, 'Viewer', 'Space');
    await press(page, 'Create invitation');
    await page.getByText('This address already belongs to a member').waitFor();
    expect(await page.getByLabel('E-mail address').getAttribute('aria-invalid')).toBe('true');
    await page.keyboard.press('Escape');
    await press(page, 'Discard');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('get the project handed over by the Owner alone, who types whom they mean', async () => {
    const served = await aConsole({ roles: { 'grace@example.com': ['Admin'] } });
    const page = await served.signedIn('/console/members');
    await choose(page, 'Actions for grace@example.com', 'Transfer ownership');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('grace@example.com');
    await press(page, 'Transfer');
    await page.waitForURL(`${served.address}/sign-in`);
    expect(await rolesOf(served, 'grace@example.com')).toEqual(['Owner']);
    expect(await rolesOf(served, 'ada@example.com')).toEqual(['Admin']);
    expect((await run(retrieveProjectSettings, served.store, operator(served.projectId), {})).output.name).toBe(
      'Example Ltd',
    );
  });
});
