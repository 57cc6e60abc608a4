import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { violationsIn } from '../support/axe.ts';
import { aConsole, type Page } from '../support/console.ts';
import { press } from '../support/keyboard.ts';

const peopleFile = (count: number) =>
  ['Name,E-mail', ...Array.from({ length: count }, (_, index) => `Person ${index},person${index}@example.com`)].join(
    '\n',
  );

const fileOf = (text: string) => ({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });

/** From the button before it: the navigation has a link of this name. */
async function importNow(page: Page): Promise<void> {
  await press(page, 'Check file', 'Tab');
  expect(await page.locator(':focus').innerText()).toMatch(/^Import .*into Desk$/);
  await page.keyboard.press('Enter');
}

async function anImportPage() {
  const served = await aConsole();
  const page = await served.signedIn('/console/import');
  const count = () => served.store.contacts.count(served.projectId, [served.chatbotId]);
  return {
    ...served,
    page,
    count,
    ended: () => page.getByRole('heading', { name: 'Result', exact: true }).waitFor(),
  };
}

describe('an import on the page', () => {
  it('is done by keyboard alone: a file is chosen, mapped, checked and imported, and the rejects are downloaded', async () => {
    const { page, count, ended } = await anImportPage();
    const asked = page.waitForEvent('filechooser');
    await press(page, 'Drop a file here or choose one', 'Enter');
    const text = 'Callname,Birthname,Mail\nAna,Ferreira,ana@example.com\nBo,,bo at example.com\n';
    await (await asked).setFiles(fileOf(text));
    await press(page, 'Use Callname and Birthname for name');
    await press(page, 'Field of Mail', 'e');
    await page.locator('.import-person', { hasText: 'ana@example.com' }).waitFor();
    await press(page, 'Check file');
    await page.getByRole('heading', { name: 'Check: nothing was stored' }).waitFor();
    expect(await count()).toBe(0);
    await importNow(page);
    await ended();
    expect(await violationsIn(page, 'main')).toEqual([]);
    const coming = page.waitForEvent('download');
    await press(page, 'Download 1 rejected row');
    expect(readFileSync(await (await coming).path(), 'utf8')).toContain('bo at example.com');
    expect(await count()).toBe(1);
  });

  it('takes a file that is dropped on the page', async () => {
    const { page, count, ended } = await anImportPage();
    await page.locator('.drop').waitFor();
    await page.evaluate(`(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([${JSON.stringify(peopleFile(2))}], 'dropped.csv'));
      for (const type of ['dragover', 'drop']) {
        const event = new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer });
        document.querySelector('.drop').dispatchEvent(event);
      }
    })()`);
    await page.getByText('dropped.csv').first().waitFor();
    await importNow(page);
    await ended();
    expect(await count()).toBe(2);
  });

  it('is stopped between two requests, says what is stored, and is finished later with nobody twice', async () => {
    const { page, count, ended } = await anImportPage();
    let calls = 0;
    await page.route(/\/contacts\/import\?/, async (route) => {
      calls += 1;
      if (calls === 1) await page.getByRole('button', { name: 'Stop' }).press('Enter');
      await route.continue();
    });
    await page.locator('input[type=file]').setInputFiles(fileOf(peopleFile(3_000)));
    await importNow(page);
    await page.getByText(/Stopped after [\d,]+ rows/).waitFor();
    const stored = await count();
    expect(stored).toBeGreaterThan(0);
    expect(stored).toBeLessThan(3_000);
    const shown = await page.getByText(/Stopped after/).innerText();
    expect(shown).toContain(`${stored} created`);
    await importNow(page);
    await ended();
    await page.getByText('Stopped after').waitFor({ state: 'detached' });
    await expect.poll(count).toBe(3_000);
  });

  it('goes on while somebody looks at other pages, and its outcome is there when they come back', async () => {
    const { page, count, ended } = await anImportPage();
    const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>();
    await page.route(/\/contacts\/import\?/, async (route) => {
      await mayGoOn;
      await route.continue();
    });
    await page.locator('input[type=file]').setInputFiles(fileOf(`${peopleFile(30)}\nBo,bo at example.com`));
    await importNow(page);
    await page.getByText('You can use other pages meanwhile').waitFor();
    await page.getByRole('link', { name: 'Members' }).press('Enter');
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
    goOn();
    await page.locator('.toast:has-text("The import into Desk has finished")').waitFor();
    await page.getByRole('link', { name: 'Import' }).press('Enter');
    await ended();
    await page.getByRole('button', { name: 'Download 1 rejected row' }).waitFor();
    expect(await count()).toBe(30);
  });

  it('goes on after a lost answer, a lost connection and a busy server, with nobody twice', async () => {
    const { page, count, ended } = await anImportPage();
    let calls = 0;
    await page.route(/\/contacts\/import\?/, async (route) => {
      calls += 1;
      // The rows are stored, and nobody is told.
      if (calls === 1) {
        await route.fetch();
        return route.abort('connectionreset');
      }
      if (calls === 2) return route.abort('connectionrefused');
      if (calls === 3) {
        const json = { status: 'error', code: 'unavailable', message: 'not now', request_id: 'x' };
        return route.fulfill({ status: 503, headers: { 'retry-after': '1' }, json });
      }
      return route.continue();
    });
    await page.clock.install();
    await page.locator('input[type=file]').setInputFiles(fileOf(peopleFile(30)));
    await importNow(page);
    await expect.poll(() => page.clock.runFor(1_000).then(() => calls)).toBe(4);
    await ended();
    await page.getByText('The connection was lost once').waitFor();
    expect(await count()).toBe(30);
  });
});
