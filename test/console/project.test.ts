import { describe, expect, it } from 'vitest';

import { aConsole } from '../support/console.ts';
import { choose, press } from '../support/keyboard.ts';
import { aContact } from '../support/people.ts';

describe('chatbots and the project, by keyboard', () => {
  it('create, rename and delete a chatbot, by typing that it goes, and count its contacts', async () => {
    const served = await aConsole({ contacts: [aContact({})] });
    const page = await served.signedIn('/console/chatbots');
    await page.getByText('Desk').first().waitFor();
    expect(await page.getByRole('row', { name: 'Desk' }).getByRole('cell').nth(1).innerText()).toBe('1');
    await page.keyboard.press('n');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('Sales');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await choose(page, 'Actions for Sales', 'Edit');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Help  desk');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await choose(page, 'Actions for Help  desk', 'Delete');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('delete');
    await press(page, 'Delete for good');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const chatbots = await served.store.chatbots.list(served.projectId);
    expect(chatbots.map(({ name }) => name)).toEqual(['Desk']);
  });

  it('rename the project', async () => {
    const served = await aConsole();
    const page = await served.signedIn('/console/project');
    const field = page.getByLabel('Project name');
    await field.waitFor();
    await press(page, 'Project name', 'Control+A');
    await page.keyboard.type('Example Group');
    await page.keyboard.press('Enter');
    await page.getByRole('navigation').getByText('Example Group').first().waitFor();
    expect((await served.store.projects.find(served.projectId))?.name).toBe('Example Group');
  });

  it('list the shortcuts by ?, and switch them off and on', async () => {
    const served = await aConsole();
    const page = await served.signedIn('/console/members');
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await press(page, 'Use shortcuts', 'Space');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('k');
    await page.keyboard.press('?');
    expect(page.url()).toBe(`${served.address}/console/members`);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await press(page, 'Shortcuts');
    await press(page, 'Use shortcuts', 'Space');
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('k');
    await page.waitForURL(`${served.address}/console/keys`);
  });
});
