import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { setupLink } from '../../src/cli/setup-link.ts';
import { storeOn } from '../../src/database/open-store.ts';
import type { EventType } from '../../src/events/event.ts';
import { consoleRoutes } from '../../src/http/console/routes.ts';
import { inviteMember, reinviteMember } from '../../src/members/invite.ts';
import { roles } from '../../src/members/member.ts';
import { transferOwnershipTo } from '../../src/members/transfer.ts';
import { run, scopesOf } from '../../src/operation.ts';
import { createSetupLink } from '../../src/sign-in/link.ts';
import { newId } from '../../src/values/identifier.ts';
import { appOfFile, openApp, portOf, type TestAnswer } from '../support/app.ts';
import { anAuthenticator } from '../support/authenticator.ts';
import { at } from '../support/clock.ts';
import { engineOfRun, openStoreOfRun } from '../support/engines.ts';
import { eventsOf } from '../support/events.ts';
import { aMember, aProject } from '../support/people.ts';
import { rightsOf } from '../support/rights.ts';
import { aTeam, type Call, callsOf, cookieOf, linkFor, ownPage } from '../support/signed-in.ts';

const server = appOfFile();

const origin = 'https://roster.test';
interface Data {
  id: string;
  member: { id: string };
  url: string;
  rights: string[];
  session: { id: string; fresh_until: string | null };
  sessions: { id: string; is_current: boolean }[];
  publicKey: { challenge: string; rpId: string; rp: { id: string } };
}
const dataOf = ({ json }: TestAnswer) => json.data as unknown as Data;
const tokenOf = (answer: TestAnswer) => dataOf(answer).url.split('#')[1] ?? '';
const anyone = callsOf(server);
/** A passkey that the session of a caller has asked for. */
const aCredential = async (call: Call, authenticator = anAuthenticator()) =>
  authenticator.create(dataOf(await call('POST', '/passkeys/options', {})).publicKey, origin);
/** The status of the session of a caller. */
const stateOf = async ({ call }: { call: Call }) => (await call('GET', '/session')).status;
const hours = 3_600_000;

describe('a sign-in link', () => {
  it('signs its member in, once, with a cookie that no script and no other site gets', async () => {
    const team = await aTeam(server);
    const token = await linkFor(server.store, team.projectId, await team.idOf('Owner'));
    const answer = await anyone('POST', '/sign-in/link', { token });
    expect(answer.status).toBe(200);
    expect(answer.headers['set-cookie']).toMatch(
      /^__Host-roster=[0-9A-Za-z]{30}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000; Secure$/,
    );
    expect(dataOf(answer)).toMatchObject({ member: { email: 'owner@example.com' }, session: { method: 'link' } });
    const [again, unknown] = await Promise.all(
      [token, 'x'.repeat(30)].map((one) => anyone('POST', '/sign-in/link', { token: one })),
    );
    expect([again?.status, again?.json.code]).toEqual([404, 'not_found']);
    expect({ ...unknown?.json, request_id: '' }).toEqual({ ...again?.json, request_id: '' });
  });

  it('is dead after fifteen minutes, and once there is a newer one, or its member is gone', async () => {
    const team = await aTeam(server, ['Owner', 'Editor']);
    const editor = await team.idOf('Editor');
    const late = await at(new Date(Date.now() - hours / 4), () => linkFor(server.store, team.projectId, editor));
    const use = async (token: string) => (await anyone('POST', '/sign-in/link', { token })).status;
    expect(await use(late)).toBe(404);
    const older = await linkFor(server.store, team.projectId, editor);
    const newer = await linkFor(server.store, team.projectId, editor);
    expect(await use(older)).toBe(404);
    const { call } = await team.signIn();
    expect((await call('DELETE', `/members/${editor}`)).status).toBe(200);
    expect(await use(newer)).toBe(404);
  });

  it('is made by members for themselves, and by the Owner for all: whoever has it acts as that member', async () => {
    const team = await aTeam(server, ['Owner', 'Admin', 'Viewer']);
    for (const [by, whom, status] of [
      ['Viewer', 'Viewer', 200],
      ['Viewer', 'Admin', 403],
      ['Admin', 'Viewer', 403],
      ['Admin', 'Owner', 403],
      ['Owner', 'Admin', 200],
      // Nobody has this role, nor the id.
      ['Viewer', 'Billing', 403],
    ] as const) {
      const { call } = await team.signIn(by);
      const id = (await team.idOf(whom)) || 'nobody';
      expect([by, whom, (await call('POST', `/members/${id}/sign-in-link`, {})).status]).toEqual([by, whom, status]);
    }
  });
});

describe('the link of the first run', () => {
  const setUp = async (projectId: string) => {
    const actor = operator(projectId);
    const made = await run(createSetupLink, server.store, actor, { memberId: null }, { publicUrl: origin });
    return made.output.url.split('#')[1] ?? '';
  };

  it('makes the project and its Owner where neither is there, and says before what it needs', async () => {
    const projectId = newId();
    const token = await setUp(projectId);
    const call = callsOf(server);
    const asked = await call('POST', '/setup', { token });
    const errors = asked.json.errors?.map(({ field, code }) => `${field} ${code}`);
    expect([asked.status, errors]).toEqual([422, ['email required', 'project_name required']]);
    const made = await call('POST', '/setup', { token, email: 'ada@example.com', project_name: 'Example Ltd' });
    expect(dataOf(made)).toMatchObject({
      project: { id: projectId, name: 'Example Ltd' },
      member: { email: 'ada@example.com', roles: ['Owner'] },
    });
    expect((await call('POST', '/setup', { token, email: 'eve@example.com', project_name: 'x' })).status).toBe(404);
  });

  it('is no way to become the Owner for whoever has another link, nor once there is an Owner', async () => {
    const team = await aTeam(server, ['Owner', 'Viewer']);
    const viewer = await team.signIn('Viewer');
    const own = await viewer.call('POST', `/members/${await team.idOf('Viewer')}/sign-in-link`, {});
    const token = tokenOf(own);
    const used = await anyone('POST', '/setup', { token, email: 'eve@example.com' });
    expect(dataOf(used)).toMatchObject({ member: { roles: ['Viewer'] } });
    const late = await setUp(team.projectId);
    expect((await anyone('POST', '/setup', { token: late, email: 'eve@example.com' })).status).toBe(404);
  });

  it('makes an Owner for a project without one, also of somebody who is a member', async () => {
    for (const email of ['new@example.com', 'editor@example.com']) {
      const team = await aTeam(server, ['Editor']);
      const token = await setUp(team.projectId);
      const made = await anyone('POST', '/setup', { token, email });
      expect(dataOf(made)).toMatchObject({ member: { email, roles: expect.arrayContaining(['Owner']) } });
      const { members } = await server.store.members.list(team.projectId, { role: 'Owner' }, 10, 0);
      expect(members.map((member) => member.email)).toEqual([email]);
    }
  });
});

describe('the link that serve prints', () => {
  it('is for the oldest project without an Owner who can sign in, and none once all can', async () => {
    // Without a project at first.
    await using server = await openApp();
    const { store } = server;
    const token = async () => (await setupLink(store, origin))?.url.split('#')[1];
    const setUp = async (more: object) => {
      const answer = await callsOf(server)('POST', '/setup', { token: await token(), ...more });
      return [answer.status, answer.json.errors?.map(({ field }) => field)];
    };
    expect(await setUp({})).toEqual([422, ['email', 'project_name']]);
    await aTeam(server, ['Editor']);
    expect(await setUp({})).toEqual([422, ['email']]);
    expect(await setUp({ email: 'ada@example.com' })).toEqual([200, undefined]);
    await aTeam(server);
    // The Owner is known, and has never signed in.
    expect(await setUp({})).toEqual([200, undefined]);
    // Whoever is Pending joins by an invitation.
    await aProject(store, { members: [aMember({ status: 'Pending', roles: ['Owner'] })] });
    expect(await token()).toBeUndefined();
  });
});

describe('an invitation', () => {
  it('for an Owner who is Pending is made by the command line alone: whoever has it becomes the Owner', async () => {
    const members = [aMember({ status: 'Pending', roles: ['Owner'] }), aMember({ email: 'bo@example.com' })];
    const { projectId } = await aProject(server.store, { members });
    const { members: found } = await server.store.members.list(projectId, {}, 2, 0);
    const [boss, admin] = found.map(({ id }) => id);
    const token = await linkFor(server.store, projectId, admin ?? '');
    const call = callsOf(server, cookieOf(await anyone('POST', '/sign-in/link', { token })));
    expect((await call('POST', `/members/${boss}/invitation`, {})).json.code).toBe('owner_protected');
    const made = run(reinviteMember, server.store, operator(projectId), { memberId: boss ?? '' });
    expect((await made).output.invitation).not.toBeNull();
  });

  it('lets the person join and be signed in, once', async () => {
    const team = await aTeam(server);
    const invite = { email: 'grace@example.com', roles: ['Editor' as const] };
    const { output } = await run(inviteMember, server.store, operator(team.projectId), invite, { publicUrl: origin });
    const token = output.invitation?.url.split('#')[1] ?? '';
    const joined = await anyone('POST', '/join', { token });
    expect(dataOf(joined)).toMatchObject({ member: { email: 'grace@example.com' }, session: { method: 'invitation' } });
    expect(await stateOf({ call: callsOf(server, cookieOf(joined)) })).toBe(200);
    expect((await anyone('POST', '/join', { token })).status).toBe(404);
  });
});

describe('a session', () => {
  it('is over after twelve idle hours, and after thirty days however much it is used', async () => {
    const team = await aTeam(server);
    const start = Date.now();
    const later = (ms: number) => new Date(start + ms);
    const idle = await team.signIn();
    expect((await at(later(12 * hours - 5_000), () => idle.call('GET', '/session'))).status).toBe(200);
    const other = await team.signIn();
    expect((await at(later(12 * hours + 5_000), () => other.call('GET', '/session'))).status).toBe(401);
    const used = await team.signIn();
    for (let ms = 0; ms < 30 * 24 * hours; ms += 11 * hours) {
      expect((await at(later(ms), () => used.call('GET', '/session'))).status).toBe(200);
    }
    expect((await at(later(30 * 24 * hours + 5_000), () => used.call('GET', '/session'))).status).toBe(401);
  });

  it('is over after twelve hours in which a page only waited for events', async () => {
    const { call } = await (await aTeam(server)).signIn();
    const start = Date.now();
    const statusAt = async (ms: number, path: string) =>
      (await at(new Date(start + ms), () => call('GET', path))).status;
    expect(await statusAt(11 * hours, '/events?limit=1')).toBe(200);
    expect(await statusAt(12 * hours + 5_000, '/events?limit=1')).toBe(401);
    expect(await statusAt(12 * hours + 5_000, '/session')).toBe(401);
  });

  it.each([0, 30])('says that a deleted contact can be restored for %i days', async (binDays) => {
    await using opened = await openStoreOfRun();
    await using server = await openApp({}, storeOn(opened.database, { binDays }));
    const { call, answer } = await (await aTeam(server)).signIn();
    expect(answer.json.data).toMatchObject({ bin_days: binDays });
    expect((await call('GET', '/session')).json.data).toMatchObject({ bin_days: binDays });
  });

  it('ends at once when its member is removed, or loses a role, also where the role comes back', async () => {
    const team = await aTeam(server, ['Owner', 'Editor', 'Agent']);
    const owner = await team.signIn();
    const [editor, agent] = [await team.signIn('Editor'), await team.signIn('Agent')];
    const [editorId, agentId] = [await team.idOf('Editor'), await team.idOf('Agent')];
    await owner.call('PATCH', `/members/${agentId}`, { roles: ['Agent', 'Billing'] });
    const rights = dataOf(await agent.call('GET', '/session')).rights;
    expect(rights).toEqual(['contacts:read', 'chatbots:read', 'project:read']);
    for (const roles of [['Billing'], ['Agent']]) await owner.call('PATCH', `/members/${agentId}`, { roles });
    await owner.call('DELETE', `/members/${editorId}`);
    expect(await stateOf(agent)).toBe(401);
    expect(await stateOf(editor)).toBe(401);
    expect(await stateOf(owner)).toBe(200);
  });

  it('takes the link that its member made along when they sign out', async () => {
    const team = await aTeam(server);
    const { call } = await team.signIn();
    const token = tokenOf(await call('POST', `/members/${await team.idOf('Owner')}/sign-in-link`, {}));
    expect((await call('POST', '/sign-out', {})).status).toBe(200);
    expect((await anyone('POST', '/sign-in/link', { token })).status).toBe(404);
  });

  it('by a link that its member made proves no more than the session that made it', async () => {
    const team = await aTeam(server);
    const { call, answer } = await team.signIn();
    const own = tokenOf(await call('POST', `/members/${await team.idOf('Owner')}/sign-in-link`, {}));
    const later = new Date(Date.now() + hours / 30);
    const second = await at(later, () => anyone('POST', '/sign-in/link', { token: own }));
    expect(dataOf(second).session.fresh_until).toBe(dataOf(answer).session.fresh_until);
  });

  it('hands the project over in the name of who is the Owner still, and leaves the new one no old way in', async () => {
    const team = await aTeam(server, ['Owner', 'Editor', 'Viewer']);
    const [editorId, viewerId] = [await team.idOf('Editor'), await team.idOf('Viewer')];
    const [owner, editor] = [await team.signIn(), await team.signIn('Editor')];
    const planted = await linkFor(server.store, team.projectId, editorId);
    const old = { ...operator(team.projectId), type: 'member', id: await team.idOf('Owner') } as const;
    expect((await owner.call('POST', `/members/${editorId}/transfer`, {})).status).toBe(200);
    expect(await stateOf(editor)).toBe(401);
    expect((await anyone('POST', '/sign-in/link', { token: planted })).status).toBe(404);
    const late = run(transferOwnershipTo, server.store, old, { memberId: viewerId });
    await expect(late).rejects.toMatchObject({ code: 'insufficient_scope' });
  });

  it('is looked at again when the body has come', async () => {
    const team = await aTeam(server, ['Owner', 'Admin']);
    const [owner, admin] = [await team.signIn(), await team.signIn('Admin')];
    const port = await portOf(server.app);
    const body = JSON.stringify({ name: 'x', scopes: ['contacts:read'] });
    const headers = { ...ownPage, cookie: admin.cookie, host: 'roster.test', 'content-type': 'application/json' };
    const length = { 'content-length': body.length };
    const slow = request({ port, path: '/console/api/keys', method: 'POST', headers: { ...headers, ...length } });
    slow.write(body.slice(0, 5));
    await sleep(200);
    await owner.call('DELETE', `/members/${await team.idOf('Admin')}`);
    slow.end(body.slice(5));
    const [response] = (await once(slow, 'response')) as [IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(401);
  });

  it('is listed and ended by its owner alone, and replaced by a new one in the same browser', async () => {
    const team = await aTeam(server, ['Owner', 'Admin']);
    const [one, two, admin] = [await team.signIn(), await team.signIn(), await team.signIn('Admin')];
    const { sessions } = dataOf(await one.call('GET', '/sessions'));
    expect(sessions.map(({ is_current }) => is_current)).toEqual(expect.arrayContaining([false, true]));
    const other = sessions.find(({ is_current }) => !is_current)?.id ?? '';
    expect((await admin.call('DELETE', `/sessions/${other}`)).status).toBe(404);
    expect((await one.call('DELETE', `/sessions/${other}`)).status).toBe(200);
    expect(await stateOf(two)).toBe(401);
    const token = await linkFor(server.store, team.projectId, await team.idOf('Owner'));
    const fresh = await callsOf(server, one.cookie)('POST', '/sign-in/link', { token });
    expect(cookieOf(fresh)).not.toBe(one.cookie);
    expect(await stateOf(one)).toBe(401);
    const out = await callsOf(server, cookieOf(fresh))('POST', '/sign-out', {});
    expect(out.headers['set-cookie']).toMatch(/^__Host-roster=; .*Max-Age=0/);
    expect(await stateOf({ call: callsOf(server, cookieOf(fresh)) })).toBe(401);
    const types: EventType[] = ['session.started', 'session.ended'];
    const told = await eventsOf(server.store, team.projectId, { types, memberId: await team.idOf('Owner') });
    // Two sign-ins, the end of one, a third sign-in in place of the other, and the sign-out.
    const order = told.map(({ type }) => type.slice('session.'.length)).join(' ');
    expect(order).toBe('started started ended started ended ended');
    for (const { actor, member_id: id, request_id: of } of told)
      expect([actor.id, of]).toEqual([id, expect.any(String)]);
  });

  it('tells when members were last seen, who has a passkey, and until when an invitation is good', async () => {
    const team = await aTeam(server, ['Owner', 'Viewer', 'Billing']);
    const then = new Date(Date.now() - 3 * hours);
    await at(then, () => team.signIn('Viewer'));
    const { call } = await team.signIn();
    const invited = await call('POST', '/members', { email: 'new@example.com', roles: ['Viewer'] });
    await call('POST', '/passkeys', { credential: await aCredential(call) });
    const { json } = await call('GET', '/members/access');
    const { access } = json.data as unknown as { access: Record<string, unknown>[] };
    const of = (id: unknown) => access.find((one) => one['member_id'] === id);
    expect(of(await team.idOf('Owner'))).toMatchObject({ has_passkey: true, invitation_expires_at: null });
    const seen = of(await team.idOf('Viewer'));
    expect(seen).toMatchObject({ has_passkey: false });
    expect(Math.abs(Date.parse(String(seen?.['last_seen_at'])) - then.getTime())).toBeLessThan(60_000);
    expect(of(await team.idOf('Billing'))).toBeUndefined();
    const { invitation } = invited.json.data as unknown as { invitation: { expires_at: string } };
    const pending = access.filter((one) => one['invitation_expires_at'] !== null);
    expect(pending).toMatchObject([{ invitation_expires_at: invitation.expires_at, last_seen_at: null }]);
  });

  it('is no API key, nor a key a session; /v2 takes no cookie', async () => {
    const team = await aTeam(server);
    const { cookie } = await team.signIn();
    const token = cookie.split('=')[1] ?? '';
    expect((await server.get('/v2/members', token)).status).toBe(401);
    expect((await server.get('/v2/members', undefined, { cookie, ...ownPage })).status).toBe(401);
    for (const one of [token, team.token]) {
      expect((await anyone('GET', '/members', undefined, { authorization: `Bearer ${one}` })).status).toBe(401);
    }
    expect((await callsOf(server, `__Host-roster=${team.token}`)('GET', '/members')).status).toBe(401);
    // Somebody else has set a second cookie of this name.
    expect((await callsOf(server, `${cookie}; __Host-roster=x`)('GET', '/session')).status).toBe(401);
  });

  it('wants a fresh proof for keys, webhooks, members, the hand-over and what is deleted for good', async () => {
    const team = await aTeam(server, ['Owner', 'Admin']);
    const old = await at(new Date(Date.now() - 2 * hours), () => team.signIn());
    const admin = await team.idOf('Admin');
    const grave = [
      ['POST', '/keys', { name: 'x', scopes: ['contacts:read'] }],
      ['POST', `/keys/${team.keyId}/rotate`, {}],
      ['POST', '/webhooks', { url: 'https://example.com/hook', events: ['contact.*'] }],
      ['PATCH', `/webhooks/${newId()}`, { url: 'https://example.com/hook' }],
      ['POST', `/webhooks/${newId()}/rotate`, {}],
      ['POST', `/webhooks/${newId()}/test`, {}],
      ['POST', `/members/${admin}/transfer`, {}],
      ['POST', `/members/${admin}/sign-in-link`, {}],
      ['POST', '/members', { email: 'eve@example.com', roles: ['Admin'] }],
      ['POST', `/members/${admin}/invitation`, {}],
      ['PATCH', `/members/${admin}`, { roles: ['Viewer'] }],
      // There nothing is dry.
      ['POST', '/members?dry_run=true', { email: 'eve@example.com', roles: ['Admin'] }],
      ['DELETE', `/members/${admin}`, undefined],
      ['DELETE', `/members/${admin}?keep_keys=true`, undefined],
      ['POST', `/members/${admin}/sign-out`, { passkeys: true }],
      ['DELETE', `/passkeys/${newId()}`, undefined],
      ['DELETE', `/chatbots/${team.chatbotId}`, undefined],
      ['DELETE', `/chatbots/${team.chatbotId}/contacts/${newId()}?purge=true`, undefined],
      ['DELETE', `/chatbots/${team.chatbotId}/contacts/${newId()}?%70urge=%74rue`, undefined],
      ['DELETE', `/chatbots/${team.chatbotId}/contacts/${newId()}?x=?&purge=true`, undefined],
      ['POST', '/contacts/erase', { contacts: [{ chatbot_id: team.chatbotId, id: newId() }] }],
      ['POST', '/contacts/erase?dry_run=true', { contacts: [{ chatbot_id: team.chatbotId, id: newId() }] }],
    ] as const;
    for (const [method, path, body] of grave) {
      const { status, json } = await old.call(method, path, body);
      expect([path, status, json.code]).toEqual([path, 403, 'fresh_sign_in_required']);
    }
    expect((await old.call('DELETE', `/members/${admin}?dry_run=true`)).status).toBe(200);
    const fresh = await team.signIn();
    const made = await fresh.call('POST', '/keys', { name: 'x', scopes: ['contacts:read'], expires_in: '90d' });
    expect([made.status, dataOf(made)]).toEqual([201, expect.objectContaining({ token: expect.any(String) })]);
    expect((await fresh.call('DELETE', `/chatbots/${team.chatbotId}`)).json.data).toEqual({ is_done: true, purged: 0 });
    expect((await fresh.call('POST', `/members/${admin}/transfer`, {})).status).toBe(200);
    // The former Owner has lost a role.
    expect(await stateOf(fresh)).toBe(401);
  });
});

describe('who guesses', () => {
  it('is counted once for keys, links and invitations together', async () => {
    await using server = await openApp({ rateLimit: 300 });
    const guess = () => callsOf(server)('POST', '/sign-in/link', { token: 'x'.repeat(30) });
    for (let i = 0; i < 40; i++) expect((await server.get('/v2/members', 'x'.repeat(30))).status).toBe(401);
    const invited = { method: 'POST', url: '/v2/invitations/accept', payload: { token: 'x'.repeat(30) } } as const;
    for (let i = 0; i < 10; i++) expect((await guess()).status).toBe(404);
    for (let i = 0; i < 10; i++) expect((await server.ask(invited)).status).toBe(404);
    expect([(await guess()).status, (await server.ask(invited)).status]).toEqual([429, 429]);
    expect((await server.get('/v2/members', 'x'.repeat(30))).status).toBe(429);
  });
});

describe('another site', () => {
  it('can neither write nor read in the name of who is signed in', async () => {
    await using server = await openApp({ corsOrigins: ['https://crm.example.com'] });
    const team = await aTeam(server);
    const { cookie } = await team.signIn();
    const ask = (method: 'GET' | 'POST', headers: object) =>
      server.ask({ method, url: '/console/api/chatbots', headers: { cookie, ...headers }, payload: { name: 'x' } });
    const foreign = [
      {},
      { origin: 'https://evil.example.com' },
      { origin: 'https://crm.example.com' },
      { origin: 'null' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site', origin },
      { 'sec-fetch-site': 'none' },
      { ...ownPage, origin: 'https://evil.example.com' },
      { ...ownPage, host: 'evil.example.com' },
      { origin: 'http://roster.test' },
    ];
    for (const headers of foreign) {
      const { status, json } = await ask('POST', headers);
      expect([headers, status, json.code]).toEqual([headers, 403, 'forbidden_origin']);
    }
    expect((await ask('GET', { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    const read = await ask('GET', { origin: 'https://crm.example.com', 'sec-fetch-site': 'cross-site' });
    expect([read.status, read.headers['access-control-allow-origin']]).toEqual([403, undefined]);
    const token = await linkFor(server.store, team.projectId, await team.idOf('Owner'));
    const login = await callsOf(server)('POST', '/sign-in/link', { token }, { 'sec-fetch-site': 'cross-site' });
    expect(login.status).toBe(403);
    expect(await server.store.chatbots.count(team.projectId)).toBe(1);
  });
});

// The refusal comes before any statement of an engine.
describe.runIf(engineOfRun === 'SQLite')('the roles', () => {
  it.each(roles)('of %s have exactly their rights, on every route', async (role) => {
    const team = await aTeam(server, role === 'Owner' ? ['Owner'] : ['Owner', role]);
    const { call } = await team.signIn(role);
    for (const { method, path, operation } of consoleRoutes) {
      // Ids that nobody has: the refusal of a right comes first.
      const filled = path.replace('/console/api', '').replaceAll(/:\w+/g, newId());
      const { status } = await call(method, filled, method === 'GET' || method === 'DELETE' ? undefined : {});
      // Of links for others, as nobody has this id.
      const scopes = path.endsWith('/sign-in-link') ? ['ownership'] : scopesOf(operation).map(String);
      const isAllowed = scopes.every((scope) => scope === 'any-key' || rightsOf[role].test(scope));
      if (operation.scope === 'any-key' && filled.startsWith('/sessions/')) continue;
      expect([method, path, status === 403]).toEqual([method, path, !isAllowed]);
    }
  });
});

describe('a passkey', () => {
  const withPasskey = async () => {
    const team = await aTeam(server, ['Owner', 'Viewer']);
    const { call, cookie } = await team.signIn();
    const authenticator = anAuthenticator();
    const credential = await aCredential(call, authenticator);
    const made = await call('POST', '/passkeys', { credential, name: 'Laptop' });
    const options = async () => dataOf(await anyone('POST', '/sign-in/passkey/options', {})).publicKey;
    return { team, call, cookie, authenticator, credential, made, options };
  };

  it('signs its member in, and renews the proof of a session', async () => {
    const { team, made, authenticator, options, call } = await withPasskey();
    expect([made.status, dataOf(made)]).toEqual([201, expect.objectContaining({ name: 'Laptop' })]);
    const credential = authenticator.get(await options(), origin);
    const signedIn = await anyone('POST', '/sign-in/passkey', { credential });
    expect(dataOf(signedIn)).toMatchObject({ member: { email: 'owner@example.com' }, session: { method: 'passkey' } });
    const old = await at(new Date(Date.now() - hours / 10), () => team.signIn());
    // With a passkey a link proves it for five minutes alone.
    expect((await old.call('POST', '/keys', {})).json.code).toBe('fresh_sign_in_required');
    const { id } = dataOf(await old.call('GET', '/session')).session;
    const again = authenticator.get(await options(), origin);
    const renewed = await old.call('POST', '/sign-in/passkey', { credential: again });
    expect(dataOf(renewed)).toMatchObject({ session: { id, fresh_until: expect.any(String) } });
    expect(renewed.headers['set-cookie']).toBeUndefined();
    const events = await eventsOf(server.store, team.projectId);
    expect(events.filter(({ type }) => type === 'passkey.added')).toHaveLength(1);
    expect((await call('GET', '/passkeys')).json.data).toMatchObject({ passkeys: [{ name: 'Laptop' }] });
  });

  it('is refused with a replayed, foreign, guessed or late answer, all alike', async () => {
    const { authenticator, options, team } = await withPasskey();
    const use = (credential: object) => anyone('POST', '/sign-in/passkey', { credential });
    const asked = await options();
    const good = authenticator.get(asked, origin);
    const older = authenticator.get(await options(), origin);
    const newest = authenticator.get(await options(), origin);
    expect((await use(newest)).status).toBe(200);
    const late = await at(new Date(Date.now() - hours / 10), options);
    const wrong = [
      newest,
      good,
      older,
      authenticator.get(late, origin),
      authenticator.get(asked, 'https://evil.example.com'),
      authenticator.get({ ...asked, rpId: 'evil.example.com' }, origin),
      authenticator.get({ ...asked, challenge: 'AAAA' }, origin),
      anAuthenticator().get(await options(), origin),
      { ...authenticator.get(await options(), origin), response: good.response },
      { id: good.id },
    ];
    for (const credential of wrong) expect((await use(credential)).status).toBe(404);
    for (const id of [undefined, '', 'a\0b', 'x'.repeat(1_401), {}])
      expect((await use({ ...good, id })).status).toBe(422);
    expect((await use(authenticator.get(await options(), origin))).status).toBe(200);
    const viewer = await team.signIn('Viewer');
    const credential = authenticator.get(await options(), origin);
    const mixed = await viewer.call('POST', '/sign-in/passkey', { credential });
    expect(dataOf(mixed)).toMatchObject({ member: { email: 'owner@example.com' } });
  });

  it('is made in the session that asked for it alone, once', async () => {
    const { team, call, credential } = await withPasskey();
    expect((await call('POST', '/passkeys', { credential })).status).toBe(409);
    const other = await team.signIn();
    const foreign = await aCredential(call);
    expect((await other.call('POST', '/passkeys', { credential: foreign })).status).toBe(422);
    expect((await call('POST', '/passkeys', { credential: {} })).status).toBe(422);
  });

  it('goes with its member', async () => {
    const { team, authenticator, options } = await withPasskey();
    const viewerId = await team.idOf('Viewer');
    const { call } = await team.signIn();
    await call('POST', `/members/${viewerId}/transfer`, {});
    const viewer = await team.signIn('Viewer');
    const credential = authenticator.get(await options(), origin);
    expect(dataOf(await anyone('POST', '/sign-in/passkey', { credential }))).toMatchObject({
      member: { email: 'owner@example.com', roles: ['Admin'] },
    });
    expect((await viewer.call('DELETE', `/members/${await team.idOf('Admin')}`)).status).toBe(200);
    const after = authenticator.get(await options(), origin);
    expect((await anyone('POST', '/sign-in/passkey', { credential: after })).status).toBe(404);
  });
});

describe('a member without a passkey', () => {
  const signInAgo = (team: Awaited<ReturnType<typeof aTeam>>, ms: number) =>
    at(new Date(Date.now() - ms), () => team.signIn());
  const add = async ({ call }: { call: Call }) => call('POST', '/passkeys', { credential: await aCredential(call) });

  it('has shown who they are for an hour by a link', async () => {
    const team = await aTeam(server);
    const [recent, old] = [await signInAgo(team, hours - 60_000), await signInAgo(team, hours + 60_000)];
    const body = { name: 'x', scopes: ['contacts:read'] };
    expect((await recent.call('POST', '/keys', body)).status).toBe(201);
    expect((await old.call('POST', '/keys', body)).json.code).toBe('fresh_sign_in_required');
    expect(dataOf(await recent.call('GET', '/session')).session.fresh_until).toMatch(/00:00$/);
    expect(dataOf(await old.call('GET', '/session')).session.fresh_until).toBeNull();
  });

  it('adds the first one within twelve hours of a link, which ends all other sessions, and the link of another', async () => {
    const team = await aTeam(server);
    const late = await signInAgo(team, 12 * hours + 60_000);
    await at(new Date(Date.now() - hours), () => late.call('GET', '/session'));
    const [own, other] = [await signInAgo(team, 11 * hours), await team.signIn()];
    const link = await team.link('Owner');
    expect((await late.call('POST', '/passkeys/options', {})).json.code).toBe('fresh_sign_in_required');
    expect((await add(own)).status).toBe(201);
    for (const { call } of [late, other]) expect(await stateOf({ call })).toBe(401);
    expect((await anyone('POST', '/sign-in/link', link)).status).toBe(404);
    // The second one wants what every grave step wants.
    expect((await own.call('POST', '/passkeys/options', {})).json.code).toBe('fresh_sign_in_required');
    const told = await eventsOf(server.store, team.projectId);
    const { id } = dataOf(await own.call('GET', '/session')).member;
    const added = told.findIndex(({ type }) => type === 'passkey.added');
    const by = { member_id: id, actor: { type: 'member', id } };
    expect(told.slice(added)).toMatchObject([
      { type: 'passkey.added', ...by },
      ...[late, other].map(() => ({ type: 'session.ended', ...by })),
    ]);
  });

  it('has a link of their own for no longer than the link that it came from', async () => {
    const team = await aTeam(server);
    const { call } = await signInAgo(team, hours - 60_000);
    const token = tokenOf(await call('POST', `/members/${await team.idOf('Owner')}/sign-in-link`, {}));
    const inHalfADay = new Date(Date.now() + 11.5 * hours);
    const passed = await anyone('POST', '/sign-in/link', { token });
    const options = () => callsOf(server, cookieOf(passed))('POST', '/passkeys/options', {});
    expect((await options()).status).toBe(200);
    expect((await at(inHalfADay, options)).json.code).toBe('fresh_sign_in_required');
  });

  it('adds one first passkey, however many are added at once', async () => {
    const team = await aTeam(server);
    const own = [await signInAgo(team, hours * 2), await signInAgo(team, hours * 2), await team.signIn()];
    const asked = await Promise.all(
      [...own, ...own].map(async ({ call }) => ({ call, credential: await aCredential(call) })),
    );
    const answers = await Promise.all(asked.map(({ call, credential }) => call('POST', '/passkeys', { credential })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const memberId = await team.idOf('Owner');
    expect(await server.store.signIn.listPasskeys(team.projectId, memberId)).toHaveLength(1);
    expect(await server.store.signIn.listSessions(team.projectId, memberId)).toHaveLength(1);
  });

  it('who removes the passkey ends the other sessions', async () => {
    const team = await aTeam(server);
    const own = await team.signIn();
    const { id } = dataOf(await add(own));
    const other = await team.signIn();
    expect((await own.call('DELETE', `/passkeys/${id}`)).status).toBe(200);
    expect(await stateOf(other)).toBe(401);
    expect(await stateOf(own)).toBe(200);
    const events = (await eventsOf(server.store, team.projectId)).slice(-2);
    expect(events.map(({ type }) => type)).toEqual(['passkey.removed', 'session.ended']);
  });

  it('is signed out everywhere by the Owner and Admins, with the passkeys; the Owner by the Owner alone', async () => {
    const team = await aTeam(server, ['Owner', 'Admin', 'Viewer']);
    const viewer = await team.signIn('Viewer');
    await add(viewer);
    const link = await team.link('Viewer');
    const admin = await team.signIn('Admin');
    const path = `/members/${await team.idOf('Viewer')}/sign-out`;
    expect((await viewer.call('POST', path, {})).status).toBe(403);
    expect((await admin.call('POST', path, {})).json.data).toEqual({ sessions: 1, passkeys: 0 });
    expect(await stateOf(viewer)).toBe(401);
    expect((await anyone('POST', '/sign-in/link', link)).status).toBe(404);
    expect((await admin.call('POST', path, { passkeys: true })).json.data).toEqual({ sessions: 0, passkeys: 1 });
    const ofOwner = await admin.call('POST', `/members/${await team.idOf('Owner')}/sign-out`, {});
    expect([ofOwner.status, ofOwner.json.code]).toEqual([409, 'owner_protected']);
    const types = (await eventsOf(server.store, team.projectId)).map(({ type }) => type);
    expect(types.filter((type) => type === 'passkey.removed')).toHaveLength(1);
  });
});

describe('the state of the sign-in', () => {
  it.each([
    ['https://roster.test', 'roster.test', { passkeys: true }],
    ['http://localhost:8080', 'localhost:8080', { passkeys: true }],
    ['http://localhost:8080', '127.0.0.1:8080', { passkeys: false, why: 'other_host' }],
    ['http://192.0.2.7', '192.0.2.7', { passkeys: false, why: 'ip_address' }],
    ['https://[2001:db8::1]', '[2001:db8::1]', { passkeys: false, why: 'ip_address' }],
    ['http://roster.example.com', 'roster.example.com', { passkeys: false, why: 'insecure' }],
  ])('at %s reached as %s is right', async (publicUrl, host, expected) => {
    await using server = await openApp({ publicUrl });
    const { json } = await server.ask({ url: '/console/api/sign-in/state', headers: { host } });
    expect(json.data).toMatchObject({ ...expected, public_url: publicUrl });
  });
});
