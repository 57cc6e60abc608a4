import { describe, expect, it } from 'vitest';

import { type Actor, operator } from '../../src/actor.ts';
import { createChatbot as createChatbotOperation } from '../../src/chatbots/create.ts';
import { sql } from '../../src/database/sql.ts';
import type { Event, NewEvent } from '../../src/events/event.ts';
import { run } from '../../src/operation.ts';
import { engines, shared } from '../support/engines.ts';
import { eventsOf, report } from '../support/events.ts';
import {
  aContact,
  aProject,
  createApiKey,
  createChatbot,
  createProject,
  importContacts,
  importMembers,
  revokeApiKey,
  rotateApiKey,
  storeContacts,
  updateApiKey,
} from '../support/people.ts';

const aChange = (n: number): NewEvent => ({ type: 'contact.updated', contact_id: String(n) });
const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const typesOf = (events: Event[]) => events.map(({ type }) => type);

describe.each(engines)('events on $engine', ({ open }) => {
  const opened = shared(open);

  it('say what was changed, by whom, when and in which request', async () => {
    await createProject(opened.store, { name: 'Example Ltd', id: 'acme' });
    const actor: Actor = {
      type: 'key',
      id: 'some-key',
      projectId: 'acme',
      scopes: ['chatbots:write'],
      requestId: 'some-request',
    };
    const { output: chatbot } = await run(createChatbotOperation, opened.store, actor, { name: 'Desk' });
    const [first, second] = await eventsOf(opened.store, 'acme');
    const nothing = {
      chatbot_id: null,
      contact_id: null,
      contact_ids: null,
      member_id: null,
      member_ids: null,
      key_id: null,
      changed: null,
    };
    expect(first).toEqual({
      ...nothing,
      id: expect.stringMatching(uuidV7),
      sequence: '1',
      type: 'project.created',
      occurred_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
      actor: { type: 'operator', id: 'cli' },
      request_id: null,
    });
    expect(second).toEqual({
      ...nothing,
      id: expect.stringMatching(uuidV7),
      sequence: '2',
      type: 'chatbot.created',
      occurred_at: expect.any(String),
      actor: { type: 'key', id: 'some-key' },
      request_id: 'some-request',
      chatbot_id: chatbot.id,
    });
  });

  it('name the key that was created, changed, rotated or revoked, and what changes nothing is none', async () => {
    await createProject(opened.store, { name: 'Example Ltd', id: 'keys' });
    const { key } = await createApiKey(opened.store, 'keys', { name: 'CRM' });
    for (let i = 0; i < 2; i++) await updateApiKey(opened.store, key.id, ['members:read']);
    const rotated = await rotateApiKey(opened.store, key.id, 60);
    for (let i = 0; i < 2; i++) await revokeApiKey(opened.store, key.id);
    const events = await eventsOf(opened.store, 'keys', { after: 1n });
    expect(events.map(({ type, key_id, changed }) => ({ type, key_id, changed }))).toEqual([
      { type: 'key.created', key_id: key.id, changed: null },
      { type: 'key.updated', key_id: key.id, changed: ['scopes'] },
      { type: 'key.rotated', key_id: key.id, changed: ['expires_at', 'replaced_by'] },
      { type: 'key.created', key_id: rotated.key.id, changed: null },
      { type: 'key.revoked', key_id: key.id, changed: ['revoked_at'] },
    ]);
  });

  it('name every contact that a batch of 1,000 created or updated, and none that it left as it was', async () => {
    const { projectId, chatbotId } = await aProject(opened.store);
    const after = BigInt((await eventsOf(opened.store, projectId)).length);
    const rows = Array.from({ length: 1_000 }, (_, i) => ({ id: `c${i}`, name: 'A' }));
    await importContacts(opened.store, projectId, chatbotId, rows);
    const mixed = rows.map((row, i) => {
      if (i < 300) return { ...row, id: `new${i}` };
      return i < 700 ? { ...row, name: 'B' } : row;
    });
    await importContacts(opened.store, projectId, chatbotId, mixed);
    await importContacts(opened.store, projectId, chatbotId, mixed);
    const events = await eventsOf(opened.store, projectId, { after });
    expect(typesOf(events)).toEqual(['contact.created', 'contact.created', 'contact.updated']);
    expect(events.every(({ chatbot_id }) => chatbot_id === chatbotId)).toBe(true);
    const expected = [rows, mixed.slice(0, 300), mixed.slice(300, 700)];
    expect(events.map(({ contact_ids }) => contact_ids?.toSorted())).toEqual(
      expected.map((some) => some.map(({ id }) => id).toSorted()),
    );
  });

  it('tell members who were invited, activated and updated apart, by the ids that they keep', async () => {
    const { projectId } = await aProject(opened.store);
    const after = BigInt((await eventsOf(opened.store, projectId)).length);
    const draft = (name: string, status: 'Active' | 'Pending', role: 'Agent' | 'Viewer' = 'Agent') => ({
      email: `${name}@example.com`,
      status,
      roles: [role],
    });
    await importMembers(opened.store, projectId, [draft('a', 'Pending'), draft('b', 'Active')]);
    await importMembers(opened.store, projectId, [
      draft('a', 'Active'),
      draft('b', 'Active', 'Viewer'),
      draft('c', 'Pending'),
    ]);
    await importMembers(opened.store, projectId, [draft('A', 'Active'), draft('c', 'Pending')]);
    const rows = await opened.database.all<{ id: string }>(
      sql`select id from members where project_id = ${projectId} order by position`,
    );
    const [a, b, c] = rows.map(({ id }) => id);
    for (const { id } of rows) expect(id).toMatch(uuidV7);
    const events = await eventsOf(opened.store, projectId, { after });
    expect(events.map(({ type, member_ids }) => [type, member_ids])).toEqual([
      ['member.invited', [a]],
      ['member.activated', [b]],
      ['member.invited', [c]],
      ['member.activated', [a]],
      ['member.updated', [b]],
    ]);
  });

  it('are stored with the change, or neither is', async () => {
    const { projectId, chatbotId } = await aProject(opened.store);
    const before = await eventsOf(opened.store, projectId);
    const failing = storeContacts(opened.store, projectId, chatbotId, [aContact(), aContact({ id: 'b', phone: '' })]);
    await expect(failing).rejects.toThrow();
    expect(await opened.store.contacts.find(projectId, chatbotId, aContact().id)).toBeUndefined();
    const late = opened.store.write(operator(projectId), async ({ chatbots }) => {
      await chatbots.insert({ id: 'late', name: 'L', project_id: projectId, created_at: 'now' });
      throw new Error('changed its mind');
    });
    await expect(late).rejects.toThrow('changed its mind');
    await expect(report(opened.store, 'nowhere', aChange(1))).rejects.toThrow();
    expect(await eventsOf(opened.store, projectId)).toEqual(before);
    expect(await opened.store.chatbots.find(projectId, 'late')).toBeUndefined();

    // A change that cannot be recorded is not made.
    await opened.database.script('alter table events rename to hidden');
    await expect(createChatbot(opened.store, projectId, { name: 'Unheard' })).rejects.toThrow();
    await opened.database.script('alter table hidden rename to events');
    expect(await opened.store.chatbots.list(projectId)).toHaveLength(1);
    await createChatbot(opened.store, projectId, { name: 'Heard' });
    expect(await eventsOf(opened.store, projectId)).toHaveLength(before.length + 1);
  });

  it('hold nothing of a person, and no token', async () => {
    const { projectId, chatbotId, token } = await aProject(opened.store);
    const planted = {
      name: 'Planted',
      email: 'planted@example.com',
      job_title: 'planted',
      phone: 'planted',
      website: 'https://planted.example.com',
      company: 'planted',
    };
    await importContacts(opened.store, projectId, chatbotId, [planted, { ...planted, id: 'one' }]);
    await importContacts(opened.store, projectId, chatbotId, [{ ...planted, id: 'one', name: 'Planted again' }]);
    await importMembers(opened.store, projectId, [{ email: 'planted@example.com', roles: ['Owner'] }]);
    await createChatbot(opened.store, projectId, { name: 'planted' });
    const rows = await opened.database.all({ pieces: ['select * from events'], values: [] });
    expect(rows.length).toBeGreaterThan(5);
    expect(JSON.stringify(rows)).not.toMatch(/planted/i);
    expect(JSON.stringify(rows)).not.toContain(token.slice(4, 30));
  });
});
