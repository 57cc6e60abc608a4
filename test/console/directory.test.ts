import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { updateContact } from '../../src/contacts/update.ts';
import { run } from '../../src/operation.ts';
import { aConsole, type Page, rows } from '../support/console.ts';
import { manyContacts } from '../support/many-contacts.ts';
import { aContact, createChatbot, storeContacts } from '../support/people.ts';

const search = 'input[aria-label="Search contacts"]';
const selected = '.is-selection strong';

/** Clicks, and how many there were. */
function aMouse(page: Page) {
  const mouse = {
    clicks: 0,
    on: async (selector: string) => {
      mouse.clicks++;
      await page.click(selector);
    },
  };
  return mouse;
}

/** A console with the chatbots Desk and Returns. */
async function twoChatbots(given: Parameters<typeof aConsole>[0], inReturns: ReturnType<typeof manyContacts>) {
  const at = await aConsole(given);
  const { id } = await createChatbot(at.store, at.projectId, { name: 'Returns' });
  await storeContacts(at.store, at.projectId, id, inReturns);
  return { at, returnsId: id };
}

describe('the contacts of all chatbots', () => {
  it('are one list, in which keys that are faster than the answers find a person without a click', async () => {
    const ana = aContact({ id: 'ana', name: 'Ana Ruiz', phone: '+1 555 0142' });
    const { at, returnsId } = await twoChatbots({ contacts: manyContacts(3) }, [ana]);
    const page = await at.signedIn('/console/contacts');
    await page.waitForSelector(`${rows}:has-text("Returns"):has-text("Ana Ruiz")`);
    expect(await page.locator(rows).count()).toBe(4);
    await page.keyboard.press('/');
    await page.keyboard.type('ana');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.waitForSelector('h1:has-text("Ana Ruiz")');
    await page.waitForSelector('main:has-text("+1 555 0142")');
    expect(page.url()).toContain(returnsId);
  });

  it('are narrowed by chips, of which the address keeps those that tell nothing about anybody', async () => {
    const people = [
      aContact({ id: 'a', name: 'A', company: 'Nordwind', tags: ['vip'], attributes: { seats: 3 } }),
      aContact({ id: 'b', name: 'B', company: 'Nordwind', email: 'b@example.com' }),
    ];
    const { at } = await twoChatbots({ contacts: people }, [aContact({ id: 'a', name: 'C', tags: ['vip'] })]);
    const page = await at.signedIn('/console/contacts');
    await page.waitForSelector('.people-status:has-text("3 contacts")');
    const filter = async (field: string, value: string) => {
      await page.click('button:has-text("Filter")');
      await page.getByLabel('Field').selectOption(field);
      await page.getByRole('combobox', { name: 'Value' }).fill(value);
      await page.keyboard.press('Enter');
    };
    await filter('Tag', 'VIP');
    await page.waitForSelector('.people-status:has-text("2 contacts found")');
    await page.click('button:has-text("Filter")');
    await page.getByLabel('Field').selectOption('Company');
    await page.getByRole('combobox', { name: 'Value' }).fill('nord');
    await page.getByRole('option', { name: 'Nordwind 2' }).click();
    await page.waitForSelector('.people-status:has-text("1 contact found")');
    expect(new URL(page.url()).search).toBe('?tag=vip');
    expect(
      await page.evaluate('JSON.stringify([history.state, { ...localStorage }, { ...sessionStorage }])'),
    ).not.toMatch(/nordwind/i);
    await page.waitForSelector('.people-status:has-text("does not keep every filter")');
    await page.reload();
    await page.waitForSelector('.people-status:has-text("2 contacts found")');
    await page.click('[aria-label="Remove the filter Tag vip"]');
    await page.waitForSelector('.people-status:has-text("3 contacts")');
    await page.getByLabel('Chatbot').selectOption('Returns');
    await page.waitForSelector('.people-status:has-text("1 contact")');
  });

  it('are a press away where the chatbot of the address is gone', async () => {
    const at = await aConsole({ contacts: manyContacts(3) });
    const page = await at.signedIn('/console/contacts?chatbot=gone');
    await page.click('button:has-text("Show all chatbots")');
    await page.waitForSelector('.people-status:has-text("3 contacts")');
    expect(new URL(page.url()).search).toBe('');
  });

  it('are counted, and what the address keeps is exported in three clicks', async () => {
    const { at } = await twoChatbots({ contacts: manyContacts(150) }, manyContacts(3));
    const page = await at.signedIn('/console/contacts');
    await page.waitForSelector('.people-status:has-text("153 contacts")');
    const mouse = aMouse(page);
    await mouse.on('button:has-text("Filter")');
    await page.waitForSelector('.people-popup input:focus');
    await page.keyboard.type('vip');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.people-status:has-text("51 contacts found")');
    await mouse.on('button:has-text("Export")');
    const coming = page.waitForEvent('download');
    await mouse.on('dialog button:has-text("Export")');
    const [head, ...lines] = readFileSync(await (await coming).path(), 'utf8')
      .trim()
      .split('\n');
    expect(head).toMatch(/^chatbot_id,id,name/);
    expect([lines.length, new Set(lines.map((line) => line.split(',')[0])).size]).toEqual([51, 2]);
    expect(mouse.clicks).toBe(3);
  });
});

describe('many contacts at once', () => {
  it('are twelve people whose company is changed in five clicks, and changed back', async () => {
    const twelve = Array.from({ length: 12 }, (_, index) =>
      aContact({
        id: `n${index}`,
        name: `N ${index}`,
        company: index % 2 === 0 ? 'Nordwind' : 'NORDWIND',
        city: 'Bonn',
      }),
    );
    const { at } = await twoChatbots({ contacts: manyContacts(3) }, twelve);
    const page = await at.signedIn('/console/contacts');
    const mouse = aMouse(page);
    await mouse.on(search);
    await page.keyboard.type('nordwind');
    await page.waitForSelector('.people-status:has-text("12 contacts found")');
    await mouse.on('.people-head .people-pick label');
    await mouse.on('button:has-text("Edit a field")');
    await page.getByRole('combobox', { name: 'New value' }).fill('Nordwind GmbH');
    await page.waitForSelector('.edit-preview p:has-text("Nordwind → Nordwind GmbH") >> nth=0');
    expect(await page.locator('.edit-preview p').count()).toBe(4);
    await mouse.on('dialog button:has-text("Save")');
    await page.waitForSelector('.toast:has-text("Set Company for 12 contacts")');
    expect(mouse.clicks).toBeLessThanOrEqual(5);
    expect(new Set(await page.locator('.people-company').allInnerTexts())).toEqual(new Set(['Nordwind GmbH']));
    await page.click('.toast button:has-text("Undo")');
    await page.waitForSelector('.toast:has-text("Undone")');
    await expect
      .poll(async () => new Set(await page.locator('.people-company').allInnerTexts()))
      .toEqual(new Set(['Nordwind', 'NORDWIND']));
  });

  it('have the name and the number again that they had, whatever parts and words were written over them', async () => {
    const ana = aContact({ id: 'ana', name: 'Ana Ruiz', attributes: { seats: 3 } });
    const at = await aConsole({ contacts: [ana] });
    const page = await at.signedIn('/console/contacts');
    const found = () => at.store.contacts.findWhole(at.projectId, at.chatbotId, 'ana');
    await page.locator(`${rows} .people-pick label`).click();
    const write = async (field: string, fill: () => Promise<void>) => {
      await page.click('button:has-text("Edit a field")');
      await page.getByLabel('Field', { exact: true }).selectOption(field);
      await fill();
      await page.click('dialog button:has-text("Save")');
      await page.waitForSelector('.toast button:has-text("Undo")');
    };
    const undo = async () => {
      await page.click('.toast button:has-text("Undo")');
      await page.waitForSelector('.toast:has-text("Undone")');
      await page.click('.toast:has-text("Undone") [aria-label="Dismiss"]');
    };
    await write('First name', () => page.getByLabel('New value').fill('Bo'));
    expect(await found()).toMatchObject({ name: 'Bo' });
    await undo();
    expect(await found()).toMatchObject({ name: 'Ana Ruiz', first_name: null });
    await write('An attribute…', async () => {
      await page.getByRole('combobox', { name: 'Name of the attribute' }).fill('sea');
      await page.getByRole('option', { name: 'seats' }).click();
      await page.getByLabel('New value').fill('12');
    });
    expect(await found()).toMatchObject({ attributes: { seats: 12 } });
    await undo();
    expect(await found()).toMatchObject({ attributes: { seats: 3 } });
  });

  it('keep what a colleague has written since, also when the change is undone', async () => {
    const at = await aConsole({ contacts: manyContacts(2) });
    const page = await at.signedIn('/console/contacts');
    await page.waitForSelector('.people-status:has-text("2 contacts")');
    await page.click('.people-head .people-pick label');
    await page.click('button:has-text("Edit a field")');
    await page.getByRole('combobox', { name: 'New value' }).fill('Nordwind');
    await page.click('dialog button:has-text("Save")');
    await page.waitForSelector('.toast:has-text("Set Company for 2 contacts")');
    const change = { chatbotId: at.chatbotId, contactId: 'c0', properties: { company: 'Later Ltd' } };
    await run(updateContact, at.store, operator(at.projectId), change);
    await page.click('.toast button:has-text("Undo")');
    await page.waitForSelector('.toast:has-text("Undone for 1 contact. Somebody has changed the others since.")');
    const companies = ['c0', 'c1'].map((id) => at.store.contacts.findWhole(at.projectId, at.chatbotId, id));
    expect(await Promise.all(companies)).toMatchObject([{ company: 'Later Ltd' }, { company: null }]);
  });

  it('are all that match, loaded or not: tagged in four clicks, and untagged but for those who had the tag', async () => {
    const { at, returnsId } = await twoChatbots({ contacts: manyContacts(1_250) }, manyContacts(2));
    const page = await at.signedIn('/console/contacts');
    await page.waitForSelector('.people-status:has-text("1,252 contacts")');
    const tagged = async (chatbotId: string) => {
      const where = [{ field: 'tags', is: 'vip' }];
      const search = { chatbotIds: [chatbotId], words: [], where, order: 'newest', limit: 2_000 } as const;
      return (await at.store.contacts.search(at.projectId, search, false)).length;
    };
    const mouse = aMouse(page);
    await mouse.on('.people-head .people-pick label');
    await mouse.on('button:has-text("Select all 1,252 that match")');
    expect(await page.textContent(selected)).toBe('All 1,252 selected');
    await mouse.on('button:has-text("Tag")');
    await page.keyboard.type('vip');
    await mouse.on('dialog button:has-text("Add the tag")');
    await page.waitForSelector('.toast:has-text("Added the tag “vip” to 834 contacts")');
    expect(mouse.clicks).toBe(4);
    expect([await tagged(at.chatbotId), await tagged(returnsId)]).toEqual([1_250, 2]);
    await page.click('.toast button:has-text("Undo")');
    await page.waitForSelector('.toast:has-text("Undone")');
    expect([await tagged(at.chatbotId), await tagged(returnsId)]).toEqual([417, 1]);
    await page.click('button:has-text("Tag")');
    await page.click('dialog button:text-is("vip")');
    const colour = await page.evaluate(
      'getComputedStyle(document.querySelector("dialog .button-danger")).backgroundColor',
    );
    expect(colour).not.toBe('rgba(0, 0, 0, 0)');
    await page.click('dialog button:has-text("Remove vip from 1,252 contacts")');
    await page.waitForSelector('.toast:has-text("Removed the tag “vip” from 418 contacts")');
    expect([await tagged(at.chatbotId), await tagged(returnsId)]).toEqual([0, 0]);
  });

  it('stop where somebody says so, and the page tells how many were changed', async () => {
    const at = await aConsole({ contacts: manyContacts(1_300) });
    const page = await at.signedIn('/console/contacts');
    await page.waitForSelector('.people-status:has-text("1,300 contacts")');
    await page.click('.people-head .people-pick label');
    await page.click('button:has-text("Select all 1,300")');
    await page.route('**/contacts/bulk', async (route) => {
      await page.click('button:has-text("Stop")');
      await route.continue();
    });
    await page.click('button:has-text("Tag")');
    await page.keyboard.type('new');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.toast:has-text("Stopped. The others were not changed.")');
    await page.waitForSelector('.toast:has-text("Added the tag “new” to 1,000 contacts")');
    expect(await page.locator('.people-tags:has-text("new")').count()).toBeGreaterThan(0);
  });

  it('are collected over two searches', async () => {
    const at = await aConsole({ contacts: manyContacts(30) });
    const page = await at.signedIn('/console/contacts');
    for (const name of ['Person 00003', 'Person 00017']) {
      await page.fill(search, name);
      await expect.poll(() => page.locator(rows).allInnerTexts()).toEqual([expect.stringContaining(name)]);
      await page.locator(`${rows} .people-pick label`).click();
    }
    expect(await page.textContent(selected)).toBe('2 selected');
    await page.fill(search, '');
    await expect.poll(() => page.locator(`${rows}[aria-selected="true"]`).count()).toBe(2);
  });
});

it('somebody who adds a contact learns while typing who has the e-mail, in whichever chatbot', async () => {
  const ana = aContact({ id: 'ana', name: 'Ana Ruiz', email: 'ana@example.com' });
  const { at, returnsId } = await twoChatbots({}, [ana]);
  const page = await at.signedIn('/console/contacts');
  await page.waitForSelector(rows);
  await page.keyboard.press('n');
  await page.getByRole('textbox', { name: 'E-mail' }).fill('ANA@example.com');
  await page.waitForSelector('dialog .note:has-text("Ana Ruiz in Returns has this e-mail.")');
  expect(await page.getAttribute('dialog .note a', 'href')).toBe(`/console/contacts/${returnsId}/ana`);
  await page.getByLabel('Chatbot', { exact: true }).last().selectOption('Desk');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.toast:has-text("The contact was created")');
  await page.waitForSelector(`${rows}:has-text("Desk"):has-text("ANA@example.com")`);
});

it('the columns that somebody has chosen are shown the next time, in the order of the heading that was pressed', async () => {
  const people = manyContacts(3).map((one, index) => ({ ...one, city: ['Bonn', 'Ulm', 'Jena'][index] ?? null }));
  const at = await aConsole({ contacts: people });
  const page = await at.signedIn('/console/contacts');
  await page.click('button:has-text("View")');
  await page.getByLabel('City').check();
  await page.getByLabel('Phone').uncheck();
  await page.reload();
  await page.waitForSelector('[role=columnheader]:has-text("City")');
  expect(await page.locator('[role=columnheader]:has-text("Phone")').count()).toBe(0);
  await expect.poll(() => page.locator('.people-city').allInnerTexts()).toEqual(['Jena', 'Ulm', 'Bonn']);
  await page.click('.people-sort:has-text("Created")');
  await expect.poll(() => page.locator('.people-city').allInnerTexts()).toEqual(['Bonn', 'Ulm', 'Jena']);
  expect(new URL(page.url()).search).toBe('?sort=added_asc');
});
