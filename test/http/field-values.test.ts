import { expect, it } from 'vitest';

import { appOfFile } from '../support/app.ts';
import { manyContacts } from '../support/many-contacts.ts';
import { aContact, createChatbot, storeContacts } from '../support/people.ts';
import { aTeam } from '../support/signed-in.ts';

const server = appOfFile();

it('a page gets the values of a field that begin so, the most frequent first, with numbers if all were counted', async () => {
  const team = await aTeam(server, ['Owner', 'Viewer']);
  const { id: other } = await createChatbot(server.store, team.projectId, { name: 'Returns' });
  await storeContacts(server.store, team.projectId, team.chatbotId, [
    aContact({ id: 'a', company: 'Nordwind', tags: ['vip'], attributes: { plan: 'pro', seats: 3 } }),
    aContact({ id: 'b', company: 'Nordwind', tags: ['q4', 'vip'], attributes: { seats: 12 } }),
    aContact({ id: 'c', company: 'Haus Nördlich', city: 'Bonn' }),
  ]);
  await storeContacts(server.store, team.projectId, other, [
    aContact({ id: 'a', company: 'Acme', tags: ['q4', 'vip'] }),
  ]);
  const { call } = await team.signIn();
  const ask = async (input: object) => (await call('POST', '/contacts/values', input)).json.data as unknown;
  const answer = (values: object[]) => ({ values, is_complete: true });
  expect(await ask({ field: 'tags' })).toEqual(
    answer([
      { value: 'vip', count: 3 },
      { value: 'q4', count: 2 },
    ]),
  );
  expect(await ask({ field: 'company', text: 'NORD' })).toEqual(
    answer([
      { value: 'Nordwind', count: 2 },
      { value: 'Haus Nördlich', count: 1 },
    ]),
  );
  expect(await ask({ field: 'company', chatbot_id: other })).toEqual(answer([{ value: 'Acme', count: 1 }]));
  expect(await ask({ field: 'city', text: 'bo' })).toEqual(answer([{ value: 'Bonn', count: 1 }]));
  expect(await ask({ field: 'attributes', text: 'se' })).toEqual(answer([{ value: 'seats', count: 2 }]));
  expect(await ask({ field: 'attributes.seats', text: '1' })).toEqual(answer([{ value: 12, count: 1 }]));

  await storeContacts(server.store, team.projectId, other, manyContacts(300));
  expect(await ask({ field: 'tags' })).toMatchObject({ values: [{ value: 'vip' }], is_complete: false });
  // Words are found among everybody, however old.
  expect(await ask({ field: 'tags', text: 'q4' })).toEqual(answer([{ value: 'q4', count: 2 }]));

  expect((await call('POST', '/contacts/values', { field: 'email' })).status).toBe(422);
  expect((await call('POST', '/contacts/values', { field: 'tags', chatbot_id: 'x' })).status).toBe(404);
  const viewer = await team.signIn('Viewer');
  expect((await viewer.call('POST', '/contacts/values', { field: 'tags' })).status).toBe(403);
});
