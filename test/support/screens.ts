import type { Page } from 'playwright-core';

import { operator } from '../../src/actor.ts';
import { deleteContact } from '../../src/contacts/delete.ts';
import { suggestInProject } from '../../src/contacts/duplicates/suggest.ts';
import { run } from '../../src/operation.ts';
import { aConsole, type Console, letGoStale } from './console.ts';
import { manyContacts } from './many-contacts.ts';
import { aContact } from './people.ts';
import { storeWebhook } from './webhooks.ts';

/** A person of whom everything is known, at length. */
const known = aContact({
  id: 'c0',
  name: 'Ana Lucía Ferreira de Albuquerque e Vasconcelos',
  email: 'ana.lucia.ferreira.de.albuquerque.e.vasconcelos@mail.example.com',
  website: `https://example.com/${'about-us/'.repeat(12)}`,
  company: 'Gesellschaft für Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamte',
  tags: ['vip', 'a-tag-as-long-as-a-tag-may-be-in-roster-1'.slice(0, 40)],
  attributes: { plan: 'gold', seats: 3, has_agreed: true, note: 'x'.repeat(300) },
});

/** A project with something on every screen; its members are Ada, Grace and Heidi, who is Pending. */
export async function aFullProject(): Promise<Console> {
  const served = await aConsole({
    roles: { 'grace@example.com': ['Admin'] },
    pending: { 'heidi@example.com': ['Analyst'] },
    contacts: [
      ...manyContacts(25).slice(1),
      known,
      { ...known, id: 'twice', phone: '+1 555 0199', company: 'Nordwind' },
      aContact({ id: 'gone', name: 'Bo', email: null, phone: null }),
    ],
  });
  const { store, projectId, chatbotId } = served;
  await run(deleteContact, store, operator(projectId), { chatbotId, contactId: 'gone' });
  for await (const _ of suggestInProject(store, 'find-duplicates', projectId));
  const description = 'The CRM of the sales team, which wants every change of every contact at once';
  const stopped = { failing_since: '2026-06-08T13:38:33+00:00', paused_until: '2100-01-01T00:00:00+00:00' };
  await storeWebhook(store, projectId, 'w1', { description, ...stopped });
  return served;
}

/** What opens something over a screen, and where it is then. */
export interface Opening {
  name: string;
  open: (page: Page) => Promise<void>;
}

interface Visit {
  name: string;
  /** After `g`. */
  key?: string;
  /** Where no key leads to it. */
  path?: string;
  /** What is done first. */
  prepare?: (page: Page) => Promise<void>;
  openings?: Opening[];
}

const button = (name: string, prepare?: (page: Page) => Promise<void>): Opening => ({
  name,
  open: async (page) => {
    await prepare?.(page);
    await page.getByRole('main').getByRole('button', { name, exact: true }).first().click();
  },
});

const fromMenu = (menu: string, item: string): Opening => ({
  name: item,
  open: async (page) => {
    await page.getByRole('main').getByRole('button', { name: menu }).click();
    await page.getByRole('menuitem', { name: item }).click();
  },
});

const menu = (name: string): Opening => ({
  name,
  open: (page) => page.getByRole('main').getByRole('button', { name }).click(),
});

const shortcuts: Opening = { name: 'Shortcuts', open: (page) => page.keyboard.press('?') };

const pick = (page: Page) => page.locator('.people-pick input:not(:checked)').last().click();

const chooseFile = async (page: Page) => {
  const buffer = Buffer.from('Callname,Birthname,Notes\nAna,Ferreira,x\nBo,,\n,,y\n');
  await page.locator('input[type=file]').setInputFiles({ name: 'people.csv', mimeType: '', buffer });
  await page.getByRole('button', { name: 'Use Callname and Birthname for name' }).press('Enter');
  await page.locator('.import-person', { hasText: 'Ferreira' }).waitFor();
  await page.getByRole('button', { name: 'Check file' }).click();
  await page.getByRole('heading', { name: 'Check: nothing was stored' }).waitFor();
};

const suggestions: Opening = {
  name: 'Filter with suggestions',
  open: async (page) => {
    await button('Filter').open(page);
    await page.getByRole('combobox', { name: 'Value' }).fill('v');
    await page.locator('[role=option]').first().waitFor();
  },
};

const editOfTwo: Opening = {
  name: 'Edit a field with its preview',
  open: async (page) => {
    await button('Edit a field', pick).open(page);
    await page.getByRole('combobox', { name: 'New value' }).fill('Nordwind');
    await page.locator('.edit-preview p').nth(1).waitFor();
  },
};

const click = (selector: string) => (page: Page) => page.locator(selector).first().click();

/** Every screen, with what can be open over it, in the project of `aFullProject`. */
export const visitsOf = (served: Console): Visit[] => [
  { name: 'Home', key: 'h' },
  {
    name: 'Contacts',
    key: 'c',
    openings: [
      ...['New contact', 'Export', 'Filter', 'View'].map((name) => button(name)),
      shortcuts,
      suggestions,
      button('Tag', pick),
      editOfTwo,
    ],
  },
  { name: 'Bin', path: `contacts?chatbot=${served.chatbotId}&state=deleted`, prepare: pick },
  {
    name: 'Contact',
    path: `contacts/${served.chatbotId}/c0`,
    openings: [menu('More'), fromMenu('More', 'Delete for good')],
  },
  {
    name: 'Contact with all its fields',
    path: `contacts/${served.chatbotId}/c0`,
    prepare: click('button:has-text("empty field")'),
  },
  {
    name: 'Contact being edited',
    path: `contacts/${served.chatbotId}/c0`,
    prepare: click('[data-field="company"] button'),
  },
  { name: 'Contact in the bin', path: `contacts/${served.chatbotId}/gone` },
  { name: 'Privacy request', path: `contacts/${served.chatbotId}/c0/privacy`, openings: [button('Erase…')] },
  { name: 'Privacy request by a value', path: 'contacts/privacy' },
  { name: 'Duplicates', key: 'd', prepare: (page) => page.locator('.compare').waitFor() },
  { name: 'Import', key: 'i', prepare: chooseFile },
  { name: 'Activity', key: 't' },
  { name: 'Security', path: 'activity?tab=security', prepare: click('button:has-text("Dates…")') },
  {
    name: 'Chatbots',
    key: 'b',
    openings: [
      button('Create chatbot'),
      menu('Actions for Desk'),
      fromMenu('Actions for Desk', 'Edit'),
      fromMenu('Actions for Desk', 'Delete'),
    ],
  },
  {
    name: 'Members',
    key: 'm',
    openings: [
      button('Invite'),
      fromMenu('Actions for grace', 'Change roles'),
      fromMenu('Actions for grace', 'Create sign-in link'),
      fromMenu('Actions for grace', 'Transfer ownership'),
      fromMenu('Actions for grace', 'Sign out everywhere'),
      fromMenu('Actions for grace', 'Remove'),
      fromMenu('Actions for heidi', 'Create new invitation'),
    ],
  },
  {
    name: 'Keys',
    key: 'k',
    openings: [button('Create a key'), fromMenu('Actions for test', 'Rotate'), fromMenu('Actions for test', 'Revoke')],
  },
  { name: 'Webhooks', key: 'w', openings: [button('Create a webhook')] },
  {
    name: 'Webhook',
    path: 'webhooks/w1',
    openings: [
      button('Change'),
      menu('More'),
      ...['Rotate the secret', 'Replay events', 'Delete'].map((item) => fromMenu('More', item)),
    ],
  },
  { name: 'Project', key: 'p' },
  {
    name: 'Account',
    key: 'a',
    openings: [button('Add a passkey'), button('Create sign-in link', () => letGoStale(served))],
  },
];
