import { describe, expect, it } from 'vitest';

import { openCurrentStore } from '../../src/cli/open.ts';
import { suggestInProject } from '../../src/contacts/duplicates/suggest.ts';
import { aContact } from '../support/people.ts';
import { anInstallation, aProjectThere } from '../support/process.ts';

const here = ['--chatbot', 'first'];

/** One chatbot with three contacts of Ana, and with suggestions. */
async function aDesk() {
  const at = await anInstallation();
  const contacts = ['a', 'b', 'c'].map((id) => aContact({ id, phone: `+1 555 010 0${id.codePointAt(0)}` }));
  await aProjectThere(at, { chatbotId: 'first', contacts });
  await using store = await openCurrentStore(at.databaseUrl);
  for await (const _ of suggestInProject(store, 'find-duplicates', 'acme'));
  return at;
}

describe('the commands about duplicates', () => {
  it('name the reasons, merge, lead to the contact that stays, and print a command that undoes it', async () => {
    await using at = await aDesk();
    const { stdout } = await at.run(['contacts', 'duplicates', ...here]);
    expect(stdout).toMatch(/^certain: same email, same words of name\nID +NAME +EMAIL +PHONE\na .*\+1 555/);
    const merged = await at.run(['contacts', 'merge', 'a', '--from', 'b', '--keep', 'phone=b', ...here]);
    expect([merged.code, merged.stdout]).toEqual([0, expect.stringMatching(/^taken: phone of b\nlost: phone of a$/m)]);
    for (const words of [
      ['show', 'b'],
      ['merge', 'c', '--from', 'b'],
    ]) {
      const refused = await at.run(['contacts', ...words, ...here]);
      expect([refused.code, refused.stderr]).toEqual([
        1,
        'roster: This contact was merged into another one; use the contact that stays: a.\n',
      ]);
    }
    const events = await at.run(['events', 'list', '--project', 'acme', '--type', 'contact.merged']);
    expect(events.stdout).toMatch(/contact\.merged +operator \S+ +a +-$/m);
    const [, undo = ''] = /undoes it: roster (.*)\n/.exec(merged.stderr) ?? [];
    const undone = await at.run(undo.split(' '));
    expect([undone.code, undone.stderr]).toEqual([0, '']);
    const again = await at.run(undo.split(' '));
    expect([again.code, again.stderr]).toEqual([1, expect.stringMatching(/no merge with this id.*undone once/)]);
  });

  it('say how many events the suggestions do not know yet', async () => {
    await using at = await aDesk();
    const told = async () => (await at.run(['contacts', 'duplicates', ...here])).stderr;
    expect(await told()).toMatch(/^as of event \d+$/m);
    await at.json(['contacts', 'create', '--set', 'name=Bo', ...here]);
    expect(await told()).toMatch(/^as of event \d+; 1 newer event waits for a service$/m);
  });

  it('say in the words of the command line what is wrong with --from and --keep', async () => {
    await using at = await aDesk();
    const merge = (...words: string[]) => at.run(['contacts', 'merge', 'a', ...words, ...here]);
    for (const [code, message, ...words] of [
      [2, '--keep takes FIELD=ID, such as phone=CONTACT_ID.', '--from', 'b', '--keep', 'phone'],
      [2, '--keep takes FIELD=ID, such as phone=CONTACT_ID.', '--from', 'b', '--keep', 'Ana Ruiz=b'],
      [65, '--keep first_name is part of name; give name instead.', '--from', 'b', '--keep', 'first_name=b'],
      [65, '--keep phone must be the id of the contact that stays', '--from', 'b', '--keep', 'phone=c'],
      [65, '--from must not name the contact that stays.', '--from', 'a'],
    ] as const) {
      const refused = await merge(...words);
      expect([refused.code, refused.stderr]).toEqual([code, expect.stringContaining(`roster: ${message}`)]);
    }
  });
});
