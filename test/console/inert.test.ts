import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { contactDetailNames, furtherDetailNames } from '../../src/contacts/contact.ts';
import { run } from '../../src/operation.ts';
import { updateProjectSettings } from '../../src/projects/settings.ts';
import { aConsole, type Page } from '../support/console.ts';
import { addPasskey } from '../support/keyboard.ts';
import { aContact, createApiKey, createChatbot } from '../support/people.ts';

/** The address of a script, and markup. */
const text = 'javascript:globalThis.hit=1//"><img src=x onerror="hit=1"><script>globalThis.hit=1</script>';

/** What came of it: a script that ran, an element that is none of ours, a link that leads to no page. */
const harmIn = (page: Page) =>
  page.evaluate<string[]>(`(() => [
    ...('hit' in globalThis ? ['a script ran'] : []),
    ...[...document.querySelectorAll('img, body script:not([src]), iframe, object')].map((one) => one.outerHTML),
    ...[...document.links].filter(({ href }) => !/^(https?|mailto|tel):/.test(href)).map(({ href }) => href),
  ])()`);

describe('markup and the address of a script', () => {
  it('do nothing in any field of a person, in the list and on its page', async () => {
    const lengths: Record<string, number> = { postal_code: 60, phone: 60 };
    const names = [...contactDetailNames, ...furtherDetailNames, 'external_id'];
    const texts = Object.fromEntries(names.map((name) => [name, text.slice(0, lengths[name] ?? 200)]));
    const tags = [text.slice(0, 40).toLowerCase()];
    const at = await aConsole({ contacts: [aContact({ ...texts, id: 'x', tags, attributes: { plan: text } })] });
    const page = await at.signedIn('/console/contacts');
    await page.locator('.people-rows .people-row').waitFor();
    await page.getByText(text.slice(0, 40)).first().waitFor();
    expect(await harmIn(page)).toEqual([]);
    await page.locator('.people-rows .people-row').press('Enter');
    await page.locator('.history li').first().waitFor();
    expect(await page.locator('main').innerText()).toContain(text.slice(0, 40));
    expect(await harmIn(page)).toEqual([]);
  });

  it('do nothing as a name of a project, chatbot, key or passkey, or in a file', async () => {
    const at = await aConsole();
    const { store, projectId } = at;
    await run(updateProjectSettings, store, operator(projectId), { name: text });
    await createChatbot(store, projectId, { name: text });
    await createApiKey(store, projectId, { name: text });
    const page = await at.signedIn('/console/account');
    await addPasskey(page, text);
    await page.getByRole('listitem').getByText(text).waitFor();
    const seen = async () => {
      await page.locator('main').getByText(text).first().waitFor();
      expect(await page.getByRole('navigation').first().innerText()).toContain(text);
      expect(await harmIn(page)).toEqual([]);
    };
    await seen();
    for (const [key, name] of [
      ['b', 'Chatbots'],
      ['k', 'Keys'],
    ] as const) {
      await page.keyboard.press('g');
      await page.keyboard.press(key);
      await page.getByRole('heading', { name, level: 1 }).waitFor();
      await seen();
    }
    await page.keyboard.press('g');
    await page.keyboard.press('i');
    const heading = text.replaceAll('"', '');
    const buffer = Buffer.from(`name,${heading}\n${text.replaceAll(/["\n]/g, '')},x\n`);
    await page.locator('input[type=file]').setInputFiles({ name: `${text}.csv`, mimeType: '', buffer });
    await page.getByRole('heading', { name: 'Preview' }).waitFor();
    expect(await page.locator('main').innerText()).toContain(heading);
    expect(await harmIn(page)).toEqual([]);
  });
});
