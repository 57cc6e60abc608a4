import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { createContact } from '../../src/contacts/create.ts';
import { deleteContact } from '../../src/contacts/delete.ts';
import { run } from '../../src/operation.ts';
import { limitProject } from '../../src/projects/limits.ts';
import { appOfFile, type TestApp } from '../support/app.ts';
import { eventsOf } from '../support/events.ts';
import { aContact, aMember, aProject, createChatbot } from '../support/people.ts';

const server = appOfFile();

const path = '/v2/project/settings';

function patch(server: TestApp, token: string, payload: object, headers: Record<string, string> = {}) {
  return server.ask({ method: 'PATCH', url: path, payload, headers: { authorization: `Bearer ${token}`, ...headers } });
}

describe('GET /v2/project/settings', () => {
  it('has exactly the id and the name of the project of the key', async () => {
    const { token, projectId } = await aProject(server.store);
    const { status, body } = await server.get(path, token);
    const data = { project_id: projectId, name: 'Example Ltd' };
    expect([status, body]).toEqual([200, JSON.stringify({ status: 'success', data })]);
  });
});

describe('PATCH /v2/project/settings', () => {
  it('renames the project in one commit with its event, and records none where nothing changes', async () => {
    const { token, projectId } = await aProject(server.store, { scopes: ['project:read', 'project:write'] });
    const before = await eventsOf(server.store, projectId);
    const renamed = await patch(server, token, { name: '  Sample Ltd ' });
    expect([renamed.status, renamed.json.data]).toEqual([200, { project_id: projectId, name: 'Sample Ltd' }]);
    const again = await patch(server, token, { name: 'Sample Ltd' });
    expect([again.status, again.headers['etag']]).toEqual([200, renamed.headers['etag']]);
    expect((await server.get(path, token)).headers['etag']).toBe(renamed.headers['etag']);
    const events = await eventsOf(server.store, projectId);
    expect(events.slice(before.length)).toMatchObject([{ type: 'project.updated', changed: ['name'] }]);
  });

  it('refuses a missing, empty or long name and what it does not know', async () => {
    const { token } = await aProject(server.store, { scopes: ['project:write'] });
    for (const [body, field, code] of [
      [{}, 'name', 'required'],
      [{ name: ' ' }, 'name', 'required'],
      [{ name: 'x'.repeat(256) }, 'name', 'too_long'],
      [{ name: 'x', seats: 3 }, 'seats', 'unknown'],
      [{ name: 'rst_zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17' }, 'name', 'not_allowed'],
    ] as const) {
      const { status, json } = await patch(server, token, body);
      expect([status, json.errors]).toEqual([422, [expect.objectContaining({ field, code })]]);
    }
  });

  it('obeys If-Match: 412 changes nothing', async () => {
    const { token } = await aProject(server.store, { scopes: ['project:read', 'project:write'] });
    const { headers } = await server.get(path, token);
    const etag = headers['etag'] ?? '';
    for (const stale of ['"other"', '"1.other"']) {
      const { status, json } = await patch(server, token, { name: 'Never' }, { 'if-match': stale });
      expect([status, json.code]).toEqual([412, 'precondition_failed']);
    }
    expect((await server.get(path, token)).headers['etag']).toBe(etag);
    expect((await patch(server, token, { name: 'A' }, { 'if-match': `"x", ${etag}` })).status).toBe(200);
    expect((await patch(server, token, { name: 'B' }, { 'if-match': '*' })).status).toBe(200);
  });

  it('lets one of two who guard the same version win', async () => {
    const { token } = await aProject(server.store, { scopes: ['project:read', 'project:write'] });
    const etag = (await server.get(path, token)).headers['etag'] ?? '';
    const names = ['one', 'two', 'three', 'four'];
    const answers = await Promise.all(names.map((name) => patch(server, token, { name }, { 'if-match': etag })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412, 412, 412]);
  });
});

describe('GET /v2/usage', () => {
  it('counts members and chatbots, and says Chatling’s number where there is no limit', async () => {
    const members = [aMember({ roles: ['Owner'] }), aMember({ email: 'bo@example.com', status: 'Pending' })];
    const { token, projectId } = await aProject(server.store, { members });
    expect((await server.get('/v2/usage/user-seats', token)).json.data).toEqual({ used: 2, max: 2_147_483_647 });
    expect((await server.get('/v2/usage/chatbots', token)).json.data).toEqual({ used: 1, max: 2_147_483_647 });
    await run(limitProject, server.store, operator(projectId), { seats_max: 1, chatbots_max: 5 });
    expect((await server.get('/v2/usage/user-seats', token)).json.data).toEqual({ used: 2, max: 1 });
    expect((await server.get('/v2/usage/chatbots', token)).json.data).toEqual({ used: 1, max: 5 });
  });

  it('counts the contacts of all chatbots, without the bin', async () => {
    const { token, projectId, chatbotId } = await aProject(server.store, {
      contacts: [aContact(), aContact({ id: 'b', email: null })],
    });
    const { id: second } = await createChatbot(server.store, projectId, { name: 'Second' });
    expect((await server.get('/v2/usage/contacts', token)).json.data).toEqual({ used: 2, max: 2_147_483_647 });
    const actor = operator(projectId);
    await run(createContact, server.store, actor, { chatbotId: second, properties: { name: 'Cy' } });
    await run(deleteContact, server.store, actor, { chatbotId, contactId: 'b' });
    await run(limitProject, server.store, actor, { contacts_max: 1 });
    expect((await server.get('/v2/usage/contacts', token)).json.data).toEqual({ used: 2, max: 1 });
  });

  it('refuses contacts beyond the limit with contacts_exhausted', async () => {
    const { token, projectId, chatbotId } = await aProject(server.store, {
      scopes: ['contacts:read', 'contacts:write'],
      contacts: [aContact({ id: 'a' }), aContact({ id: 'b', email: 'bo@example.com' })],
    });
    await run(deleteContact, server.store, operator(projectId), { chatbotId, contactId: 'b' });
    await run(limitProject, server.store, operator(projectId), { contacts_max: 1 });
    const post = async (way: string, payload: object) => {
      const url = `/v2/chatbots/${chatbotId}/contacts${way}`;
      const { status, json } = await server.ask({
        method: 'POST',
        url,
        payload,
        headers: { authorization: `Bearer ${token}` },
      });
      return [status, json.code];
    };
    const refused = [409, 'contacts_exhausted'];
    expect(await post('', { properties: { name: 'Cy' } })).toEqual(refused);
    expect(await post('/upsert', { match: { email: 'cy@example.com' } })).toEqual(refused);
    expect(await post('/b/restore', {})).toEqual(refused);
    expect(await post('/upsert', { match: { email: 'ana@example.com' } })).toEqual([200, undefined]);
  });
});
