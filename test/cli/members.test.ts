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

  it('sign-out ends the sessions of a member', async () => {
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
  });
});
