import { existsSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { deleteProjectInSteps } from '../../src/cli/contacts/delete-in-steps.ts';
import { openCurrentStore } from '../../src/cli/open.ts';
import { eventsOf } from '../support/events.ts';
import { deletedDaysAgo } from '../support/jobs.ts';
import { aContact, aMember, aProject } from '../support/people.ts';
import { anInstallation, type Installation } from '../support/process.ts';

/** A project `acme` with a chatbot `desk`, four contacts, one of them in the bin, and two members; and another. */
async function filled(at: Installation): Promise<void> {
  await using store = await openCurrentStore(at.databaseUrl);
  const contacts = ['a', 'b', 'c', 'd'].map((id) => aContact({ id }));
  const members = [aMember({ roles: ['Owner'] }), aMember({ email: 'bo@example.com' })];
  const desk = await aProject(store, { id: 'acme', chatbotId: 'desk', contacts, members });
  await deletedDaysAgo(store, 1, desk, ['d']);
  await aProject(store, { id: 'other', chatbotId: 'other', contacts });
}

const script = '/usr/bin/script';

/** Runs a command on a terminal, where a line is typed. */
function onTerminal(at: Installation, words: string, typed: string) {
  const line = `printf '${typed}\\n' | ${script} -qec "$0 $* ${words}" /dev/null`;
  return at.startUnder('/bin/sh', ['-c', line]).ended;
}

describe('chatbots delete and projects delete', () => {
  it.skipIf(!existsSync(script))('ask for the id on a terminal, and delete nobody for another answer', async () => {
    await using at = await anInstallation();
    await filled(at);
    const refused = await onTerminal(at, 'chatbots delete desk', 'acme');
    expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining('nothing was deleted')]);
    expect(await at.json(['chatbots', 'list', '--project', 'acme'])).toHaveLength(1);
    const kept = await onTerminal(at, 'contacts erase --project acme --email ana@example.com', '99');
    expect([kept.code, kept.stdout]).toEqual([
      1,
      expect.stringContaining('This is not the number of contacts; nothing'),
    ]);
    const deleted = await onTerminal(at, 'chatbots delete desk --json', 'desk');
    expect([deleted.code, deleted.stdout]).toEqual([0, expect.stringMatching(/"contacts": 4/)]);
    expect(await at.json(['chatbots', 'list', '--project', 'acme'])).toEqual([]);
  });

  it('end the keys of a project first, so that nobody can add to it without end', async () => {
    await using at = await anInstallation();
    await using store = await openCurrentStore(at.databaseUrl);
    const { projectId, keyId } = await aProject(store, { id: 'acme', chatbotId: 'desk' });
    const stopped = deleteProjectInSteps(store, projectId, () => {
      throw new Error('stopped');
    });
    await expect(stopped).rejects.toThrow('stopped');
    expect(await store.apiKeys.find(projectId, keyId)).toMatchObject({ revoked_at: expect.any(String) });
  });

  it('stop between two steps at a signal, and go on when they are run again', async () => {
    await using at = await anInstallation();
    await using store = await openCurrentStore(at.databaseUrl);
    const ids = Array.from({ length: 5_000 }, (_, i) => `c-${i}`);
    const contacts = ids.map((id) => aContact({ id, email: null }));
    await aProject(store, { id: 'acme', chatbotId: 'desk', contacts });
    const purged = async () => {
      const events = await eventsOf(store, 'acme', { types: ['contact.purged'] });
      return events.flatMap(({ contact_ids }) => contact_ids ?? []);
    };
    const running = at.start(['chatbots', 'delete', 'desk', '--yes', '--json']);
    await expect.poll(async () => (await purged()).length, { interval: 5 }).toBeGreaterThan(0);
    running.child.kill('SIGINT');
    const { code, stdout, stderr } = await running.ended;
    expect([code, stdout, stderr]).toEqual([130, '', expect.stringMatching(/^Stopped; .*again to go on\.\n$/)]);
    const left = ids.length - (await purged()).length;
    expect(left).toBeGreaterThan(0);
    const again = await at.json(['chatbots', 'delete', 'desk', '--yes']);
    expect(again).toEqual({ id: 'desk', name: 'Desk', contacts: left });
    expect((await purged()).toSorted()).toEqual(ids.toSorted());
  });
});
