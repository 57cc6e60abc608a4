import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { mergeContacts } from '../../src/contacts/merging/merge.ts';
import { updateContact } from '../../src/contacts/update.ts';
import { run } from '../../src/operation.ts';
import { aConsole, rows } from '../support/console.ts';
import { press } from '../support/keyboard.ts';
import { manyContacts } from '../support/many-contacts.ts';
import { aContact, createChatbot, storeContacts } from '../support/people.ts';

const known = {
  company: 'Acme',
  job_title: 'Head of support',
  tags: ['vip', 'newsletter'],
  attributes: { plan: 'gold' },
};

describe('a contact', () => {
  it('on a phone tells on its first screen who it is, how to reach them, their tags and the first that is known', async () => {
    const at = await aConsole({ contacts: [aContact({ id: 'ana', ...known })] });
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
    const page = await at.signedIn(`/console/contacts/${at.chatbotId}/ana`, phone);
    const bar = (await page.locator('nav.bottom').boundingBox())?.y ?? 0;
    const first = ['h1', 'a[href="tel:+15550100"]', 'a[href="mailto:ana@example.com"]', 'li:has-text("vip")'];
    for (const seen of [...first, '[data-field="job_title"]']) {
      const box = await page.locator(seen).boundingBox();
      expect([seen, (box?.y ?? 0) + (box?.height ?? 0) < bar]).toEqual([seen, true]);
    }
    expect(await page.getByText('Not known').count()).toBe(0);
    await page.getByRole('button', { name: 'Show 9 empty fields' }).tap();
    expect(await page.getByText('Not known').count()).toBe(9);
  });

  it('shows a company without a name once, and where else the person is known', async () => {
    const company = { name: null, company: 'Acme', phone: null };
    const at = await aConsole({ contacts: [aContact({ id: 'c0', ...company })] });
    const returns = await createChatbot(at.store, at.projectId, { name: 'Returns' });
    await storeContacts(at.store, at.projectId, returns.id, [aContact({ id: 'other', email: 'ANA@example.com' })]);
    const page = await at.signedIn(`/console/contacts/${at.chatbotId}/c0`);
    await page.waitForSelector('h1:has-text("Acme")');
    expect(await page.getByText('Acme').count()).toBe(1);
    await page.click('.also-in a:has-text("Returns")');
    await page.waitForSelector('h1:has-text("Ana Lucía Ferreira")');
    await page.waitForSelector('.also-in a:has-text("Desk")');
  });

  it('gets a tag and an attribute by keyboard, and keeps the place of the keyboard', async () => {
    const bo = aContact({ id: 'bo', tags: ['q4-review'] });
    const at = await aConsole({ contacts: [aContact({ id: 'ana', ...known }), bo] });
    const page = await at.signedIn(`/console/contacts/${at.chatbotId}/ana`);
    await press(page, 'Add tag');
    await page.waitForSelector('.tags-line .combobox');
    await page.keyboard.type('Q4');
    // Before anything is typed, all tags are suggested.
    await expect
      .poll(() => page.locator('[role=option]').allInnerTexts())
      .toEqual([expect.stringMatching('q4-review')]);
    await page.keyboard.press('ArrowDown');
    await page.waitForSelector('[role=option][data-highlighted]');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.tags-line li.badge:has-text("q4-review")');
    await page.keyboard.press('Escape');
    await press(page, 'Add attribute');
    await page.keyboard.type('seats');
    await page.getByLabel('Kind').selectOption('number');
    await page.getByLabel('Value').fill('3');
    await page.keyboard.press('Enter');
    await page.waitForSelector('[data-field="attributes.seats"]:has-text("3")');
    expect(await page.locator(':focus').innerText()).toBe('Add attribute');
    expect(await at.store.contacts.findWhole(at.projectId, at.chatbotId, 'ana')).toMatchObject({
      tags: ['newsletter', 'q4-review', 'vip'],
      attributes: { plan: 'gold', seats: 3 },
    });
  });

  it('is edited in place by keyboard, with the errors of the interface, and a change of others is shown first', async () => {
    const at = await aConsole({ contacts: manyContacts(1) });
    const page = await at.signedIn(`/console/contacts/${at.chatbotId}/c0`);
    await page.waitForSelector('h1:has-text("Person 00000")');
    await page.locator('[data-field="email"] button').first().focus();
    await page.keyboard.press('e');
    await page.keyboard.type('nobody');
    await page.keyboard.press('Enter');
    await page.waitForSelector('[data-field="email"] .danger');
    await page.keyboard.press('Escape');
    expect(await page.textContent('[data-field="email"]')).toContain('person0@example.com');
    const change = { chatbotId: at.chatbotId, contactId: 'c0', properties: { city: 'Lisbon' } };
    await page.keyboard.press('e');
    await run(updateContact, at.store, operator(at.projectId), change);
    await page.keyboard.type('ana@example.com');
    await page.keyboard.press('Enter');
    await page.waitForSelector('dialog:has-text("Lisbon")');
    await page.locator('dialog button:has-text("Save mine")').press('Enter');
    await page.waitForSelector('[data-field="email"] a:has-text("ana@example.com")');
    expect(await page.textContent('[data-field="city"]')).toContain('Lisbon');
    await page.waitForSelector('.history:has-text("Changed e-mail"):has-text("ada@example.com")');
    expect(await page.title()).toBe('Contact · Roster');
  });

  it('goes to the bin and comes back from it', async () => {
    const at = await aConsole({ contacts: manyContacts(2) });
    const page = await at.signedIn(`/console/contacts/${at.chatbotId}/c0`);
    await page.getByRole('button', { name: 'Delete', exact: true }).press('Enter');
    await page.waitForSelector('.toast:has-text("moved to the bin")');
    await page.goto(`${at.address}/console/contacts?chatbot=${at.chatbotId}&state=deleted`);
    await page.locator(rows).first().press('Enter');
    await page.locator('button:has-text("Restore")').press('Enter');
    await page.getByRole('button', { name: 'Delete', exact: true }).waitFor();
    expect(await at.store.contacts.find(at.projectId, at.chatbotId, 'c0')).toBeDefined();
  });

  it('that was merged leads to the one that stays, which tells who was merged into it, and gives them back', async () => {
    const at = await aConsole({ contacts: manyContacts(2) });
    const merge = { chatbotId: at.chatbotId, contactId: 'c1', from: ['c0'] };
    await run(mergeContacts, at.store, operator(at.projectId), merge);
    const page = await at.signedIn(`/console/contacts/${at.chatbotId}/c0`);
    await page.getByRole('link', { name: 'Open the contact that stays' }).press('Enter');
    await page.waitForSelector('h1:has-text("Person 00001")');
    expect(new URL(page.url()).pathname).toBe(`/console/contacts/${at.chatbotId}/c1`);
    await page.waitForSelector('.history:has-text("Merged with a duplicate")');
    await page.click('section:has-text("Merged into this contact"):has-text("Person 00000") button:has-text("Undo")');
    await page.waitForSelector('.toast:has-text("The merge was undone")');
    await page.waitForSelector('text=Merged into this contact', { state: 'detached' });
    await page.waitForSelector('.history:has-text("Merge undone")');
    expect(await at.store.contacts.find(at.projectId, at.chatbotId, 'c0')).toBeDefined();
  });
});
