import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { defaultScopes, scopes } from '../../src/actor.ts';
import { openCurrentStore } from '../../src/cli/open.ts';
import { openDatabase } from '../../src/database/open-store.ts';
import { makeJobsDue } from '../support/jobs.ts';
import { createApiKey, createProject, revokeApiKey, rotateApiKey } from '../support/people.ts';
import { anInstallation, aProjectThere } from '../support/process.ts';

describe('the commands', () => {
  it('create keys with scopes and a span, and rotate them with an overlap', async () => {
    await using at = await anInstallation();
    await aProjectThere(at);
    const args = ['keys', 'create', '--project', 'acme', '--name', 'n', '--scope', 'contacts:read', '--expires', '90d'];
    const key = await at.json<{ id: string; scopes: string[]; expires_at: string; token: string }>(args);
    expect(key.scopes).toEqual(['contacts:read']);
    const days = (Date.parse(key.expires_at) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(90);
    const rotate = ['keys', 'rotate', key.id, '--overlap', '2h'];
    const rotated = await at.json<{ token: string; replaced: { id: string; expires_at: string } }>(rotate);
    expect(rotated.token).toMatch(/^rst_[0-9A-Za-z]{36}$/);
    expect(rotated.replaced.id).toBe(key.id);
    expect(Math.round((Date.parse(rotated.replaced.expires_at) - Date.now()) / 3_600_000)).toBe(2);
  });

  it('take over an existing token from a file, once', async () => {
    await using at = await anInstallation();
    await aProjectThere(at);
    const file = join(at.folder, 'token');
    writeFileSync(file, 'legacy-token-0123456789\n');
    const args = ['keys', 'create', '--project', 'acme', '--name', 'old', '--token-file', file];
    expect(await at.json(args)).toMatchObject({ token: 'legacy-token-0123456789' });
    expect((await at.run(args)).code).toBe(1);
    writeFileSync(file, 'legacy-token-9876543210\n');
    const { code, stdout, stderr } = await at.run(args);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^id: [^]*\nexpires_at: +-\n$/)]);
    expect(stderr).toBe('Your token is kept as it is. It is not printed.\n');
  });

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

  it('say which key a token is, also when it has ended, and that none has it', async () => {
    await using at = await anInstallation();
    const { token, keyId } = await aProjectThere(at);
    const key = { id: keyId, name: 'test', project_id: 'acme', last4: token.slice(-4), scopes: [...defaultScopes] };
    const find = () => at.json(['keys', 'find', '-'], { input: `${token}\n` });
    expect(await find()).toEqual({ ...key, state: 'active', expires_at: null, revoked_at: null });
    await at.json(['keys', 'revoke', keyId]);
    expect(await find()).toEqual({ ...key, state: 'revoked', expires_at: null, revoked_at: expect.any(String) });
    for (const [input, sentence] of [
      ['rst_zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17', /^roster: No key of this database has this token; .*\n$/],
      ['rst_zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq18', /^roster: No key has this token: its checksum is wrong; .*\n$/],
    ] as const) {
      const none = await at.run(['keys', 'find', '-'], { input });
      expect([none.code, none.stdout, none.stderr]).toEqual([1, '', expect.stringMatching(sentence)]);
    }
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

  it('shows no control characters of what it was given', async () => {
    await using at = await anInstallation();
    await at.json(['projects', 'create', 'Example\u001b[2J\nLtd', '--id', 'acme']);
    const { stdout } = await at.run(['projects', 'list']);
    expect(stdout).toContain('Example?[2J?Ltd');
    expect(stdout).toMatch(/^[ -~\n]*$/);
  });
});

describe('doctor', () => {
  const byName = (checks: { check: string; status: string; command: string | null }[]) =>
    Object.fromEntries(checks.map(({ check, status, command }) => [check, { status, command }]));

  it('reports members without an Owner and projects without a key, with what mends it', async () => {
    await using at = await anInstallation();
    await at.json(['projects', 'create', 'Example Ltd', '--id', 'acme']);
    await at.json(['members', 'import', '-', '--format', 'csv', '--project', 'acme'], {
      input: 'email,role\na@example.com,Admin\n',
    });
    const { checks } = await at.json<{ checks: never[] }>(['doctor']);
    expect(byName(checks)).toMatchObject({
      owners: { status: 'warning', command: expect.stringContaining('roster projects update acme --owner') },
      keys: { status: 'warning', command: expect.stringContaining('roster keys create') },
      schema: { status: 'ok' },
    });
  });

  it('quotes an id in a command, so that it can be pasted into a shell', async () => {
    await using at = await anInstallation();
    await at.json(['projects', 'create', 'Example Ltd', '--id', 'Ä x']);
    const { checks } = await at.json<{ checks: never[] }>(['doctor']);
    expect(byName(checks)['keys']?.command).toBe('roster keys create --project "Ä x" --name NAME');
  });

  it('reports jobs that no service has done for a day', async () => {
    await using at = await anInstallation();
    await at.json(['projects', 'create', 'Example Ltd', '--id', 'acme']);
    const jobs = async () => byName((await at.json<{ checks: never[] }>(['doctor'])).checks)['jobs'];
    expect(await jobs()).toEqual({ status: 'ok', command: null });
    await using database = await openDatabase(at.databaseUrl);
    await makeJobsDue(database);
    expect(await jobs()).toEqual({ status: 'warning', command: 'roster serve' });
  });

  it('fails where the settings are bad', async () => {
    await using at = await anInstallation();
    const bad = await at.run(['doctor'], { env: { PORT: 'x' } });
    expect([bad.code, bad.stdout]).toEqual([78, expect.stringMatching(/failed +settings +Bad settings:\n +PORT is/)]);
  });
});
