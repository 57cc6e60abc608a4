import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { run } from '../../src/operation.ts';
import { retrieveProjectSettings } from '../../src/projects/settings.ts';
import { aConsole, type Console } from '../support/console.ts';
import { choose, press } from '../support/keyboard.ts';

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
    await press(page, 'Make the invitation');
    const link = await page.getByRole('textbox', { name: 'Invitation' }).inputValue();
    await press(page, 'Done');

    const theirs = await served.open();
    await theirs.goto(link);
    await press(theirs, 'Join');
    await press(theirs, 'Not now');
    await theirs.waitForURL(`${served.address}/console/contacts**`);
    expect(await theirs.getByRole('link', { name: 'Members' }).count()).toBe(0);

    await page.reload();
    await choose(page, 'Actions for heidi@example.com', 'Change roles');
    await page.getByRole('dialog').waitFor();
    await press(page, 'Viewer', 'Space');
    await press(page, 'Save');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await rolesOf(served, 'heidi@example.com')).toEqual(['Analyst', 'Viewer']);

    await choose(page, 'Actions for heidi@example.com', 'Remove');
    await page.getByRole('dialog').waitFor();
    await press(page, 'Remove');
    await page.getByText('heidi@example.com was removed').waitFor();
    await page.locator('h1:focus').waitFor();
    expect(await rolesOf(served, 'heidi@example.com')).toBeUndefined();
    await theirs.reload();
    await theirs.waitForURL(`${served.address}/sign-in`);
  });

  it('who have not joined get a new invitation, and the link of the earlier one is dead', async () => {
    const served = await aConsole();
    const page = await served.signedIn('/console/members');
    await press(page, 'Invite');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('heidi@example.com');
    await press(page, 'Viewer', 'Space');
    await press(page, 'Make the invitation');
    const earlier = await page.getByRole('textbox', { name: 'Invitation' }).inputValue();
    await press(page, 'Done');
    await choose(page, 'Actions for heidi@example.com', 'Make a new invitation');
    await press(page, 'Make the link');
    const later = await page.getByRole('textbox', { name: 'Invitation' }).inputValue();

    const theirs = await served.open();
    await theirs.goto(earlier);
    await press(theirs, 'Join');
    await theirs.getByRole('heading', { name: 'This link cannot be used' }).waitFor();
    await theirs.goto('about:blank');
    await theirs.goto(later);
    await press(theirs, 'Join');
    await theirs.getByRole('heading', { name: 'Welcome to Example Ltd' }).waitFor();
    expect(await rolesOf(served, 'heidi@example.com')).toEqual(['Viewer']);
  });

  it('are told what is wrong beside the field that it is about', async () => {
    const served = await aConsole({ roles: { 'grace@example.com': ['Admin'] } });
    const page = await served.signedIn('/console/members');
    await press(page, 'Invite');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('GRACE@example.com');
    await press(page, 'Viewer', 'Space');
    await press(page, 'Make the invitation');
    await page.getByText('There is a member with this address already').waitFor();
    expect(await page.getByLabel('E-mail address').getAttribute('aria-invalid')).toBe('true');
    await page.keyboard.press('Escape');
    await press(page, 'Discard');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('sees nothing that their roles do not allow', async () => {
    const served = await aConsole({ roles: { 'vic@example.com': ['Viewer'] } });
    const page = await served.signedIn('/console/chatbots', { email: 'vic@example.com' });
    expect(await page.getByRole('navigation').getByRole('link').allInnerTexts()).toEqual([
      'Example Ltd',
      'Chatbots',
      'Account',
    ]);
    expect(await page.getByRole('button', { name: /Create|Actions/ }).count()).toBe(0);
  });

  it('get the project handed over by the Owner alone, who types whom they mean', async () => {
    const served = await aConsole({ roles: { 'grace@example.com': ['Admin'] } });
    const page = await served.signedIn('/console/members');
    await choose(page, 'Actions for grace@example.com', 'Hand the project over');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('grace@example.com');
    await press(page, 'Hand over');
    await page.waitForURL(`${served.address}/sign-in`);
    expect(await rolesOf(served, 'grace@example.com')).toEqual(['Owner']);
    expect(await rolesOf(served, 'ada@example.com')).toEqual(['Admin']);
    expect((await run(retrieveProjectSettings, served.store, operator(served.projectId), {})).output.name).toBe(
      'Example Ltd',
    );
  });
});
