import { describe, expect, it } from 'vitest';

import { suggestInProject } from '../../src/contacts/duplicates/suggest.ts';
import { storeOn } from '../../src/database/open-store.ts';
import { openApp } from '../support/app.ts';
import { openStoreOfRun } from '../support/engines.ts';
import { eventsOf } from '../support/events.ts';
import { aContact, aProject, createApiKey } from '../support/people.ts';

async function openDesk(isCounted = true) {
  const stack = new AsyncDisposableStack();
  const opened = stack.use(await openStoreOfRun());
  const store = storeOn(opened.database);
  const server = stack.use(await openApp({}, store));
  const project = await aProject(store, {
    scopes: ['contacts:read', 'contacts:write'],
    contacts: ['ana', 'bo', 'cy'].map((id) => aContact({ id, name: id === 'cy' ? 'Cy Sand' : 'Ana Ruiz' })),
  });
  const { token, chatbotId, projectId } = project;
  if (isCounted) for await (const _ of suggestInProject(store, 'find-duplicates', projectId));
  const post = (action: string, payload: object, { key = token, chatbot = chatbotId, headers = {} } = {}) =>
    server.ask({
      method: 'POST',
      url: `/v2/chatbots/${chatbot}/contacts/duplicates${action}`,
      payload,
      headers: { authorization: `Bearer ${key}`, ...headers },
    });
  return { ...project, store, post, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

describe('POST /v2/chatbots/{chatbotId}/contacts/duplicates', () => {
  it('answers groups with band, reasons and contacts of eight fields, a cursor and the last event that counts', async () => {
    await using desk = await openDesk();
    const { status, json } = await desk.post('', { limit: 1 });
    const data = json.data as unknown as { groups: Record<string, unknown>[]; next_cursor: string; as_of: string };
    expect([status, Object.keys(data)]).toEqual([200, ['groups', 'next_cursor', 'as_of']]);
    expect(data.groups).toEqual([
      {
        band: 'certain',
        reasons: [
          { field: 'email', match: 'same' },
          { field: 'phone', match: 'same_digits' },
          { field: 'name', match: 'same_words' },
        ],
        contacts: ['ana', 'bo'].map((id) => expect.objectContaining({ id, email: 'ana@example.com', company: null })),
      },
    ]);
    expect(data.as_of).toBe((await eventsOf(desk.store, desk.projectId)).at(-1)?.sequence);
    const rest = await desk.post('', { cursor: data.next_cursor });
    expect(rest.json.data).toMatchObject({ groups: [{ band: 'likely' }, { band: 'likely' }], next_cursor: null });
    const likely = await desk.post('', { band: 'likely', cursor: data.next_cursor });
    expect([likely.status, likely.json.errors]).toMatchObject([422, [{ field: 'cursor' }]]);
  });

  it('answers no group as of event 0 before the contacts are compared', async () => {
    await using desk = await openDesk(false);
    expect((await desk.post('', {})).json.data).toEqual({ groups: [], next_cursor: null, as_of: '0' });
  });

  it('is 404 for another project’s chatbot, 403 without contacts:read, and 422 for another band or limit', async () => {
    await using desk = await openDesk();
    const other = await aProject(desk.store);
    expect((await desk.post('', {}, { key: other.token })).status).toBe(404);
    const { token } = await createApiKey(desk.store, desk.projectId, { name: 'writes', scopes: ['contacts:write'] });
    expect((await desk.post('', {}, { key: token })).status).toBe(403);
    for (const wrong of [{ band: 'maybe' }, { limit: 0 }, { limit: 101 }, { cursor: 'abc' }, { page: 1 }]) {
      expect([wrong, (await desk.post('', wrong)).status]).toEqual([wrong, 422]);
    }
  });
});

describe('POST /v2/chatbots/{chatbotId}/contacts/duplicates/dismiss', () => {
  it('answers success alone, records no event, and suggests the two no more, also when it is repeated', async () => {
    await using desk = await openDesk();
    const before = await eventsOf(desk.store, desk.projectId);
    const dismissed = { contact_ids: ['ana', 'bo'] };
    for (const headers of [{ 'idempotency-key': 'once' }, { 'idempotency-key': 'once' }, {}]) {
      const { status, json } = await desk.post('/dismiss', dismissed, { headers });
      expect([status, json]).toEqual([200, { status: 'success' }]);
    }
    expect(await eventsOf(desk.store, desk.projectId)).toEqual(before);
    expect((await desk.post('', { band: 'certain' })).json.data).toMatchObject({ groups: [] });
  });

  it('is 404 where one is not there, 403 without contacts:write, and 422 for one, two that are one, and 21', async () => {
    await using desk = await openDesk();
    expect((await desk.post('/dismiss', { contact_ids: ['ana', 'dan'] })).status).toBe(404);
    const { token } = await createApiKey(desk.store, desk.projectId, { name: 'reads', scopes: ['contacts:read'] });
    expect((await desk.post('/dismiss', { contact_ids: ['ana', 'bo'] }, { key: token })).status).toBe(403);
    const many = Array.from({ length: 21 }, (_, i) => `c${i}`);
    for (const contact_ids of [['ana'], ['ana', 'ana'], many]) {
      expect((await desk.post('/dismiss', { contact_ids })).status).toBe(422);
    }
  });
});
