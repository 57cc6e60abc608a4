import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { run } from '../../src/operation.ts';
import { limitProject } from '../../src/projects/limits.ts';
import { appOfFile } from '../support/app.ts';
import { aDesk } from '../support/full-desk.ts';
import { aContact, createChatbot } from '../support/people.ts';

const server = appOfFile();
const all = '/v2/chatbots';

interface Chatbot {
  id: string;
  created_at: string;
}
interface List {
  pages: object;
  next_cursor: string | null;
  chatbots: Chatbot[];
}

async function openDesk(given: Parameters<typeof aDesk>[1] = {}) {
  const desk = await aDesk(server, given);
  return {
    ...desk,
    own: `${all}/${desk.chatbotId}`,
    list: async (query = '') => (await desk.ask('GET', `${all}${query}`)).data as unknown as List,
  };
}

describe('GET /v2/chatbots', () => {
  it('is the newest first, also within a second, 25 a page or by cursor, each with exactly its five fields', async () => {
    const { list, store, projectId, chatbotId } = await openDesk();
    const made = [chatbotId];
    for (let i = 0; i < 29; i++) made.push((await createChatbot(store, projectId, { name: `Bot ${i}` })).id);
    const first = await list();
    expect(first.pages).toEqual({ current_page: 1, last_page: 2, per_page: 25 });
    expect(Object.keys(first.chatbots[0] ?? {})).toEqual(['id', 'name', 'version', 'visibility', 'created_at']);
    const everyone = [...first.chatbots, ...(await list('?page=2')).chatbots];
    expect(everyone.map(({ id }) => id)).toEqual(made.toReversed());
    for (const { created_at: time } of everyone) expect(time).toMatch(/^[\d-]{10}T[\d:]{8}\+00:00$/);
    const met: Chatbot[] = [];
    for (let cursor: string | null = '*'; cursor !== null;) {
      const page: List = await list(`?per_page=7&cursor=${cursor}`);
      met.push(...page.chatbots);
      cursor = page.next_cursor;
    }
    expect(met).toEqual(everyone);
    const past = { pages: { current_page: 9, last_page: 2, per_page: 25 }, chatbots: [] };
    expect(await list('?page=9')).toEqual(past);
  });

  it('shows with include=contact_count how many contacts each has, without the bin, in pages, by cursor and of one', async () => {
    const { ask, list, store, own, projectId, chatbotId } = await openDesk({
      contacts: ['a', 'b', 'c'].map((id) => aContact({ id })),
    });
    const { id: empty } = await createChatbot(store, projectId, { name: 'Empty' });
    await ask('DELETE', '/b');
    const counted = [
      { id: empty, contact_count: 0 },
      { id: chatbotId, contact_count: 2 },
    ];
    expect((await list('?include=contact_count')).chatbots).toMatchObject(counted);
    expect((await list('?cursor=*&include[]=contact_count')).chatbots).toMatchObject(counted);
    const { data, etag } = await ask('GET', `${own}?include=contact_count`);
    expect(data).toMatchObject({ contact_count: 2 });
    expect((await ask('GET', own)).data).not.toHaveProperty('contact_count');
    expect((await ask('GET', `${all}?include=people`)).status).toBe(422);
    // A change of its contacts moves no version of it.
    await ask('POST', '', { properties: { name: 'Ana' } });
    expect((await ask('PATCH', own, { name: 'Desk 2' }, { 'if-match': etag })).status).toBe(200);
  });
});

describe('POST /v2/chatbots', () => {
  it('creates a private chatbot, says where it is, and records its event', async () => {
    const { ask, events, keyId } = await openDesk();
    const mine = { 'x-request-id': 'mine' };
    const { status, headers, data } = await ask('POST', all, { name: ' Front desk ' }, mine);
    const { id } = data as unknown as Chatbot;
    const made = { name: 'Front desk', version: '2.0', visibility: 'private' };
    expect([status, headers['location'], data]).toMatchObject([201, `${all}/${id}`, made]);
    expect((await ask('GET', `${all}/${id}`)).data).toEqual(data);
    const by = { actor: { type: 'key', id: keyId }, request_id: 'mine' };
    expect((await events()).at(-1)).toMatchObject({ type: 'chatbot.created', chatbot_id: id, ...by });
  });

  it('stops at the limit of the project, also for many at once', async () => {
    const { ask, list, store, projectId } = await openDesk();
    await run(limitProject, store, operator(projectId), { chatbots_max: 4 });
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask('POST', all, { name: 'Desk' })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(answers.find(({ status }) => status === 409)?.json.code).toBe('chatbots_exhausted');
    expect((await list()).chatbots).toHaveLength(4);
  });
});

describe('a chatbot', () => {
  it('changes as it is told, records the names of what changed, and nothing where nothing did', async () => {
    const { ask, events, own, chatbotId } = await openDesk();
    const before = (await events()).length;
    const changed = await ask('PATCH', own, { visibility: 'Public' });
    expect([changed.status, changed.data]).toMatchObject([200, { name: 'Desk', visibility: 'public' }]);
    for (const body of [{}, { name: 'Desk', visibility: 'public' }]) {
      expect(await ask('PATCH', own, body)).toMatchObject({ status: 200, etag: changed.etag });
    }
    await ask('PATCH', own, { name: 'Front', visibility: 'private' });
    expect((await events()).slice(before)).toMatchObject([
      { type: 'chatbot.updated', chatbot_id: chatbotId, changed: ['visibility'] },
      { type: 'chatbot.updated', chatbot_id: chatbotId, changed: ['name', 'visibility'] },
    ]);
    expect((await ask('PATCH', own, { visibility: 'secret' })).status).toBe(422);
    const stale = await ask('PATCH', own, { name: 'x' }, { 'if-match': changed.etag });
    expect(stale.json.code).toBe('precondition_failed');
  });
});

it('the templates of chatbots are an empty list, so that menus of connectors load', async () => {
  const { ask } = await openDesk();
  const first = await ask('GET', '/v2/chatbot-templates');
  const pages = { current_page: 1, last_page: 1, per_page: 25 };
  expect([first.status, first.json]).toEqual([200, { status: 'success', data: { pages, templates: [] } }]);
  const { data } = await ask('GET', '/v2/chatbot-templates?page=3');
  expect(data).toEqual({ pages: { ...pages, current_page: 3 }, templates: [] });
  expect((await ask('GET', '/v2/chatbot-templates?page=0')).status).toBe(422);
});
