import { describe, expect, it } from 'vitest';

import { openCurrentStore } from '../../src/cli/open.ts';
import { aContact, aProject, createChatbot, storeContacts } from '../support/people.ts';
import { anInstallation } from '../support/process.ts';

type Found = Record<'contacts' | 'deleted' | 'events', { chatbot_id: string; id: string }[]>;

/** One project, unless others are asked for, with Ana in two chatbots. */
async function aDesk() {
  const at = await anInstallation();
  await using store = await openCurrentStore(at.databaseUrl);
  await aProject(store, { id: 'acme', chatbotId: 'first', contacts: [aContact({ id: 'a' })] });
  await createChatbot(store, 'acme', { name: 'Second', id: 'second' });
  await storeContacts(store, 'acme', 'second', [
    aContact({ id: 'b' }),
    aContact({ id: 'bo', email: 'bo@example.com' }),
  ]);
  return at;
}

describe('the commands about one person', () => {
  it('find them in all chatbots of the one project, disclose them as JSON, and erase them once it is confirmed', async () => {
    await using at = await aDesk();
    const email = ['--email', 'ana@example.com'];
    const found = await at.json<Found>(['contacts', 'lookup', '--all-chatbots', ...email]);
    expect(found.contacts.map((one) => `${one.chatbot_id} ${one.id}`).toSorted()).toEqual(['first a', 'second b']);
    const { code, stdout } = await at.run(['contacts', 'disclose', '--email', '-'], { input: 'ANA@example.com\n' });
    const disclosed = JSON.parse(stdout) as Found;
    expect([code, disclosed.contacts.length, disclosed.events.length]).toEqual([0, 2, 2]);
    const refused = await at.run(['contacts', 'erase', ...email]);
    expect([refused.code, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toMatch(/first[^]*second[^]*deletes the 2 contacts for good; add --yes/);
    const erased = await at.run(['contacts', 'erase', ...email, '--reference', 'Request 7', '--yes', '--json']);
    expect(erased.stderr).toContain('ana@example.com');
    expect(JSON.parse(erased.stdout)).toEqual({
      receipt_id: expect.any(String),
      erased_at: expect.any(String),
      contacts: 2,
      reference: 'Request 7',
    });
    const again = await at.run(['contacts', 'erase', ...email, '--yes']);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('No contact of this project has')]);
    expect((await at.json<Found>(['contacts', 'disclose', '--email', 'bo@example.com'])).contacts).toHaveLength(1);
  });

  it('erase more than a hundred who share an address, whichever was merged into which, and print all receipts', async () => {
    await using at = await aDesk();
    await using store = await openCurrentStore(at.databaseUrl);
    const people = Array.from({ length: 149 }, (_, i) => aContact({ id: `c${i}`, email: 'info@example.com' }));
    await storeContacts(store, 'acme', 'first', people);
    // The first of the list takes the last of it along.
    expect((await at.run(['contacts', 'merge', 'c0', '--from', 'c148', '--chatbot', 'first'])).code).toBe(0);
    await storeContacts(store, 'acme', 'second', [aContact({ id: 'c', email: 'info@example.com' })]);
    const email = ['--email', 'info@example.com'];
    const erased = await at.run(['contacts', 'erase', ...email, '--yes', '--json']);
    const { receipt_ids: receipts, ...sum } = JSON.parse(erased.stdout) as { receipt_ids: string[] };
    expect(sum).toMatchObject({ receipt_id: receipts[1], contacts: 150, reference: null });
    for (const receipt of receipts) expect(erased.stderr).toContain(receipt);
    expect(receipts).toHaveLength(2);
    const { contacts, deleted } = await at.json<Found>(['contacts', 'disclose', ...email]);
    expect([contacts, deleted]).toEqual([[], []]);
  });

  it('want to know the project where there are several, and whom they are about', async () => {
    await using at = await aDesk();
    await using store = await openCurrentStore(at.databaseUrl);
    await aProject(store, { id: 'other' });
    const several = await at.run(['contacts', 'disclose', '--email', 'ana@example.com']);
    expect([several.code, several.stderr]).toEqual([1, expect.stringMatching(/2 projects[^]*--project ID/)]);
    const none = await at.run(['contacts', 'disclose', '--email', 'ana@example.com', '--project', 'other']);
    expect(JSON.parse(none.stdout)).toEqual({ contacts: [], deleted: [], events: [] });
    expect([none.code, none.stderr]).toEqual([0, 'No contact of this project has this e-mail address.\n']);
    const unnamed = /Say whom: give --email, --phone or --external-id\.$/m;
    for (const [words, message] of [
      [['disclose'], unnamed],
      [['erase', '--yes'], unnamed],
      [['lookup', '--email', 'ana@example.com'], /Say where: give --chatbot, or --all-chatbots\.$/m],
    ] as const) {
      const refused = await at.run(['contacts', ...words]);
      expect([words, refused.code, refused.stderr]).toEqual([words, 2, expect.stringMatching(message)]);
    }
  });
});
