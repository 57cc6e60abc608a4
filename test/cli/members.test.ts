import { describe, expect, it } from 'vitest';

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
});
