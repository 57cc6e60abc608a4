import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import type { NewEvent } from '../../src/events/event.ts';
import { at } from '../support/clock.ts';
import { aConsole, type Page } from '../support/console.ts';
import { createChatbot } from '../support/people.ts';

const day = 24 * 3_600_000;
const noonYesterday = new Date(new Date().setHours(12, 0, 0, 0) - day);
const grace = 'grace@example.com';

/** What Grace did yesterday among others, and what happened since. */
async function aBusyConsole() {
  const served = await at(new Date(noonYesterday.getTime() - 3 * day), () =>
    aConsole({ roles: { [grace]: ['Admin'] } }),
  );
  const { store, projectId, chatbotId, keyId } = served;
  const graceId = await served.memberId(grace);
  const did = (who: { type: 'member' | 'key' | 'operator'; id: string }, requestId: string, ...changes: NewEvent[]) =>
    store.write({ ...who, projectId, scopes: 'all', requestId }, async () => ({ output: undefined, changes }));
  const asGrace = { type: 'member', id: graceId } as const;
  const about = { chatbot_id: chatbotId };
  await at(noonYesterday, async () => {
    await did(asGrace, 'one', { ...about, type: 'contact.updated', contact_id: 'c0', changed: ['company', 'phone'] });
    await did(asGrace, 'two', { type: 'key.rotated', key_id: keyId, changed: ['expires_at', 'replaced_by'] });
    await did(asGrace, 'three', { type: 'member.updated', member_id: graceId, changed: ['sign_in_link'] });
    for (const id of ['c1', 'c2']) {
      await did({ type: 'key', id: keyId }, id, { ...about, type: 'contact.deleted', contact_id: id });
    }
  });
  for (let batch = 0; batch < 50; batch++) {
    const ids = Array.from({ length: 1_000 }, (_, index) => `import-${batch}-${index}`);
    await did(asGrace, `batch ${batch}`, { ...about, type: 'contact.created', contact_ids: ids });
  }
  return { ...served, did, asGrace, about };
}

const lines = (page: Page) => page.locator('.activity-line .item-text').allInnerTexts();

describe('the activity of a project', () => {
  it("shows yesterday's changes of one colleague after three clicks, and tells what they were", async () => {
    const served = await aBusyConsole();
    const page = await served.signedIn('/console/account');
    await page.getByRole('navigation').first().getByRole('link', { name: 'Activity' }).click();
    await page.getByRole('button', { name: 'Yesterday' }).click();
    await page.getByRole('button', { name: grace }).first().click();
    await expect.poll(() => lines(page)).toEqual([`${grace} changed a contact in Desk: company, phone Show`]);
    expect(page.url()).not.toContain(encodeURIComponent(grace));
    await page.reload();
    await expect.poll(() => lines(page)).toHaveLength(1);
    await page.getByRole('link', { name: 'Security' }).click();
    await expect
      .poll(() => lines(page))
      .toEqual([`${grace} created a sign-in link for ${grace}`, `${grace} rotated the key test`]);
  });

  it('tells one change of the contacts of several chatbots as one line', async () => {
    const { did, asGrace, about, ...served } = await aBusyConsole();
    const { id } = await createChatbot(served.store, served.projectId, { name: 'Returns' });
    const type = 'contact.updated';
    await did(asGrace, 'desk', { ...about, type, contact_ids: ['a', 'b'] });
    await did(asGrace, 'returns', { type, chatbot_id: id, contact_ids: ['a', 'c'] });
    const page = await served.signedIn('/console/activity');
    await expect.poll(async () => (await lines(page))[0]).toBe(`${grace} changed 4 contacts in 2 chatbots`);
  });

  it('tells an import as one line, goes on to the beginning, and shows what comes', async () => {
    const served = await aBusyConsole();
    const page = await served.signedIn('/console/activity');
    const all = [
      `${grace} imported 50,000 contacts into Desk`,
      'test moved 2 contacts in Desk to the bin\nEach of them',
      `${grace} changed a contact in Desk: company, phone Show`,
    ];
    await expect.poll(async () => (await lines(page)).slice(0, 3)).toEqual(all);
    await expect.poll(async () => (await lines(page)).at(-1)).toBe('Command line created the project');
    await page.getByText('Each of them').click();
    await page.locator('.activity-line details a').first().click();
    await page.waitForURL(`${served.address}/console/contacts/${served.chatbotId}/c2`);
    await page.goBack();
    await served.did({ type: 'operator', id: 'cli:ana' }, 'later', { type: 'project.updated', changed: ['name'] });
    await expect.poll(async () => (await lines(page))[0]).toBe('ana (command line) changed the project: name');
  });

  it('gives what is filtered as a file, a line for each event', async () => {
    const served = await aBusyConsole();
    const page = await served.signedIn('/console/activity?kind=contacts');
    await expect.poll(() => lines(page)).toHaveLength(3);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    const rows = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\n');
    expect(rows[0]).toMatch(/^occurred_at,who,what,type,count,changed,/);
    expect(rows).toHaveLength(54);
    expect(rows[52]).toContain(`,test,moved a contact in Desk to the bin,contact.deleted,`);
    expect(rows[53]).toContain(
      `,${grace},"changed a contact in Desk: company, phone",contact.updated,,"company,phone",`,
    );
  });
});
