import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { run } from '../../src/operation.ts';
import { limitProject } from '../../src/projects/limits.ts';
import { appOfFile, type TestAnswer } from '../support/app.ts';
import { at } from '../support/clock.ts';
import { aDesk } from '../support/full-desk.ts';

interface Whole {
  id: string;
  email: string;
  status: string;
  roles: string[];
  invitation?: { url: string };
  members: Whole[];
}

const server = appOfFile();

async function openTeam() {
  const desk = await aDesk(server);
  const path = (id: string | undefined) => `/v2/members/${id}`;
  return {
    ...desk,
    path,
    invite: (email: string, more: object = {}, headers = {}) =>
      desk.ask('POST', '/v2/members', { email, roles: ['Viewer'], ...more }, headers),
    /** As a person without a key. */
    accept: (token: string) => server.ask({ method: 'POST', url: '/v2/invitations/accept', payload: { token } }),
    everybody: async () => dataOf(await desk.ask('GET', '/v2/members?include=joined_at,id,invited_at')).members,
    changes: async () => (await desk.events()).filter(({ type }) => /^(member|owner)/.test(type)),
  };
}

const dataOf = ({ json }: TestAnswer) => json.data as unknown as Whole;

const secretOf = (answer: TestAnswer) => dataOf(answer).invitation?.url.split('#')[1] ?? '';
const noSuchToken = 'x'.repeat(30);

describe('members over HTTP', () => {
  it('are invited by a link that makes them Active, once', async () => {
    const team = await openTeam();
    const invited = await at(new Date('2026-01-01T12:00:00Z'), () =>
      team.invite('grace@example.com', { expires_in: '24h', roles: ['vIEWER', 'EDITOR'] }),
    );
    const { id, invitation, ...member } = dataOf(invited);
    expect([invited.status, invited.headers['location']]).toEqual([201, `/v2/members/${id}`]);
    expect(member).toEqual({
      email: 'grace@example.com',
      status: 'Pending',
      roles: ['Editor', 'Viewer'],
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
    expect(dataOf(await team.ask('GET', team.path(id)))).toMatchObject({
      status: 'Active',
      joined_at: '2026-01-02T11:59:59+00:00',
    });
    const [one, two] = (await team.changes()).slice(-2);
    expect(one).toMatchObject({ type: 'member.invited', member_id: id, actor: { type: 'key' } });
    expect(two).toMatchObject({ type: 'member.activated', member_id: id, actor: { type: 'member', id } });
  });

  it('are refused by links that are unknown, used, replaced, expired or withdrawn, all alike', async () => {
    const team = await openTeam();
    const replaced = await team.invite('a@example.com');
    const renewed = await team.ask('POST', `${team.path(dataOf(replaced).id)}/invitation`, { expires_in: '2h' });
    const withdrawn = await team.invite('b@example.com');
    await team.ask('DELETE', team.path(dataOf(withdrawn).id));
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
    const team = await openTeam();
    const invited = await team.invite('grace@example.com');
    const answers = await Promise.all(Array.from({ length: 10 }, () => team.accept(secretOf(invited))));
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, ...Array.from({ length: 9 }, () => 404)]);
    const joined = (await team.changes()).filter(({ member_id: id }) => id === dataOf(invited).id);
    expect(joined.map(({ type }) => type)).toEqual(['member.invited', 'member.activated']);
    const other = await team.invite('heidi@example.com');
    const path = team.path(dataOf(other).id);
    const [removed] = await Promise.all([team.ask('DELETE', path), team.accept(secretOf(other))]);
    expect([removed.status, (await team.ask('GET', path)).status]).toEqual([200, 404]);
    expect((await team.accept(secretOf(other))).status).toBe(404);
  });

  it('accept no invitation by a malformed token or with further fields', async () => {
    const odd = ['a\0b', '\ud800', 7, '', 'x'.repeat(257)].map((token) => ({ token }));
    for (const payload of [...odd, { token: noSuchToken, more: 1 }]) {
      const { status } = await server.ask({ method: 'POST', url: '/v2/invitations/accept', payload });
      expect([payload, status]).toEqual([payload, 422]);
    }
  });

  it('keep the links from the store, from events and from repeats', async () => {
    const team = await openTeam();
    const first = await team.invite('grace@example.com', {}, { 'idempotency-key': 'once' });
    const again = await team.invite('grace@example.com', {}, { 'idempotency-key': 'once' });
    expect([again.status, dataOf(again)]).toEqual([201, { ...dataOf(first), invitation: null }]);
    const { id } = dataOf(first);
    const renew = () => team.ask('POST', `${team.path(id)}/invitation`, {}, { 'idempotency-key': 'renewed' });
    const renewed = await renew();
    expect(dataOf(await renew())).toEqual({ invitation: null });
    expect((await team.accept(secretOf(renewed))).status).toBe(200);
    expect(JSON.stringify(await team.changes())).not.toMatch(new RegExp(`${secretOf(first)}|${secretOf(renewed)}`));
  });

  it('are invited as long as there are seats, also by many at once', async () => {
    const team = await openTeam();
    await run(limitProject, team.store, operator(team.projectId), { seats_max: 5 });
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => team.invite(`p${n}@example.com`)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    const told = answers.map(({ status, json }) => `${status} ${json.code}`);
    expect(new Set(told)).toEqual(new Set(['201 undefined', '409 seats_exhausted']));
    expect(await team.everybody()).toHaveLength(5);
  });

  it('are invited once for each address, in any letter case', async () => {
    const team = await openTeam();
    const [, bo] = await team.everybody();
    const refused = await team.invite('BO@example.com');
    expect([refused.status, refused.json.code, refused.json['existing']]).toEqual([409, 'conflict', [bo?.id]]);
    const again = await team.ask('POST', `${team.path(bo?.id)}/invitation`);
    expect([again.status, again.json.code]).toEqual([409, 'conflict']);
  });

  it('get other roles, and are removed; the Owner is protected from both', async () => {
    const team = await openTeam();
    const [owner, bo] = await team.everybody();
    const path = team.path(bo?.id);
    const { headers } = await team.ask('GET', path);
    const changed = await team.ask('PATCH', path, { roles: ['vIEWER', 'Admin'] }, { 'if-match': headers['etag'] });
    expect([changed.status, dataOf(changed)]).toEqual([200, { ...bo, roles: ['Admin', 'Viewer'] }]);
    expect((await team.ask('PATCH', path, { roles: ['Admin'] }, { 'if-match': headers['etag'] })).status).toBe(412);
    expect((await team.ask('PATCH', path, { roles: ['Admin', 'Viewer'] })).status).toBe(200);
    for (const refused of [
      await team.ask('PATCH', team.path(owner?.id), { roles: ['Admin'] }),
      await team.ask('DELETE', team.path(owner?.id)),
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
    const team = await openTeam();
    const [owner] = await team.everybody();
    expect(Object.keys(owner ?? {})).toEqual(['email', 'status', 'roles', 'id', 'invited_at', 'joined_at']);
    const { members } = dataOf(await team.ask('GET', '/v2/members?include=id'));
    expect(members[0]).toEqual({ email: 'ada@example.com', status: 'Active', roles: ['Owner'], id: owner?.id });
  });
});
