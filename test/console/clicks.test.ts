import { describe, expect, it } from 'vitest';

import { aConsole } from '../support/console.ts';
import { aContact } from '../support/people.ts';

const item = (name: string) => `[role=menuitem]:has-text("${name}"):visible`;
const of = (name: string) => `main [aria-label="Actions for ${name}"]`;
const end = 'dialog .dialog-end button:last-child';

describe('the mouse', () => {
  it.each([
    ['three clicks to rotate a key', 'keys', [of('test'), item('Rotate'), end], '', 'Copy the new key'],
    [
      'three clicks to remove a colleague',
      'members',
      [of('bo@example.com'), item('Remove'), end],
      '',
      'bo@example.com removed',
    ],
    [
      'three clicks to hand the project over, with an address that is typed',
      'members',
      [of('grace@example.com'), item('Transfer ownership'), end],
      'grace@example.com',
      'Sign in to Roster',
    ],
    [
      'three clicks to delete a contact for good, with a word that is typed',
      'contacts/CHATBOT/ana',
      ['main [aria-label="More"]', item('Delete for good'), end],
      'delete',
      'The contact was deleted for good',
    ],
  ])('has at most %s', async (_, screen, clicks, typed, done) => {
    const roles = { 'grace@example.com': ['Admin' as const], 'bo@example.com': ['Viewer' as const] };
    const at = await aConsole({ roles, contacts: [aContact({ id: 'ana', name: 'Γιώργος Παπαδόπουλος' })] });
    const page = await at.signedIn(`/console/${screen.replace('CHATBOT', at.chatbotId)}`);
    for (const selector of clicks) {
      if (selector === end) await page.getByRole('dialog').waitFor();
      if (selector === end) await page.keyboard.type(typed);
      await page.locator(selector).first().click();
    }
    await expect.poll(() => page.innerText('body')).toContain(done);
  });
});
