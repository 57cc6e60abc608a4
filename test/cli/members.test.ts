import { describe, expect, it } from 'vitest';

import { invited, operator } from '../../src/actor.ts';
import { createApiKey } from '../../src/api-keys/create.ts';
import { openCurrentStore } from '../../src/cli/open.ts';
import { inviteMember } from '../../src/members/invite.ts';
import { run } from '../../src/operation.ts';
import { signInByLink } from '../../src/sign-in/sign-in.ts';
import { anInstallation } from '../support/process.ts';

interface Member {
  id: string;
  email: string;
  status: string;
  roles: string[];
  invitation?: { url: string; expires_at: string };
}

const acme = ['--project', 'acme'];

describe('the commands about members', () => {
  it('invite, renew, change, hand over and remove, as HTTP does', async () => {
    await using at = await anInstallation();
    await at.json(['projects', 'create', 'Example Ltd', '--id', 'acme', '--owner', 'ada@example.com']);
    const env = { ROSTER_PUBLIC_URL: 'https://people.example.com/roster/' };
    const words = ['members', 'invite', 'grace@example.com', ...acme, '--role', 'viewer', '--role', 'Admin', '--json'];
    const invited = JSON.parse((await at.run(words, { env })).stdout) as Member;
    expect(invited).toMatchObject({ email: 'grace@example.com', status: 'Pending', roles: ['Admin', 'Viewer'] });
    expect(invited.invitation?.url).toMatch(/^https:\/\/people\.example\.com\/roster\/join#[0-9A-Za-z]{30}$/);
    const { id } = invited;
    const again = ['members', 'reinvite', id, ...acme, '--expires-in', '2h', '--json'];
    const renewed = JSON.parse((await at.run(again, { env: { PORT: '8080' } })).stdout) as Member;
    expect(renewed.invitation?.url).toMatch(/^http:\/\/localhost:8080\/join#/);
    expect(await at.json(['members', 'set-roles', id, ...acme, '--role', 'Editor'])).toMatchObject({
      roles: ['Editor'],
    });
    expect(await at.json(['members', 'show', id, ...acme])).toMatchObject({ id, roles: ['Editor'] });
    const refusals: [string[], string][] = [
      [['transfer', '--to', 'grace@example.com'], 'only an Active one can become the Owner'],
      [['transfer', '--to', 'nobody@example.com'], 'no member with this address in '],
      [['show', 'nobody'], 'no member with this id in '],
      [['invite', 'Grace@example.com', '--role', 'Viewer'], `is a member with this address: ${id}; see`],
      [['invite', 'nobody', '--role', 'Viewer'], '<email> must be an e-mail address'],
      [['reinvite', id, '--expires-in', '1m'], '--expires-in must be a span from 1h to 30d'],
    ];
    for (const [given, sentence] of refusals) {
      const { code, stderr } = await at.run(['members', ...given, ...acme]);
      expect([given, code, stderr]).toEqual([
        given,
        expect.toSatisfy((n) => n !== 0),
        expect.stringContaining(sentence),
      ]);
    }
    const rows = 'email,status,roles\nGrace@example.com,Active,Editor\n';
    await at.run(['members', 'import', '-', '--format', 'csv', ...acme], { input: rows });
    const [owner] = (await at.json<{ members: Member[] }>(['members', 'list', ...acme, '--include', 'id'])).members;
    expect(await at.json(['members', 'transfer', ...acme, '--to', 'grace@example.com'])).toMatchObject({ id });
    const after = await at.json<{ members: Member[] }>(['members', 'list', ...acme]);
    expect(after.members).toEqual([
      { email: 'Grace@example.com', status: 'Active', roles: ['Owner', 'Editor'] },
      { email: 'ada@example.com', status: 'Active', roles: ['Admin'] },
    ]);
    expect((await at.run(['members', 'remove', id, ...acme])).stderr).toContain('roster members transfer');
    expect(await at.json(['members', 'remove', owner?.id ?? '', ...acme])).toEqual({
      id: owner?.id,
      outcome: 'removed',
    });
    const found = await at.json<{ members: Member[] }>([
      'members',
      'list',
      ...acme,
      '--role',
      'owner',
      '--status',
      'active',
    ]);
    expect(found.members).toHaveLength(1);
    expect((await at.run(['members', 'list', ...acme])).stdout).not.toContain('ada@example.com');
  });

  it('remove and set-roles name what the member made, and want --yes to end it', async () => {
    await using at = await anInstallation();
    await at.json(['projects', 'create', 'Example Ltd', '--id', 'acme', '--owner', 'ada@example.com']);
    await at.run(['members', 'import', '-', '--format', 'csv', ...acme], {
      input: 'email,status,roles\nbo@example.com,Active,Admin\n',
    });
    const listed = await at.json<{ members: Member[] }>(['members', 'list', ...acme, '--include', 'id']);
    const bo = listed.members[1]?.id ?? '';
    await using store = await openCurrentStore(at.databaseUrl);
    const actor = { ...operator('acme'), type: 'member', id: bo } as const;
    const { key } = (await run(createApiKey, store, actor, { name: 'CRM' })).output;
    const pending = (await run(inviteMember, store, actor, { email: 'cy@example.com', roles: ['Agent'] })).output;
    expect((await at.run(['keys', 'list', ...acme])).stdout).toContain('bo@example.com');

    const gone = { keys: [key.id], invitations: [pending.id] };
    const setRoles = ['members', 'set-roles', bo, ...acme, '--role', 'Viewer'];
    const remove = ['members', 'remove', bo, ...acme];
    for (const command of [setRoles, remove]) {
      expect(await at.json([...command, '--dry-run'])).toEqual(gone);
      const refused = await at.run(command);
      expect([refused.code, refused.stdout]).toEqual([2, '']);
      expect(refused.stderr).toContain(`The key ${key.id} (CRM) ends too.`);
      expect(refused.stderr).toContain(`The invitation of cy@example.com (${pending.id}) ends too.`);
      expect(refused.stderr).toContain('This ends 1 key and 1 invitation of the member; --keep-keys keeps them');
    }
    expect(await at.json([...setRoles, '--keep-keys'])).toMatchObject({ roles: ['Viewer'] });
    expect((await store.apiKeys.find('acme', key.id))?.revoked_at).toBeNull();
    expect(await at.json([...remove, '--yes'])).toEqual({ id: bo, outcome: 'removed' });
    expect((await store.apiKeys.find('acme', key.id))?.revoked_at).not.toBeNull();
    expect((await at.json<{ members: Member[] }>(['members', 'list', ...acme])).members).toHaveLength(1);
  });

  it('sign-out ends the sessions of a member, and the passkeys where it is asked to', async () => {
    await using at = await anInstallation();
    await at.json(['projects', 'create', 'Example Ltd', '--id', 'acme', '--owner', 'ada@example.com']);
    const { url } = await at.json<{ url: string }>(['console', 'link', '--member', 'ada@example.com']);
    await using store = await openCurrentStore(at.databaseUrl);
    const [owner] = (await store.members.list('acme', {}, 1, 0)).members;
    const ownerId = owner?.id ?? '';
    await run(signInByLink, store, invited(ownerId, 'acme', 'request'), {
      token: url.split('#')[1] ?? '',
      userAgent: undefined,
    });
    const signOut = ['members', 'sign-out', 'ADA@example.com'];
    expect(await at.json(signOut)).toEqual({ sessions: 1, passkeys: 0 });
    expect(await store.signIn.listSessions('acme', ownerId)).toEqual([]);
    expect(await at.json([...signOut, ...acme, '--passkeys'])).toEqual({ sessions: 0, passkeys: 0 });
    expect((await at.run(['members', 'sign-out', 'nobody@example.com'])).stderr).toContain(
      'no member with this address',
    );
  });
});
