import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { run } from '../../src/operation.ts';
import { limitProject } from '../../src/projects/limits.ts';
import { appOfFile } from '../support/app.ts';
import { aDesk } from '../support/full-desk.ts';
import { aContact, aMember } from '../support/people.ts';

const server = appOfFile();

const path = '/v2/project/settings';

async function openDesk(given: Parameters<typeof aDesk>[1] = {}) {
  const desk = await aDesk(server, given);
  const limit = (limits: object) => run(limitProject, desk.store, operator(desk.projectId), limits);
  const patch = (payload: object, tag?: string) =>
    desk.ask('PATCH', path, payload, tag === undefined ? {} : { 'if-match': tag });
  const usage = async (of: string) => (await desk.ask('GET', `/v2/usage/${of}`)).data;
  return { ...desk, limit, patch, usage, etag: async () => (await desk.ask('GET', path)).etag };
}

it('the settings of a project are exactly its id and its name', async () => {
  const { ask, projectId } = await openDesk();
  const data = { project_id: projectId, name: 'Example Ltd' };
  expect((await ask('GET', path)).body).toBe(JSON.stringify({ status: 'success', data }));
});

describe('PATCH /v2/project/settings', () => {
  it('renames the project in one commit with its event, and records none where nothing changes', async () => {
    const { patch, events, etag, projectId } = await openDesk();
    const before = await events();
    const renamed = await patch({ name: '  Sample Ltd ' });
    expect([renamed.status, renamed.data]).toEqual([200, { project_id: projectId, name: 'Sample Ltd' }]);
    expect([(await patch({ name: 'Sample Ltd' })).etag, await etag()]).toEqual([renamed.etag, renamed.etag]);
    expect((await events()).slice(before.length)).toMatchObject([{ type: 'project.updated', changed: ['name'] }]);
  });

  it('lets one of four who guard the same version win', async () => {
    const { patch, etag } = await openDesk();
    const tag = await etag();
    const answers = await Promise.all(['A', 'B', 'C', 'D'].map((name) => patch({ name }, `"x", ${tag}`)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412, 412, 412]);
    expect((await patch({ name: 'E' }, '*')).status).toBe(200);
  });
});

describe('GET /v2/usage', () => {
  const unlimited = 2_147_483_647;

  it('counts members, chatbots and contacts, and says Chatling’s number where there is no limit', async () => {
    const members = [aMember({ roles: ['Owner'] }), aMember({ email: 'bo@example.com', status: 'Pending' })];
    const { ask, usage, limit } = await openDesk({ members, contacts: [aContact()] });
    expect(await usage('user-seats')).toEqual({ used: 2, max: unlimited });
    expect(await usage('chatbots')).toEqual({ used: 1, max: unlimited });
    expect(await usage('contacts')).toEqual({ used: 1, max: unlimited });
    await limit({ seats_max: 1, chatbots_max: 5, contacts_max: 1 });
    expect(await usage('user-seats')).toEqual({ used: 2, max: 1 });
    expect(await usage('chatbots')).toEqual({ used: 1, max: 5 });
    expect(await usage('contacts')).toEqual({ used: 1, max: 1 });
    const refused = await ask('POST', '', { properties: { name: 'Cy' } });
    expect([refused.status, refused.json.code]).toEqual([409, 'contacts_exhausted']);
  });
});
