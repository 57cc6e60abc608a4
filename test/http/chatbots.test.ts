import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { createContact } from '../../src/contacts/create.ts';
import { deleteContact } from '../../src/contacts/delete.ts';
import { run } from '../../src/operation.ts';
import { limitProject } from '../../src/projects/limits.ts';
import { appOfFile, type TestApp } from '../support/app.ts';
import { eventsOf } from '../support/events.ts';
import { aContact, aProject, createChatbot } from '../support/people.ts';

const server = appOfFile();

interface Chatbot {
  id: string;
  name: string;
}
type List = { pages: object; chatbots: Chatbot[] };
type Walk = { next_cursor: string | null; chatbots: Chatbot[] };

const mayWrite = ['chatbots:read', 'chatbots:write'] as const;

function send(server: TestApp, method: 'POST' | 'PATCH', url: string, token: string, payload: object, headers = {}) {
  return server.ask({ method, url, payload, headers: { authorization: `Bearer ${token}`, ...headers } });
}

async function listOf(server: TestApp, token: string, query = ''): Promise<List> {
  return (await server.get(`/v2/chatbots${query}`, token)).json.data as unknown as List;
}

describe('GET /v2/chatbots', () => {
  it('is the newest first, also within a second, 25 a page or by cursor, each with exactly its five fields', async () => {
    const { token, projectId, chatbotId } = await aProject(server.store);
    const made = [chatbotId];
    for (let i = 0; i < 29; i++) made.push((await createChatbot(server.store, projectId, { name: `Bot ${i}` })).id);
    const first = await listOf(server, token);
    expect(first.pages).toEqual({ current_page: 1, last_page: 2, per_page: 25 });
    expect(Object.keys(first.chatbots[0] ?? {})).toEqual(['id', 'name', 'version', 'visibility', 'created_at']);
    const second = await listOf(server, token, '?page=2');
    const all = [...first.chatbots, ...second.chatbots];
    expect(all.map(({ id }) => id)).toEqual(made.toReversed());
    const times = all.map((one) => (one as unknown as { created_at: string }).created_at);
    expect(times.every((time) => /^[\d-]{10}T[\d:]{8}\+00:00$/.test(time))).toBe(true);
    const met: Chatbot[] = [];
    for (let cursor: string | null = '*'; cursor !== null;) {
      const page: Walk = (await listOf(server, token, `?per_page=7&cursor=${cursor}`)) as unknown as Walk;
      met.push(...page.chatbots);
      cursor = page.next_cursor;
    }
    expect(met).toEqual(all);
    expect(await listOf(server, token, '?page=9')).toEqual({
      pages: { current_page: 9, last_page: 2, per_page: 25 },
      chatbots: [],
    });
  });
});

describe('include=contact_count', () => {
  it('shows how many contacts each chatbot has, without the bin, in pages, by cursor and of one', async () => {
    const contacts = [aContact({ id: 'a' }), aContact({ id: 'b' }), aContact({ id: 'c' })];
    const { token, projectId, chatbotId } = await aProject(server.store, { contacts });
    const { id: empty } = await createChatbot(server.store, projectId, { name: 'Empty' });
    await run(deleteContact, server.store, operator(projectId), { chatbotId, contactId: 'b' });
    const counted = [
      { id: empty, contact_count: 0 },
      { id: chatbotId, contact_count: 2 },
    ];
    expect((await listOf(server, token, '?include=contact_count')).chatbots).toMatchObject(counted);
    expect((await listOf(server, token, '?cursor=*&include[]=contact_count')).chatbots).toMatchObject(counted);
    const url = `/v2/chatbots/${chatbotId}`;
    expect((await server.get(`${url}?include=contact_count`, token)).json.data).toMatchObject({ contact_count: 2 });
    expect(Object.keys((await server.get(url, token)).json.data ?? {})).not.toContain('contact_count');
    expect((await server.get('/v2/chatbots?include=people', token)).status).toBe(422);
  });

  it('moves no version of a chatbot when its contacts change', async () => {
    const { token, projectId, chatbotId } = await aProject(server.store, { scopes: [...mayWrite] });
    const url = `/v2/chatbots/${chatbotId}`;
    const { headers } = await server.get(`${url}?include=contact_count`, token);
    await run(createContact, server.store, operator(projectId), { chatbotId, properties: { name: 'Ana' } });
    const guard = { 'if-match': headers['etag'] ?? '' };
    expect((await send(server, 'PATCH', url, token, { name: 'Desk 2' }, guard)).status).toBe(200);
  });
});

describe('GET /v2/chatbots/{chatbotId}', () => {
  it('gives the same 404 for no chatbot and for one of another project', async () => {
    const { token, chatbotId } = await aProject(server.store);
    const other = await aProject(server.store);
    expect((await server.get(`/v2/chatbots/${chatbotId}`, token)).json.data).toMatchObject({ id: chatbotId });
    const id = { 'x-request-id': 'same' };
    const unknown = await server.get('/v2/chatbots/0000000000', token, id);
    const foreign = await server.get(`/v2/chatbots/${other.chatbotId}`, token, id);
    expect([unknown.status, foreign.body]).toEqual([404, unknown.body]);
  });
});

describe('POST /v2/chatbots', () => {
  it('creates a private chatbot, says where it is, and records its event', async () => {
    const { token, projectId } = await aProject(server.store, { scopes: [...mayWrite] });
    const { status, headers, json } = await send(server, 'POST', '/v2/chatbots', token, { name: ' Front desk ' });
    const made = json.data as unknown as Chatbot;
    expect(status).toBe(201);
    expect(json.data).toMatchObject({ name: 'Front desk', version: '2.0', visibility: 'private' });
    expect(headers['location']).toBe(`/v2/chatbots/${made.id}`);
    expect((await server.get(`/v2/chatbots/${made.id}`, token)).json.data).toEqual(made);
    expect((await eventsOf(server.store, projectId)).at(-1)).toMatchObject({
      type: 'chatbot.created',
      chatbot_id: made.id,
      actor: { type: 'key' },
    });
  });

  it('refuses a template, an id and a name that is none', async () => {
    const { token } = await aProject(server.store, { scopes: [...mayWrite] });
    for (const [body, field] of [
      [{ name: 'x', template_id: 't' }, 'template_id'],
      [{ name: 'x', id: '1' }, 'id'],
      [{ name: '' }, 'name'],
    ] as const) {
      const { status, json } = await send(server, 'POST', '/v2/chatbots', token, body);
      expect([status, json.errors?.map((one) => one.field)]).toEqual([422, [field]]);
    }
  });

  it('stops at the limit of the project, also for many at once', async () => {
    const { token, projectId } = await aProject(server.store, { scopes: [...mayWrite] });
    await run(limitProject, server.store, operator(projectId), { chatbots_max: 4 });
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => send(server, 'POST', '/v2/chatbots', token, { name: 'Desk' })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(answers.find(({ status }) => status === 409)?.json.code).toBe('chatbots_exhausted');
    expect((await listOf(server, token)).chatbots).toHaveLength(4);
  });
});

describe('PATCH /v2/chatbots/{chatbotId}', () => {
  it('changes what it is given, records the names of what changed, and nothing where nothing did', async () => {
    const { token, projectId, chatbotId } = await aProject(server.store, { scopes: [...mayWrite] });
    const url = `/v2/chatbots/${chatbotId}`;
    const before = (await eventsOf(server.store, projectId)).length;
    const changed = await send(server, 'PATCH', url, token, { visibility: 'Public' });
    expect([changed.status, changed.json.data]).toMatchObject([200, { name: 'Desk', visibility: 'public' }]);
    for (const body of [{}, { name: 'Desk', visibility: 'public' }]) {
      const same = await send(server, 'PATCH', url, token, body);
      expect([same.status, same.headers['etag']]).toEqual([200, changed.headers['etag']]);
    }
    await send(server, 'PATCH', url, token, { name: 'Front', visibility: 'private' });
    expect((await eventsOf(server.store, projectId)).slice(before)).toMatchObject([
      { type: 'chatbot.updated', chatbot_id: chatbotId, changed: ['visibility'] },
      { type: 'chatbot.updated', chatbot_id: chatbotId, changed: ['name', 'visibility'] },
    ]);
    expect((await send(server, 'PATCH', url, token, { visibility: 'secret' })).status).toBe(422);
    const stale = await send(server, 'PATCH', url, token, { name: 'x' }, { 'if-match': changed.headers['etag'] ?? '' });
    expect([stale.status, stale.json.code]).toEqual([412, 'precondition_failed']);
  });

  it('gives the same 404 for no chatbot and for one of another project, whatever If-Match says', async () => {
    const { token } = await aProject(server.store, { scopes: [...mayWrite] });
    const other = await aProject(server.store);
    for (const headers of [{}, { 'if-match': '*' }, { 'if-match': '"x"' }]) {
      const same = { ...headers, 'x-request-id': 'same' };
      const unknown = await send(server, 'PATCH', '/v2/chatbots/0', token, { name: 'x' }, same);
      const foreign = await send(server, 'PATCH', `/v2/chatbots/${other.chatbotId}`, token, { name: 'x' }, same);
      expect([unknown.status, foreign.body]).toEqual([404, unknown.body]);
    }
  });
});

describe('GET /v2/chatbot-templates', () => {
  it('is an empty list, so that menus of connectors load', async () => {
    const { token } = await aProject(server.store, { scopes: ['chatbots:read'] });
    const first = await server.get('/v2/chatbot-templates', token);
    const pages = { current_page: 1, last_page: 1, per_page: 25 };
    expect([first.status, first.json]).toEqual([200, { status: 'success', data: { pages, templates: [] } }]);
    const later = await server.get('/v2/chatbot-templates?page=3', token);
    expect(later.json.data).toEqual({ pages: { ...pages, current_page: 3 }, templates: [] });
    expect((await server.get('/v2/chatbot-templates?page=0', token)).status).toBe(422);
  });
});
