import { describe, expect, it } from 'vitest';

import { openCurrentStore } from '../../src/cli/open.ts';
import { openDatabase } from '../../src/database/open-store.ts';
import { scopes } from '../../src/rights.ts';
import { makeJobsDue } from '../support/jobs.ts';
import { createApiKey, createProject, revokeApiKey, rotateApiKey } from '../support/people.ts';
import { anInstallation, aProjectThere, findingOf } from '../support/process.ts';

describe('the commands', () => {
  it('list the keys of all projects in 100 columns, and of one, with their state', async () => {
    await using at = await anInstallation();
    const { keyId } = await aProjectThere(at);
    await using store = await openCurrentStore(at.databaseUrl);
    await createProject(store, { name: 'Other', id: 'other' });
    const lasting = { name: 'x'.repeat(60), expiresInSeconds: 90 * 86_400, scopes };
    const { key } = await createApiKey(store, 'other', lasting);
    const { key: old } = await createApiKey(store, 'other', { name: 'soon' });
    await rotateApiKey(store, old.id, 1_800);
    await revokeApiKey(store, keyId);
    const all = await at.json<{ project_id: string }[]>(['keys', 'list']);
    expect(all.map(({ project_id }) => project_id)).toEqual(['acme', 'other', 'other', 'other']);
    const { stdout } = await at.run(['keys', 'list', '--project', 'other']);
    const row = (one: string, text: string) => text.split('\n').find((line) => line.startsWith(one));
    expect(stdout.split('\n').filter((line) => line.length > 100)).toEqual([]);
    expect(row(key.id, stdout)).toMatch(/xxx… +11 +\S{4} +expires in 90d +- +cli$/);
    expect(row(old.id, stdout)).toMatch(/soon +4 +\S{4} +rotated \(30m\) +- +cli$/);
    expect(row(keyId, (await at.run(['keys', 'list'])).stdout)).toMatch(/ test +acme +4 +\S{4} +revoked +- +cli$/);
  });

  it('name the project where two have a chatbot of one id', async () => {
    await using at = await anInstallation();
    await aProjectThere(at);
    await at.json(['projects', 'create', 'Other', '--id', 'other']);
    await at.json(['chatbots', 'create', '--project', 'other', '--name', 'Desk', '--id', '8839210412']);
    const unclear = await at.run(['contacts', 'export', '--chatbot', '8839210412']);
    const sentence =
      'roster: 2 projects have a chatbot with this id: acme, other; say which project with --project ID.\n';
    expect([unclear.code, unclear.stderr]).toEqual([1, sentence]);
    expect((await at.run(['contacts', 'export', '--chatbot', '8839210412', '--project', 'other'])).code).toBe(0);
  });
});

describe('a result', () => {
  it('that is a token and cannot be written is said to be lost, with the command that ends its key', async () => {
    await using at = await anInstallation();
    const { keyId } = await aProjectThere(at);
    for (const line of [`keys create --project acme --name x --json`, `keys rotate ${keyId}`]) {
      const { code, stderr } = await at.shell(`${line} > /dev/full`);
      expect(code).toBe(74);
      const [command = ''] = /keys revoke .+/.exec(stderr) ?? [];
      expect(await at.json(command.split(' '))).toMatchObject({ revoked_at: expect.any(String) });
    }
  });
});

describe('doctor', () => {
  it('reports projects without a key, and jobs that no service has done for a day, with what mends it', async () => {
    await using at = await anInstallation();
    await at.json(['projects', 'create', 'Example Ltd', '--id', 'Ä x']);
    // It can be pasted into a shell.
    const command = 'roster keys create --project "Ä x" --name NAME';
    expect(await findingOf(at, 'keys')).toMatchObject({ status: 'warning', command });
    for (const check of ['schema', 'jobs'])
      expect(await findingOf(at, check)).toMatchObject({ status: 'ok', command: null });
    await using database = await openDatabase(at.databaseUrl);
    await makeJobsDue(database);
    expect(await findingOf(at, 'jobs')).toMatchObject({ status: 'warning', command: 'roster serve' });
  });

  it('fails where the settings are bad', async () => {
    await using at = await anInstallation();
    const bad = await at.run(['doctor'], { env: { PORT: 'x' } });
    expect([bad.code, bad.stdout]).toEqual([78, expect.stringMatching(/failed +settings +Bad settings:\n +PORT is/)]);
  });
});
