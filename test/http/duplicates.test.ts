import { describe, expect, it } from 'vitest';

import { suggestInProject } from '../../src/contacts/duplicates/suggest.ts';
import { appOfFile } from '../support/app.ts';
import { aDesk } from '../support/full-desk.ts';
import { aContact } from '../support/people.ts';

const server = appOfFile();

async function openDesk(isCounted = true) {
  const people = ['ana', 'bo', 'cy'].map((id) => aContact({ id, name: id === 'cy' ? 'Cy Sand' : 'Ana Ruiz' }));
  const desk = await aDesk(server, { contacts: people });
  if (isCounted) for await (const _ of suggestInProject(server.store, 'find-duplicates', desk.projectId));
  const post = (action: string, payload: object, headers = {}) =>
    desk.ask('POST', `/duplicates${action}`, payload, headers);
  return { ...desk, post };
}

describe('POST /v2/chatbots/{chatbotId}/contacts/duplicates', () => {
  it('answers groups with band, reasons and contacts of eight fields, a cursor and the last event that counts', async () => {
    const desk = await openDesk();
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
    expect(data.as_of).toBe((await desk.events()).at(-1)?.sequence);
    const rest = await desk.post('', { cursor: data.next_cursor });
    expect(rest.json.data).toMatchObject({ groups: [{ band: 'likely' }, { band: 'likely' }], next_cursor: null });
    const likely = await desk.post('', { band: 'likely', cursor: data.next_cursor });
    expect([likely.status, likely.json.errors]).toMatchObject([422, [{ field: 'cursor' }]]);
  });

  it('answers no group as of event 0 before the contacts are compared', async () => {
    const desk = await openDesk(false);
    expect((await desk.post('', {})).json.data).toEqual({ groups: [], next_cursor: null, as_of: '0' });
  });
});

describe('POST /v2/chatbots/{chatbotId}/contacts/duplicates/dismiss', () => {
  it('answers success alone, records no event, and suggests the two no more, also when it is repeated', async () => {
    const desk = await openDesk();
    const before = await desk.events();
    const dismissed = { contact_ids: ['ana', 'bo'] };
    for (const headers of [{ 'idempotency-key': 'once' }, { 'idempotency-key': 'once' }, {}]) {
      const { status, json } = await desk.post('/dismiss', dismissed, headers);
      expect([status, json]).toEqual([200, { status: 'success' }]);
    }
    expect((await desk.post('/dismiss', { contact_ids: ['ana', 'dan'] })).status).toBe(404);
    expect(await desk.events()).toEqual(before);
    expect((await desk.post('', { band: 'certain' })).json.data).toMatchObject({ groups: [] });
  });
});
