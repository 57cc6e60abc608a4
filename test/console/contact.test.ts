import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { contactDetailNames, furtherDetailNames } from '../../src/contacts/contact.ts';
import { updateContact } from '../../src/contacts/update.ts';
import { run } from '../../src/operation.ts';
import { violationsIn } from '../support/axe.ts';
import { aConsole } from '../support/console.ts';
import { manyContacts } from '../support/many-contacts.ts';
import { aContact } from '../support/people.ts';

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

  it('does nothing that its fields say, in the list and on its page', async () => {
    const script = '"><img src=x onerror="globalThis.hit=1"><script>globalThis.hit=1</script>';
    const names = [...contactDetailNames, ...furtherDetailNames, 'external_id'].filter((name) => name !== 'website');
    const texts = Object.fromEntries(
      names.map((name) => [name, script.slice(0, name === 'postal_code' || name === 'phone' ? 60 : 200)]),
    );
    const person = aContact({
      ...texts,
      id: 'x',
      tags: [script.slice(0, 40).toLowerCase()],
      attributes: { plan: script },
    });
    const at = await aConsole({ contacts: [person] });
    const page = await at.signedIn('/console/contacts');
    await page.click('button:has-text("Show addresses")');
    await page.waitForSelector(rows);
    await page.goto(`${at.address}/console/contacts/${at.chatbotId}/x`);
    await page.waitForSelector('.history li');
    expect(await page.evaluate("'hit' in globalThis || document.querySelector('main img, main script') !== null")).toBe(
      false,
    );
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
});
