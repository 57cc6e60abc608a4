import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { defaultScopes, scopes } from '../../src/actor.ts';
import { openCurrentStore } from '../../src/cli/open.ts';
import { openDatabase } from '../../src/database/open-store.ts';
import { makeJobsDue } from '../support/jobs.ts';
import { commandUser } from '../support/operator.ts';
import { createApiKey, createProject, revokeApiKey, rotateApiKey } from '../support/people.ts';
import { anInstallation, aProjectThere } from '../support/process.ts';

describe('the commands', () => {
  it('give exactly the keys that are promised with --json', async () => {
    await using at = await anInstallation();
    const project = await at.json<{ id: string }>(['projects', 'create', 'Example Ltd']);
    expect(Object.keys(project)).toEqual(['id', 'name', 'created_at']);
    expect(await at.json(['projects', 'list'])).toEqual([project]);
    const chatbot = await at.json<{ id: string }>(['chatbots', 'create', '--project', project.id, '--name', 'Desk']);
    expect(Object.keys(chatbot)).toEqual(['id', 'name', 'project_id', 'created_at', 'version', 'visibility']);
    expect(chatbot.id).toMatch(/^[1-9]\d{9}$/);
    expect(await at.json(['chatbots', 'list', '--project', project.id])).toEqual([chatbot]);
    const key = await at.json<{ id: string; token: string }>([
      'keys',
      'create',
      '--project',
      project.id,
      '--name',
      'CRM',
    ]);
    expect(Object.keys(key)).toEqual(['id', 'name', 'project_id', 'scopes', 'expires_at', 'token']);
    const listed = await at.run(['keys', 'list', '--project', project.id, '--json']);
    expect(listed.stdout).not.toContain(key.token.slice(4, 20));
    expect(JSON.parse(listed.stdout)).toEqual([
      {
        id: key.id,
        name: 'CRM',
        project_id: project.id,
        scopes: [...defaultScopes],
        last4: key.token.slice(-4),
        created_at: expect.stringMatching(/\+00:00$/),
        last_used_at: null,
        expires_at: null,
        revoked_at: null,
        replaced_by: null,
        created_by: { type: 'operator', id: commandUser },
      },
    ]);
    expect(await at.json(['keys', 'revoke', key.id])).toMatchObject({
      id: key.id,
      revoked_at: expect.any(String),
    });
    expect(Object.keys(await at.json<object>(['migrate', '--status']))).toEqual(['applied', 'pending']);
    expect(await at.json(['doctor'])).toMatchObject({ ok: true, checks: expect.any(Array) });
  });

  it('create keys with scopes and a span, and rotate them with an overlap', async () => {
    await using at = await anInstallation();
    await aProjectThere(at);
    const args = ['keys', 'create', '--project', 'acme', '--name', 'n', '--scope', 'contacts:read', '--expires', '90d'];
    const key = await at.json<{ id: string; scopes: string[]; expires_at: string; token: string }>(args);
    expect(key.scopes).toEqual(['contacts:read']);
    const days = (Date.parse(key.expires_at) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(90);
    const rotated = await at.json<{ token: string; replaced: { id: string; expires_at: string } }>([
      'keys',
      'rotate',
      key.id,
      '--overlap',
      '2h',
    ]);
    expect(rotated.token).toMatch(/^rst_[0-9A-Za-z]{36}$/);
    expect(rotated.replaced.id).toBe(key.id);
    expect(Math.round((Date.parse(rotated.replaced.expires_at) - Date.now()) / 3_600_000)).toBe(2);
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

  it('give a key other scopes', async () => {
    await using at = await anInstallation();
    const { keyId } = await aProjectThere(at);
    const args = ['keys', 'update', keyId, '--scope', 'members:read', '--scope', 'events:read'];
    expect(await at.json(args)).toMatchObject({ id: keyId, scopes: ['members:read', 'events:read'] });
    const events = ['events', 'list', '--project', 'acme', '--type', 'key.updated'];
    const { events: updates } = await at.json<{ events: object[] }>(events);
    expect(updates).toEqual([expect.objectContaining({ key_id: keyId, changed: ['scopes'] })]);
    expect(await at.run(['keys', 'update', keyId])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--scope'),
    });
  });

  it('take over an existing token from a file', async () => {
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
    expect(stderr).toBe('The token was taken over as it is; it is not printed again.\n');
  });

  it('suggest for a project whose id is taken only what can be done', async () => {
    await using at = await anInstallation();
    await aProjectThere(at);
    const { code, stderr } = await at.run(['projects', 'create', 'Example Ltd', '--id', 'acme']);
    expect([code, stderr]).toEqual([
      1,
      'roster: A project with this id exists already; choose another with --id; "roster projects list" shows those that exist.\n',
    ]);
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
