import { expect, it } from 'vitest';

import { aConsole } from '../support/console.ts';
import { createChatbot } from '../support/people.ts';

it('a field with suggestions finds without accents, takes by Enter, and keeps what was chosen after Escape', async () => {
  const served = await aConsole();
  const { id } = await createChatbot(served.store, served.projectId, { name: 'Rückgaben' });
  const page = await served.signedIn('/console/import');
  const field = page.getByRole('combobox', { name: 'Chatbot' });
  await field.click();
  expect(await page.getByRole('option').count()).toBe(2);
  await field.fill('ruck');
  await page.getByRole('option', { name: 'Rückgaben' }).waitFor();
  expect(await page.getByRole('option').count()).toBe(1);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/console/import?chatbot=${id}`);
  expect(await field.inputValue()).toBe('Rückgaben');
  await field.fill('zzz');
  await page.getByText('No match').waitFor();
  await page.keyboard.press('Escape');
  expect(await field.inputValue()).toBe('Rückgaben');
  expect(await page.getByRole('option').count()).toBe(0);
});
