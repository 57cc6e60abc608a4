import { describe, expect, it } from 'vitest';

import { scopes } from '../../src/actor.ts';
import { operator } from '../../src/actor.ts';
import { run } from '../../src/operation.ts';
import { limitProject } from '../../src/projects/limits.ts';
import { openApp, type TestAnswer } from '../support/app.ts';
import { at } from '../support/clock.ts';
import { eventsOf } from '../support/events.ts';
import { aMember, aProject, createApiKey } from '../support/people.ts';

interface Whole {
  id: string;
  email: string;
  status: string;
  roles: string[];
  invitation?: { url: string };
  members: Whole[];
}

async function openTeam(settings = {}) {
  const server = await openApp(settings);
  const members = [aMember({ roles: ['Owner'] }), aMember({ email: 'bo@example.com', roles: ['Editor'] })];
  const project = await aProject(server.store, { members });
  const { token } = await createApiKey(server.store, project.projectId, { name: 'all', scopes: [...scopes] });
  const ask = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object, headers = {}) =>
    server.ask({
      method,
      url: `/v2${path}`,
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...(body && { payload: body }),
    });
  return {
    ...server,
    ...project,
    ask,
    invite: (email: string, more: object = {}, headers = {}) =>
      ask('POST', '/members', { email, roles: ['Viewer'], ...more }, headers),
    /** As a person without a key. */
    accept: (secret: string) =>
      server.ask({ method: 'POST', url: '/v2/invitations/accept', payload: { token: secret } }),
    everybody: async () => dataOf(await ask('GET', '/members?include=joined_at,id,invited_at')).members,
    changes: async () =>
      (await eventsOf(server.store, project.projectId)).filter(({ type }) => /^(member|owner)/.test(type)),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const dataOf = ({ json }: TestAnswer) => json.data as unknown as Whole;

const secretOf = (answer: TestAnswer) => dataOf(answer).invitation?.url.split('#')[1] ?? '';
const noSuchToken = 'x'.repeat(30);

describe('members over HTTP', () => {
  it('are invited by a link that makes them Active, once', async () => {
    await using team = await openTeam();
    const invited = await at(new Date('2026-01-01T12:00:00Z'), () =>
      team.invite('grace@example.com', { expires_in: '24h' }),
    );
    const { id, invitation, ...member } = dataOf(invited);
    expect([invited.status, invited.headers['location']]).toEqual([201, `/v2/members/${id}`]);
    expect(member).toEqual({
      email: 'grace@example.com',
      status: 'Pending',
      roles: ['Viewer'],
      invited_at: '2026-01-01T12:00:00+00:00',
      joined_at: null,
    });
    expect(invitation).toEqual({
      url: expect.stringMatching(/^https:\/\/roster\.test\/join#[0-9A-Za-z]{30}$/),
      expires_at: '2026-01-02T12:00:00+00:00',
    });
    const [accepted, again] = await at(
      new Date('2026-01-02T11:59:59Z'),
      async () => [await team.accept(secretOf(invited)), await team.accept(secretOf(invited))] as const,
    );
    expect(dataOf(accepted)).toEqual({
      project: { id: team.projectId, name: 'Example Ltd' },
      email: 'grace@example.com',
    });
    expect([accepted.status, again.status, again.json.code]).toEqual([200, 404, 'not_found']);
    expect(dataOf(await team.ask('GET', `/members/${id}`))).toMatchObject({
      status: 'Active',
      joined_at: '2026-01-02T11:59:59+00:00',
    });
    const [one, two] = (await team.changes()).slice(-2);
    expect(one).toMatchObject({ type: 'member.invited', member_id: id, actor: { type: 'key' } });
    expect(two).toMatchObject({ type: 'member.activated', member_id: id, actor: { type: 'member', id } });
  });

  it('are refused by links that are unknown, used, replaced, expired or withdrawn, all alike', async () => {
    await using team = await openTeam();
    const replaced = await team.invite('a@example.com');
    const renewed = await team.ask('POST', `/members/${dataOf(replaced).id}/invitation`, { expires_in: '2h' });
    const withdrawn = await team.invite('b@example.com');
    await team.ask('DELETE', `/members/${dataOf(withdrawn).id}`);
    const expired = await at(new Date('2026-01-01T12:00:00Z'), () =>
      team.invite('c@example.com', { expires_in: '1h' }),
    );
    const answers: object[] = [];
    for (const secret of [noSuchToken, secretOf(replaced), secretOf(withdrawn), secretOf(expired)]) {
      const { status, headers, json } = await team.accept(secret);
      answers.push({ status, names: Object.keys(headers), code: json.code, message: json.message });
    }
    expect(answers).toEqual(Array.from(answers, () => answers[0]));
    expect(answers[0]).toMatchObject({ status: 404, code: 'not_found' });
    expect((await team.accept(secretOf(renewed))).status).toBe(200);
  });

  it('join once, however many accept at once, and not at all once they are removed', async () => {
    await using team = await openTeam();
    const invited = await team.invite('grace@example.com');
    const answers = await Promise.all(Array.from({ length: 10 }, () => team.accept(secretOf(invited))));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 9 }, () => 404),
    ]);
    const joined = (await team.changes()).filter(({ member_id: id }) => id === dataOf(invited).id);
    expect(joined.map(({ type }) => type)).toEqual(['member.invited', 'member.activated']);
    const other = await team.invite('heidi@example.com');
    const path = `/members/${dataOf(other).id}`;
    const [removed] = await Promise.all([team.ask('DELETE', path), team.accept(secretOf(other))]);
    expect([removed.status, (await team.ask('GET', path)).status]).toEqual([200, 404]);
    expect((await team.accept(secretOf(other))).status).toBe(404);
  });

  it.each<[unknown, number]>([
    [{ token: 'a\0b' }, 422],
    [{ token: '\ud800' }, 422],
    [{ token: 7 }, 422],
    [{ token: '' }, 422],
    [{ token: 'x'.repeat(257) }, 422],
    [{ token: noSuchToken, more: 1 }, 422],
    [[], 400],
  ])('accept nothing with the body %j', async (payload, status) => {
    await using team = await openTeam();
    const answer = await team.ask('POST', '/invitations/accept', payload as object, { authorization: 'none' });
    expect([answer.status, answer.json.status]).toEqual([status, 'error']);
  });

  it('count refused links as refused keys are counted, for each address', async () => {
    await using team = await openTeam({ rateLimit: 300 });
    const statuses = [];
    for (let n = 0; n < 62; n++) statuses.push((await team.accept(noSuchToken)).status);
    expect(statuses).toEqual([...Array.from({ length: 60 }, () => 404), 429, 429]);
  });

  it('keep the links from the store, from events and from repeats', async () => {
    await using team = await openTeam();
    const first = await team.invite('grace@example.com', {}, { 'idempotency-key': 'once' });
    const again = await team.invite('grace@example.com', {}, { 'idempotency-key': 'once' });
    expect([again.status, dataOf(again)]).toEqual([201, { ...dataOf(first), invitation: null }]);
    const { id } = dataOf(first);
    const renew = () => team.ask('POST', `/members/${id}/invitation`, {}, { 'idempotency-key': 'renewed' });
    const renewed = await renew();
    expect(dataOf(await renew())).toEqual({ invitation: null });
    expect((await team.accept(secretOf(renewed))).status).toBe(200);
    expect(JSON.stringify(await team.changes())).not.toMatch(new RegExp(`${secretOf(first)}|${secretOf(renewed)}`));
  });

  it('are invited as long as there are seats, also by many at once', async () => {
    await using team = await openTeam();
    await run(limitProject, team.store, operator(team.projectId), { seats_max: 5 });
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => team.invite(`p${n}@example.com`)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(new Set(refused.map(({ status, json }) => `${status} ${json.code}`))).toEqual(
      new Set(['409 seats_exhausted']),
    );
    expect(await team.everybody()).toHaveLength(5);
  });

  it('are invited once for each address, in any letter case', async () => {
    await using team = await openTeam();
    const [, bo] = await team.everybody();
    const refused = await team.invite('BO@example.com');
    expect([refused.status, refused.json.code, refused.json['existing']]).toEqual([409, 'conflict', [bo?.id]]);
    const again = await team.ask('POST', `/members/${bo?.id}/invitation`);
    expect([again.status, again.json.code]).toEqual([409, 'conflict']);
  });

  it('get their roles in any letter case', async () => {
    await using team = await openTeam();
    const invited = await team.invite('grace@example.com', { roles: ['eDITOR', 'viewer'] });
    expect([invited.status, dataOf(invited)]).toMatchObject([201, { roles: ['Editor', 'Viewer'] }]);
    const changed = await team.ask('PATCH', `/members/${dataOf(invited).id}`, { roles: ['BILLING'] });
    expect([changed.status, dataOf(changed)]).toMatchObject([200, { roles: ['Billing'] }]);
  });

  it.each<[object, string, string]>([
    [{ roles: ['Owner'] }, 'roles[0]', 'not_allowed'],
    [{ roles: [] }, 'roles', 'required'],
    [{ roles: ['Admin', 'Admin'] }, 'roles', 'not_allowed'],
    [{ email: 'nobody' }, 'email', 'format'],
    [{ expires_in: '59m' }, 'expires_in', 'too_small'],
    [{ expires_in: '31d' }, 'expires_in', 'too_large'],
    [{ expires_in: 'soon' }, 'expires_in', 'format'],
    [{ status: 'Active' }, 'status', 'unknown'],
  ])('are not invited with %j', async (wrong, field, code) => {
    await using team = await openTeam();
    const { status, json } = await team.invite('grace@example.com', wrong);
    expect([status, json.errors?.[0]?.field, json.errors?.[0]?.code]).toEqual([422, field, code]);
    expect(await team.everybody()).toHaveLength(2);
  });

  it('get other roles, and are removed; the Owner is protected from both', async () => {
    await using team = await openTeam();
    const [owner, bo] = await team.everybody();
    const path = `/members/${bo?.id}`;
    const { headers } = await team.ask('GET', path);
    const changed = await team.ask('PATCH', path, { roles: ['Viewer', 'Admin'] }, { 'if-match': headers['etag'] });
    expect([changed.status, dataOf(changed)]).toEqual([200, { ...bo, roles: ['Admin', 'Viewer'] }]);
    expect((await team.ask('PATCH', path, { roles: ['Admin'] }, { 'if-match': headers['etag'] })).status).toBe(412);
    expect((await team.ask('PATCH', path, { roles: ['Admin', 'Viewer'] })).status).toBe(200);
    for (const refused of [
      await team.ask('PATCH', `/members/${owner?.id}`, { roles: ['Admin'] }),
      await team.ask('DELETE', `/members/${owner?.id}`),
    ]) {
      expect([refused.status, refused.json.code]).toEqual([409, 'owner_protected']);
    }
    const removed = await team.ask('DELETE', path);
    expect([removed.status, removed.body]).toEqual([200, '{"status":"success"}']);
    expect((await team.ask('GET', path)).status).toBe(404);
    expect((await team.changes()).slice(-2)).toMatchObject([
      { type: 'member.updated', member_id: bo?.id, changed: ['roles'] },
      { type: 'member.removed', member_id: bo?.id },
    ]);
  });

  it('show beside their three fields what include asks for, in its order', async () => {
    await using team = await openTeam();
    const [owner] = await team.everybody();
    expect(Object.keys(owner ?? {})).toEqual(['email', 'status', 'roles', 'id', 'invited_at', 'joined_at']);
    const { members } = dataOf(await team.ask('GET', '/members?include=id'));
    expect(members[0]).toEqual({ email: 'ada@example.com', status: 'Active', roles: ['Owner'], id: owner?.id });
  });

  it('of another project are not found', async () => {
    await using team = await openTeam();
    const other = await aProject(team.store, { members: [aMember({ email: 'other@example.com' })] });
    const [foreign] = (await team.store.members.list(other.projectId, {}, 1, 0)).members as unknown as Whole[];
    const path = `/members/${foreign?.id}`;
    for (const answer of [
      await team.ask('GET', path),
      await team.ask('PATCH', path, { roles: ['Admin'] }),
      await team.ask('DELETE', path),
      await team.ask('POST', `${path}/invitation`),
    ]) {
      expect([answer.status, answer.json.code]).toEqual([404, 'not_found']);
    }
  });
});
