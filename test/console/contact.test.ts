import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { mergeContacts } from '../../src/contacts/merging/merge.ts';
import { updateContact } from '../../src/contacts/update.ts';
import { run } from '../../src/operation.ts';
import { violationsIn } from '../support/axe.ts';
import { aConsole } from '../support/console.ts';
import { manyContacts } from '../support/many-contacts.ts';

const rows = '.people-rows .people-row';

describe('a contact', () => {
  it('is edited in place by keyboard, with the errors of the interface, and a change of others is shown first', async () => {
    const at = await aConsole({ contacts: manyContacts(1) });
    const page = await at.signedIn(`/console/contacts/${at.chatbotId}/c0`);
    await page.waitForSelector('h1:has-text("Person 00000")');
    await page.locator('[data-field="email"] button').first().focus();
    await page.keyboard.press('e');
    await page.keyboard.type('nobody');
    await page.keyboard.press('Enter');
    await page.waitForSelector('[data-field="email"] .field-error');
    await page.keyboard.press('Escape');
    expect(await page.textContent('[data-field="email"]')).toContain('person0@example.com');
    const change = { chatbotId: at.chatbotId, contactId: 'c0', properties: { city: 'Lisbon' } };
    await run(updateContact, at.store, operator(at.projectId), change);
    await page.keyboard.press('e');
    await page.keyboard.type('ana@example.com');
    await page.keyboard.press('Enter');
    await page.waitForSelector('dialog:has-text("Lisbon")');
    await page.locator('dialog button:has-text("Save mine")').press('Enter');
    await page.waitForSelector('[data-field="email"] button:has-text("ana@example.com")');
    expect(await page.textContent('[data-field="city"]')).toContain('Lisbon');
    await page.waitForSelector('.history:has-text("Changed email")');
    expect(await page.title()).toBe('Contact · Roster');
    expect(await violationsIn(page)).toEqual([]);
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

  it('that was merged leads to the one that stays', async () => {
    const at = await aConsole({ contacts: manyContacts(2) });
    const merge = { chatbotId: at.chatbotId, contactId: 'c1', from: ['c0'] };
    await run(mergeContacts, at.store, operator(at.projectId), merge);
    const page = await at.signedIn(`/console/contacts/${at.chatbotId}/c0`);
    await page.getByRole('link', { name: 'Open the contact that stays' }).press('Enter');
    await page.waitForSelector('h1:has-text("Person 00001")');
    expect(new URL(page.url()).pathname).toBe(`/console/contacts/${at.chatbotId}/c1`);
  });
});
