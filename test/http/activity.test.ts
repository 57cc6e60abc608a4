import { expect, it } from 'vitest';

import type { Event } from '../../src/events/event.ts';
import { appOfFile } from '../support/app.ts';
import { report } from '../support/events.ts';
import { aTeam } from '../support/signed-in.ts';

const server = appOfFile();

interface Activity {
  events: Event[];
  next_cursor: string | null;
  newer_cursor: string;
}

it('the activity of a project is walked to its beginning, and waited for from its end, without ids of many contacts', async () => {
  const { signIn, projectId, chatbotId } = await aTeam(server);
  const { call } = await signIn();
  const ofImport = (...ids: string[]) =>
    report(server.store, projectId, { type: 'contact.created', chatbot_id: chatbotId, contact_ids: ids });
  await ofImport('a', 'b', 'c');
  await ofImport('d');
  const list = async (path: string) => (await call('GET', path)).json.data as unknown as Activity;
  const first = await list('/activity?limit=2&type=contact.*');
  expect(first.events.map((event) => [event.contact_id, event.contact_ids, event.count])).toEqual([
    ['d', null, 1],
    [null, null, 3],
  ]);
  const older = await list(`/activity?after=${first.next_cursor}`);
  expect([older.events.at(-1)?.type, older.next_cursor]).toEqual(['project.created', null]);
  await ofImport('e', 'f');
  const newer = await list(`/events?after=${first.newer_cursor}&wait=20`);
  expect(newer.events.map((event) => event.contact_ids)).toEqual([['e', 'f']]);
});
