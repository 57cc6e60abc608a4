import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect } from 'vitest';

import { mcp } from '../../src/cli/server.ts';
import { type AppOptions, buildApp, type HttpSettings } from '../../src/http/app.ts';
import type { Store } from '../../src/store.ts';
import { noLimit, portOf } from './app.ts';
import { openStoreOfRun } from './engines.ts';

/** How a client of the official library agrees on each revision that is served. */
export const revisions = [
  { revision: '2025-11-25', mode: 'legacy' },
  { revision: '2026-07-28', mode: { pin: '2026-07-28' } },
] as const;
type Mode = (typeof revisions)[number]['mode'];

export function aClient(mode: Mode = { pin: '2026-07-28' }): Client {
  return new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
}

/** The service with `/mcp`, listening on the loopback. */
export async function openMcp(
  settings: Partial<HttpSettings> = {},
  options: AppOptions = {},
  over: (store: Store) => Store = (store) => store,
) {
  const opened = await openStoreOfRun();
  const app = buildApp(over(opened.store), { ...noLimit, ...settings }, { mcp, ...options });
  const port = await portOf(app);
  const url = new URL(`http://127.0.0.1:${port}/mcp`);
  const connect = async (token: string, mode?: Mode) => {
    const client = aClient(mode);
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
    return client;
  };
  return {
    app,
    store: opened.store,
    port,
    url,
    connect,
    [Symbol.asyncDispose]: async () => {
      await app.close();
      await opened[Symbol.asyncDispose]();
    },
  };
}

type Args = Readonly<Record<string, unknown>>;

export async function call(client: Client, name: string, args: Args = {}) {
  const result = await client.callTool({ name, arguments: { ...args } });
  const [content, ...more] = result.content;
  if (content?.type !== 'text' || more.length > 0) throw new Error('a result is one text');
  return { ...result, text: content.text, data: result.structuredContent as Record<string, never> };
}

/** Calls a tool that must succeed, and returns its structured result. */
export async function done(client: Client, name: string, args?: Args) {
  const { isError, text, data } = await call(client, name, args);
  if (isError === true) throw new Error(text);
  return data as unknown as Record<string, unknown>;
}

export const allTools = [
  'find_people',
  'get_person',
  'list_recent_people',
  'save_person',
  'update_person',
  'delete_person',
  'restore_person',
  'list_members',
  'list_chatbots',
  'recent_changes',
];

/** Uses every tool once or more, on a chatbot that has nobody yet. The client checks each result by its outputSchema. */
export async function useEveryTool(client: Client, chatbotId: string): Promise<void> {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(allTools);
  const there = { chatbot_id: chatbotId };
  expect(await done(client, 'list_chatbots')).toMatchObject({ chatbots: [{ id: chatbotId }], next_cursor: null });
  const match = { email: 'zoe@example.com' };
  const saved = await done(client, 'save_person', { ...there, match, properties: { name: 'Zoe Ø' }, confirm: true });
  expect(saved).toMatchObject({ stored: true, outcome: 'created', contact: { name: 'Zoe Ø' } });
  const { id } = saved['contact'] as { id: string };
  const person = { ...there, contact_id: id };
  expect(await done(client, 'find_people', { ...there, query: 'zoe o' })).toMatchObject({ contacts: [{ id }] });
  expect(await done(client, 'find_people', { ...there, query: 'zoe@example.com' })).toMatchObject({
    contacts: [{ id }],
    next_cursor: null,
  });
  expect(
    await done(client, 'update_person', { ...person, properties: { tags: ['vip'] }, confirm: true }),
  ).toMatchObject({
    stored: true,
    outcome: 'updated',
    changed: ['tags'],
  });
  expect(await done(client, 'get_person', person)).toMatchObject({ id, ...match, tags: ['vip'], external_id: null });
  const deleted = { stored: true, outcome: 'deleted', changed: [], contact: null };
  expect(await done(client, 'delete_person', { ...person, confirm: true })).toEqual(deleted);
  expect(await done(client, 'list_recent_people', there)).toEqual({ next_cursor: null, contacts: [] });
  expect(await done(client, 'list_recent_people', { ...there, state: 'deleted' })).toMatchObject({
    contacts: [{ id }],
  });
  expect(await done(client, 'restore_person', { ...person, confirm: true })).toMatchObject({
    outcome: 'restored',
    contact: { id },
  });
  expect(await done(client, 'list_recent_people', { ...there, limit: 1 })).toMatchObject({ contacts: [{ id }] });
  expect(await done(client, 'list_members')).toMatchObject({ pages: { current_page: 1 }, members: [] });
  const { events } = await done(client, 'recent_changes', { limit: 4 });
  expect((events as { type: string; actor: object }[]).map(({ type, actor }) => [type, actor])).toEqual(
    ['contact.created', 'contact.updated', 'contact.deleted', 'contact.restored'].map((type) => [
      type,
      { type: 'key', id: expect.any(String) },
    ]),
  );
}
