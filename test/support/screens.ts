import type { Page } from 'playwright-core';

import { type Console, letGoStale } from './console.ts';

/** What opens something over a screen, and where it is then. */
export interface Opening {
  name: string;
  open: (page: Page) => Promise<void>;
}

interface Visit {
  name: string;
  /** After `g`. */
  key: string;
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

const pick = (page: Page) => page.locator('.people-pick input').last().click();

const chooseFile = async (page: Page) => {
  const buffer = Buffer.from('Callname,Birthname,Notes\nAna,Ferreira,x\nBo,,\n,,y\n');
  await page.locator('input[type=file]').setInputFiles({ name: 'people.csv', mimeType: '', buffer });
  await page.getByRole('button', { name: 'Use Callname and Birthname for name' }).press('Enter');
  await page.locator('.import-person', { hasText: 'Ferreira' }).waitFor();
  await page.getByRole('button', { name: 'Check file' }).click();
  await page.getByRole('heading', { name: 'Check: nothing was stored' }).waitFor();
};

/** Every screen, with what can be open over it; the members of the project are Ada, Grace and Heidi, who is Pending. */
export const visitsOf = (served: Console): Visit[] => [
  { name: 'Home', key: 'h' },
  {
    name: 'Contacts',
    key: 'c',
    openings: [
      ...['New contact', 'Export', 'Filter', 'View'].map((name) => button(name)),
      shortcuts,
      ...['Tag', 'Edit a field'].map((name) => button(name, pick)),
    ],
  },
  { name: 'Duplicates', key: 'd' },
  { name: 'Import', key: 'i', prepare: chooseFile },
  { name: 'Activity', key: 't' },
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
  { name: 'Project', key: 'p' },
  {
    name: 'Account',
    key: 'a',
    openings: [button('Add a passkey'), button('Create sign-in link', () => letGoStale(served))],
  },
];

/** On the page of a contact. */
export const openingsOfContact: Opening[] = [menu('More'), fromMenu('More', 'Delete for good')];
