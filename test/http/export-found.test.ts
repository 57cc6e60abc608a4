import { expect, it } from 'vitest';

import { appOfFile } from '../support/app.ts';
import { manyContacts } from '../support/many-contacts.ts';
import { storeContacts } from '../support/people.ts';
import { aTeam } from '../support/signed-in.ts';

const server = appOfFile();

interface Page {
  contacts: { id: string; chatbot_id: string; attributes: object }[];
  next_cursor: string | null;
}

it('members who may export get a thousand contacts at once, from cursor to cursor, and others none', async () => {
  const team = await aTeam(server, ['Owner', 'Agent']);
  await storeContacts(server.store, team.projectId, team.chatbotId, manyContacts(1_001));
  const { call } = await team.signIn();
  const ask = async (cursor: string) => {
    const { json, status } = await call('POST', '/contacts/export', { cursor });
    expect(status).toBe(200);
    return json.data as unknown as Page;
  };
  const first = await ask('*');
  const rest = await ask(first.next_cursor ?? '');
  expect([first.contacts.length, rest.contacts.length, rest.next_cursor]).toEqual([1_000, 1, null]);
  expect(rest.contacts).toMatchObject([{ id: 'c0', chatbot_id: team.chatbotId, attributes: {} }]);
  expect(new Set([...first.contacts, ...rest.contacts].map(({ id }) => id)).size).toBe(1_001);
  expect((await call('POST', '/contacts/export', { limit: 1_001 })).status).toBe(422);
  const agent = await team.signIn('Agent');
  expect((await agent.call('POST', '/contacts/export', {})).status).toBe(403);
});
