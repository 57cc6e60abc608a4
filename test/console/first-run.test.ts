import { existsSync } from 'node:fs';

import { describe, expect, it, onTestFinished } from 'vitest';

import { openCurrentStore } from '../../src/cli/open.ts';
import { browserOfWorker } from '../support/browser.ts';
import { press } from '../support/keyboard.ts';
import { anInstallation } from '../support/process.ts';

describe.skipIf(process.platform !== 'linux' || !existsSync('/usr/bin/script'))('serve on a terminal', () => {
  it('prints a link that makes the first project and signs its Owner in, by keyboard, with errors beside the fields', async () => {
    await using at = await anInstallation();
    const serving = at.startUnder('/bin/sh', ['-c', `exec script -qec "$0 $* serve" /dev/null`]);
    const [link] = await serving.until(/http:\/\/\S+\/setup#\w+/);
    const context = await (await browserOfWorker()).newContext();
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const sent: string[] = [];
    page.on('request', (request) => void (request.method() === 'POST' && sent.push(request.url())));
    await page.goto(`${new URL(link).origin}/sign-in`);
    await page.getByRole('heading', { name: 'Roster is not set up yet' }).waitFor();
    await page.goto(link.replace('127.0.0.1', 'localhost'));
    await page.locator('input:focus').waitFor();
    expect(await page.locator('input:focus').getAttribute('autocomplete')).toBe('organization');
    // Programs that look at links in messages use nothing up.
    await page.goto(link.replace('127.0.0.1', 'localhost'));
    await page.getByLabel('Project name').waitFor();
    expect(sent.filter((url) => !url.endsWith('/setup/asks'))).toEqual([]);
    expect(page.url()).not.toContain('#');
    await press(page, 'Your e-mail address', 'Control+A');
    await page.keyboard.insertText(`ada@${'example.'.repeat(40)}com`);
    await press(page, 'Project name', 'Control+A');
    await page.keyboard.insertText('x'.repeat(256));
    await page.keyboard.press('Enter');
    const isWrong = (label: string) => page.getByLabel(label).getAttribute('aria-invalid');
    await expect.poll(() => isWrong('Your e-mail address')).toBe('true');
    await press(page, 'Your e-mail address', 'Control+A');
    await page.keyboard.type('ada@example.com');
    await page.keyboard.press('Enter');
    await expect.poll(() => isWrong('Project name')).toBe('true');
    expect(await isWrong('Your e-mail address')).toBe(null);
    await press(page, 'Project name', 'Control+A');
    await page.keyboard.type('Example Ltd');
    await press(page, 'Create project');
    await page.getByRole('heading', { name: 'Welcome to Example Ltd' }).waitFor();
    await press(page, 'Not now');
    await page.waitForURL('**/console');
    await page.getByRole('heading', { name: 'Create a chatbot' }).waitFor();
    await page.goto(link.replace('127.0.0.1', 'localhost'));
    await page.getByRole('heading', { name: 'This link is not valid' }).waitFor();

    await using store = await openCurrentStore(at.databaseUrl);
    const projects = await store.projects.list();
    expect(projects.map(({ name }) => name)).toEqual(['Example Ltd']);
    const { members } = await store.members.list(projects[0]?.id ?? '', {}, 10, 0);
    expect(members).toMatchObject([{ email: 'ada@example.com', roles: ['Owner'] }]);
  });
});
