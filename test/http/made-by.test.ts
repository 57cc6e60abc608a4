import { describe, expect, it } from 'vitest';

import { type GivenRole, givenRoles, type Role } from '../../src/members/member.ts';
import { type Scope, scopes } from '../../src/rights.ts';
import { appOfFile } from '../support/app.ts';
import { eventsOf } from '../support/events.ts';
import { createApiKey, importMembers, revokeApiKey } from '../support/people.ts';
import { aTeam, callsOf } from '../support/signed-in.ts';

const server = appOfFile();

interface Made {
  id: string;
  token: string;
  invitation: { url: string };
  keys: { id: string; revoked_at: string | null; created_by: object | null }[];
}

/** A project with an Owner, an Admin who is about to leave, and another Admin. */
async function aLeaving() {
  const team = await aTeam(server, ['Owner', 'Admin', 'Editor']);
  const [owner, admin] = [await team.signIn('Owner'), await team.signIn('Admin')];
  const adminId = await team.idOf('Admin');
  const make = async (by: typeof owner, path: string, body: object) =>
    (await by.call('POST', path, body)).json.data as unknown as Made;
  const byKey = (token: string) => (email: string, roles: Role[], id?: string) =>
    server.ask({
      method: id === undefined ? 'POST' : 'PATCH',
      url: id === undefined ? '/v2/members' : `/v2/members/${id}`,
      headers: { authorization: `Bearer ${token}` },
      payload: id === undefined ? { email, roles } : { roles },
    });
  return {
    ...team,
    owner,
    admin,
    adminId,
    byKey,
    key: (by: typeof owner, wanted: readonly Scope[]) => make(by, '/keys', { name: 'k', scopes: wanted }),
    invite: (by: typeof owner, email: string, roles: Role[]) => make(by, '/members', { email, roles }),
    keys: async () => ((await owner.call('GET', '/keys')).json.data as unknown as Made).keys,
    people: async () =>
      (await server.store.members.list(team.projectId, {}, 100, 0)).members.map(({ email }) => email.split('@')[0]),
    /** The types and subjects of the events since the last look. */
    changes: async () =>
      (await eventsOf(server.store, team.projectId)).map(({ type, key_id: key, member_id: member }) => [
        type,
        key ?? member,
      ]),
  };
}

describe('what a member made', () => {
  it('names them: keys in every list, and its successor whoever rotated it', async () => {
    const team = await aLeaving();
    const { id } = await team.key(team.admin, ['contacts:read']);
    await team.owner.call('POST', `/keys/${id}/rotate`, {});
    const makers = (await team.keys()).map(({ created_by: maker }) => maker);
    expect(makers).toEqual([
      { type: 'operator', id: 'cli' },
      { type: 'member', id: team.adminId },
      { type: 'member', id: await team.idOf('Owner') },
    ]);
  });

  it('goes with them in the same commit: keys, invitations by them, and those by keys of theirs', async () => {
    const team = await aLeaving();
    const all = await team.key(team.admin, scopes);
    const narrow = await team.key(team.admin, ['chatbots:read']);
    const others = await team.key(team.owner, scopes);
    const ended = await team.key(team.admin, scopes);
    const own = await team.invite(team.admin, 'own@example.com', ['Viewer']);
    await team.invite(team.owner, 'kept@example.com', ['Admin']);
    const byKey = (await team.byKey(all.token)('back@example.com', ['Admin'])).json.data as unknown as Made;
    const byEnded = (await team.byKey(ended.token)('late@example.com', ['Admin'])).json.data as unknown as Made;
    await revokeApiKey(server.store, ended.id);
    // The Owner makes the link anew, so that the Admin knows no link of it.
    const again = await team.invite(team.admin, 'again@example.com', ['Admin']);
    await team.owner.call('POST', `/members/${again.id}/invitation`, {});
    const path = `/members/${team.adminId}`;
    const before = await team.changes();

    const preview = await team.owner.call('DELETE', `${path}?dry_run=true`);
    const gone = { keys: [all.id, narrow.id], invitations: [own.id, byKey.id, byEnded.id] };
    expect([preview.status, preview.json]).toEqual([200, { status: 'success', data: gone }]);
    expect(await team.changes()).toEqual(before);

    const removed = await team.owner.call('DELETE', path);
    expect([removed.status, removed.body]).toEqual([200, '{"status":"success"}']);
    expect(await team.people()).toEqual(['owner', 'editor', 'kept', 'again']);
    const left = (await team.keys()).filter(({ revoked_at: at }) => at === null).map(({ id }) => id);
    expect(left).toEqual([team.keyId, others.id]);
    expect((await team.byKey(all.token)('mallory@example.com', ['Admin'])).status).toBe(401);
    const [, secret = ''] = byKey.invitation.url.split('#');
    expect((await callsOf(server)('POST', '/join', { token: secret })).status).toBe(404);
    expect((await team.changes()).slice(before.length)).toEqual([
      ['member.removed', team.adminId],
      ...gone.keys.map((id) => ['key.revoked', id]),
      ...gone.invitations.map((id) => ['member.removed', id]),
    ]);
  });

  it('goes with a role as far as it is beyond the rights that are left, and stays where keep_keys says so', async () => {
    const team = await aLeaving();
    const beyond = await team.key(team.admin, ['contacts:read', 'chatbots:read']);
    const within = await team.key(team.admin, ['chatbots:read', 'chatbots:write']);
    const agent = await team.invite(team.admin, 'agent@example.com', ['Agent']);
    const viewer = await team.invite(team.admin, 'viewer@example.com', ['Viewer']);
    const path = `/members/${team.adminId}`;
    const gains = await team.owner.call('PATCH', `${path}?dry_run=true`, { roles: ['Admin', 'Editor'] });
    expect(gains.json.data).toEqual({ keys: [], invitations: [] });
    const loses = { roles: ['Editor'] };
    const preview = await team.owner.call('PATCH', `${path}?dry_run=true`, loses);
    expect(preview.json.data).toEqual({ keys: [beyond.id], invitations: [agent.id] });
    const kept = await team.owner.call('PATCH', `${path}?dry_run=true&keep_keys=true`, loses);
    expect(kept.json.data).toEqual({ keys: [], invitations: [] });

    const { json } = await team.owner.call('PATCH', path, loses);
    expect(json.data).toMatchObject({ id: team.adminId, roles: ['Editor'] });
    expect(await team.people()).toEqual(['owner', 'admin', 'editor', 'viewer']);
    const left = async () => (await team.keys()).filter(({ revoked_at: at }) => at === null).map(({ id }) => id);
    expect(await left()).toEqual([team.keyId, within.id]);
    expect((await team.owner.call('DELETE', `${path}?keep_keys=true`)).status).toBe(200);
    expect(await left()).toEqual([team.keyId, within.id]);
    expect(await team.people()).toEqual(['owner', 'editor', 'viewer']);
    expect(viewer.id).toBeTypeOf('string');
  });

  it('goes with a role that an import takes away', async () => {
    const team = await aLeaving();
    const { id } = await team.key(team.admin, scopes);
    await team.invite(team.admin, 'gone@example.com', ['Admin']);
    await importMembers(server.store, team.projectId, [{ email: 'admin@example.com', roles: ['Viewer'] }]);
    expect((await server.store.apiKeys.find(team.projectId, id))?.revoked_at).not.toBeNull();
    expect(await team.people()).toEqual(['owner', 'admin', 'editor']);
  });

  it('stays with whoever hands the project over, as an Admin has the rights of all keys', async () => {
    const team = await aLeaving();
    const { id } = await team.key(team.owner, scopes);
    await team.invite(team.owner, 'kept@example.com', ['Admin']);
    await team.owner.call('POST', `/members/${team.adminId}/transfer`, {});
    const { revoked_at: at } = (await server.store.apiKeys.find(team.projectId, id)) ?? {};
    expect([at, await team.people()]).toEqual([null, ['admin', 'owner', 'editor', 'kept']]);
  });
});

describe('a key with members:write', () => {
  const needed: Record<GivenRole, Scope[]> = {
    Admin: scopes.filter((scope) => !scope.startsWith('webhooks:')),
    Editor: ['chatbots:write'],
    Analyst: ['contacts:write', 'chatbots:read'],
    Agent: ['contacts:read', 'chatbots:read'],
    Billing: ['project:read'],
    Viewer: ['chatbots:read'],
  };

  it('gives no role above its scopes, by no way, and is told which scope is missing', async () => {
    const team = await aLeaving();
    const editor = await team.idOf('Editor');
    const keyWith = async (wanted: readonly Scope[]) =>
      (await createApiKey(server.store, team.projectId, { name: 'k', scopes: ['members:write', ...wanted] })).token;
    for (const role of givenRoles) {
      const enough = await keyWith(needed[role]);
      const [last = 'project:read', ...rest] = needed[role].filter((scope) => scope !== 'members:write').toReversed();
      const less = await keyWith(rest);
      const pending = (await team.byKey(enough)(`new-${role}@example.com`, [role])).json.data as unknown as Made;
      const link = (token: string) =>
        server.ask({
          method: 'POST',
          url: `/v2/members/${pending.id}/invitation`,
          headers: { authorization: `Bearer ${token}` },
        });
      const refused = [await team.byKey(less)('eve@example.com', [role]), await link(less)];
      if (role !== 'Editor') refused.push(await team.byKey(less)('', [role], editor));
      for (const { status, json, headers } of refused) {
        expect([status, json.code]).toEqual([403, 'insufficient_scope']);
        expect(json['message']).toBe(`The API key lacks ${last}, so it cannot give the role ${role}`);
        expect(headers['www-authenticate']).toContain(`scope="${last}"`);
      }
      expect((await link(enough)).status).toBe(200);
      expect((await team.byKey(enough)('', [role], editor)).status).toBe(200);
      await team.owner.call('PATCH', `/members/${editor}`, { roles: ['Editor'] });
    }
  });

  it('needs no scope for a role that the member has already', async () => {
    const team = await aLeaving();
    const given = { name: 'k', scopes: ['members:write', 'chatbots:read'] satisfies Scope[] };
    const { token } = await createApiKey(server.store, team.projectId, given);
    const { status } = await team.byKey(token)('', ['Admin', 'Viewer'], team.adminId);
    expect(status).toBe(200);
  });
});

describe('the usable keys of a project', () => {
  it('are a hundred at most; ended and rotated ones do not count', async () => {
    const team = await aLeaving();
    const make = () => team.owner.call('POST', '/keys', { name: 'k', scopes: ['contacts:read'] });
    const expired = createApiKey(server.store, team.projectId, { name: 'k', expiresInSeconds: -1 });
    const { key } = await createApiKey(server.store, team.projectId, { name: 'k' });
    await Promise.all([expired, team.owner.call('POST', `/keys/${key.id}/rotate`, { overlap: '1d' })]);
    // Two are there: that of the project, and the successor.
    const answers: Awaited<ReturnType<typeof make>>[] = [];
    for (let round = 0; round < 10; round++) answers.push(...(await Promise.all(Array.from({ length: 10 }, make))));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(98);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.json.code).toBe('keys_exhausted');
    expect((await team.owner.call('POST', `/keys/${team.keyId}/rotate`, {})).status).toBe(200);
    await revokeApiKey(server.store, (await team.keys()).at(-1)?.id ?? '');
    expect((await make()).status).toBe(201);
  });

  it.each([
    ['/keys', { name: 'k', scopes: ['contacts:read'], expires_in: '450000w' }, 'expires_in'],
    ['/keys', { name: 'k', scopes: ['contacts:read'], expires_in: '00d' }, 'expires_in'],
    ['/keys/KEY/rotate', { overlap: '36501d' }, 'overlap'],
    ['/keys', { name: 'k', scopes: ['contacts:read'], expires_in: '36500d' }, undefined],
  ])('end within a hundred years, and not before they begin: %s %j', async (path, body, field) => {
    const team = await aLeaving();
    const { json } = await team.owner.call('POST', path.replace('KEY', team.keyId), body);
    expect(json.errors?.[0]?.field).toBe(field);
  });
});
