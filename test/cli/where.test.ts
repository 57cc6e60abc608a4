import { describe, expect, it } from 'vitest';

import { confirmationOf } from '../../src/cli/contacts/where-walk.ts';
import { aContact } from '../support/people.ts';
import { anInstallation, aProjectThere } from '../support/process.ts';

/** 250 contacts of Acme, more than two steps of a walk, and 10 others. */
async function aDesk() {
  const at = await anInstallation();
  const contacts = Array.from({ length: 260 }, (_, i) =>
    aContact({
      id: `p${i}`,
      email: `p${i}@example.com`,
      company: i < 250 ? 'Acme' : 'Other',
      attributes: { seats: i },
    }),
  );
  await aProjectThere(at, { chatbotId: 'desk', contacts });
  return at;
}

const desk = ['--chatbot', 'desk'];
const acme = ['--where', 'company=ACME', ...desk];

describe('a command with --where', () => {
  it('changes everybody who meets the conditions, once the number is confirmed, though they meet them no longer', async () => {
    await using at = await aDesk();
    const change = ['contacts', 'update', ...acme, '--set', 'company=New Ltd', '--add-tag', 'moved'];
    const refused = await at.run(change);
    expect([refused.code, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toContain('This changes 250 contacts; add --yes');
    expect(await at.json([...change, '--yes'])).toEqual({ done: 250, unchanged: 0, failed: 0 });
    expect(await at.json([...change, '--yes'])).toEqual({ done: 0, unchanged: 0, failed: 0 });
    const shown = await at.run(['contacts', 'find', 'p0', '--all-chatbots']);
    expect(shown.stdout).toMatch(/^CHATBOT_ID +ID .*\ndesk +p0 /);
    const moved = ['contacts', 'find', '--where', 'tags=moved', '--where', 'company=new ltd', '--count', ...desk];
    expect(await at.json(moved)).toMatchObject({ count: { value: 250, exact: true } });
    const none = await at.run(['contacts', 'find', 'zzz', '--count', ...desk]);
    expect([none.code, none.stdout, none.stderr]).toEqual([0, '', '0 found\n']);
    expect(await at.json(['contacts', 'find', '--where', 'company=Other', '--count', ...desk])).toMatchObject({
      count: { value: 10, exact: true },
    });
  });

  it('asks for "all" where there are more than it counts', () => {
    expect(confirmationOf(10_000, false)).toEqual({
      contacts: 'more than 10,000 contacts',
      typed: 'all',
      called: '"all"',
    });
    expect(confirmationOf(1, true)).toMatchObject({ contacts: '1 contact', typed: '1' });
  });

  it('exports and deletes exactly those who meet the conditions', async () => {
    await using at = await aDesk();
    const { stdout } = await at.run(['contacts', 'export', '--format', 'ndjson', ...acme]);
    expect(stdout.trim().split('\n')).toHaveLength(250);
    const some = ['--where', 'attributes.seats=3,4', '--where', '!city', ...desk];
    expect(await at.json(['contacts', 'delete', ...some, '--yes'])).toEqual({ done: 2, unchanged: 0, failed: 0 });
    const left = await at.json<{ contacts: object[] }>(['contacts', 'find', '--limit', '1000', ...desk]);
    expect(left.contacts).toHaveLength(258);
  });

  it('refuses an id beside it, none of the two, and a field that no condition has', async () => {
    await using at = await aDesk();
    for (const args of [['p1', ...acme], desk]) {
      const { code, stderr } = await at.run(['contacts', 'delete', ...args]);
      expect([code, stderr]).toEqual([2, expect.stringContaining('give the id of a contact, or --where')]);
    }
    for (const verb of ['find', 'export', 'delete']) {
      const { code, stderr } = await at.run(['contacts', verb, '--where', 'compny=x', ...desk]);
      expect([code, stderr]).toEqual([65, expect.stringMatching(/^roster: --where .*did you mean company\?/)]);
      const empty = await at.run(['contacts', verb, '--where', 'company=', ...desk]);
      expect([empty.code, empty.stderr]).toEqual([2, expect.stringContaining('--where takes FIELD=VALUE')]);
    }
  });
});
