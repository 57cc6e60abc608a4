import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { createChatbot } from '../../src/chatbots/create.ts';
import { deleteChatbot } from '../../src/chatbots/delete.ts';
import { deleteChatbotInSteps, deleteProjectInSteps } from '../../src/cli/contacts/delete-in-steps.ts';
import { createContact } from '../../src/contacts/create.ts';
import { sql } from '../../src/database/sql.ts';
import { run } from '../../src/operation.ts';
import { deleteProject } from '../../src/projects/delete.ts';
import type { Store } from '../../src/store.ts';
import { engines, shared } from '../support/engines.ts';
import { eventsOf } from '../support/events.ts';
import { deletedDaysAgo } from '../support/jobs.ts';
import { aContact, aMember, aProject, totalOf } from '../support/people.ts';

const people = (count: number) =>
  Array.from({ length: count }, (_, i) => aContact({ id: `c-${String(i).padStart(4, '0')}`, external_id: `x${i}` }));
const idsOf = (contacts: { id: string }[]) => contacts.map(({ id }) => id);
const numbers = (to: number) => Array.from({ length: to }, (_, i) => String(i + 1));
const tables = 'projects chatbots members contacts deleted_contacts api_keys events idempotency_keys'.split(' ');

/** A project with its Owner, a key, and contacts, some of them in the bin. */
async function filled(store: Store, count = 550) {
  const members = [aMember({ roles: ['Owner'] }), aMember({ email: 'bo@example.com' })];
  const desk = await aProject(store, { members, contacts: people(count) });
  await deletedDaysAgo(store, 1, desk, idsOf(people(20)));
  return desk;
}

async function purgedIds(store: Store, projectId: string): Promise<string[]> {
  const events = await eventsOf(store, projectId);
  expect(events.map(({ sequence }) => sequence)).toEqual(numbers(events.length));
  return events.flatMap(({ type, contact_ids }) => (type === 'contact.purged' ? (contact_ids ?? []) : [])).toSorted();
}

/** As many creations as another process manages until one fails. */
function creating(store: Store, projectId: string, chatbotId: string) {
  const ids: string[] = [];
  const ask = async () => {
    const input = { chatbotId, properties: { name: 'Late' } };
    for (;;) ids.push((await run(createContact, store, operator(projectId), input)).output.id);
  };
  return { ids, ended: Promise.allSettled([ask(), ask(), ask()]) };
}

describe.each(engines)('a chatbot on $engine', ({ open }) => {
  const opened = shared(open);

  it('is deleted with its people, in the bin too, with an event for each step, and no other', async () => {
    const { store } = opened;
    const { projectId, chatbotId } = await filled(store);
    const other = await filled(store, 30);
    expect(await deleteChatbotInSteps(store, projectId, chatbotId)).toBe(550);
    expect(await store.chatbots.list(projectId)).toEqual([]);
    expect(await purgedIds(store, projectId)).toEqual(idsOf(people(550)));
    expect((await eventsOf(store, projectId)).at(-1)).toMatchObject({ type: 'chatbot.deleted', chatbot_id: chatbotId });
    expect([await totalOf(store, other), await totalOf(store, other, 'deleted')]).toEqual([10, 20]);
    await expect(deleteChatbotInSteps(store, projectId, chatbotId)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is deleted by a second run after an interruption, with those who came between', async () => {
    const { store } = opened;
    const desk = await filled(store);
    const { projectId, chatbotId } = desk;
    const { output } = await run(deleteChatbot, store, operator(projectId), { chatbotId });
    expect(output).toEqual({ is_done: false, purged: 500 });
    expect(await totalOf(store, desk)).toBe(30);
    const input = { chatbotId, properties: { name: 'Late' } };
    const late = (await run(createContact, store, operator(projectId), input)).output.id;
    expect(await deleteChatbotInSteps(store, projectId, chatbotId)).toBe(51);
    expect(await purgedIds(store, projectId)).toEqual([...idsOf(people(550)), late].toSorted());
    const purges = await eventsOf(store, projectId, { types: ['contact.purged'] });
    expect(purges.map(({ contact_ids }) => contact_ids?.length ?? 1)).toEqual([500, 31, 20]);
  });

  it('is not found by a key of another project, nor deleted by a key at all', async () => {
    const { projectId, chatbotId } = await filled(opened.store, 30);
    const { projectId: other } = await aProject(opened.store);
    await expect(deleteChatbotInSteps(opened.store, other, chatbotId)).rejects.toMatchObject({ code: 'not_found' });
    const key = { ...operator(projectId), type: 'key', scopes: ['chatbots:write'] } as const;
    await expect(run(deleteChatbot, opened.store, key, { chatbotId })).rejects.toMatchObject({
      code: 'insufficient_scope',
    });
  });
});

describe.each(engines)('a chatbot on $engine that another process writes to', ({ open }) => {
  const opened = shared(open);

  it('is deleted with all whom that one has added, and then is not found', async () => {
    const { projectId, chatbotId } = await filled(opened.store);
    const late = creating(await opened.another(), projectId, chatbotId);
    await expect.poll(() => late.ids.length).toBeGreaterThan(10);
    await deleteChatbotInSteps(await opened.another(), projectId, chatbotId);
    const notFound = { status: 'rejected', reason: { code: 'not_found' } };
    expect(await late.ended).toMatchObject([notFound, notFound, notFound]);
    expect(await purgedIds(opened.store, projectId)).toEqual([...idsOf(people(550)), ...late.ids].toSorted());
    const rows = await opened.database.all(
      sql`select id from contacts where project_id = ${projectId}
        union all select id from deleted_contacts where project_id = ${projectId}`,
    );
    expect(rows).toEqual([]);
  });
});

describe.each(engines)('a project on $engine', ({ open }) => {
  const opened = shared(open);

  const rowsOf = async ({ database }: Awaited<ReturnType<typeof open>>, projectId: string) => {
    const counts: Record<string, number> = {};
    for (const table of tables) {
      const column = table === 'projects' ? 'id' : 'project_id';
      const text = `select cast(count(*) as integer) as total from ${table} where ${column} = `;
      counts[table] =
        (await database.first<{ total: number }>({ pieces: [text, ''], values: [projectId] }))?.total ?? 0;
    }
    return counts;
  };

  it('is deleted with its Owner and all that belongs to it, and nothing of another', async () => {
    const { store, database } = opened;
    const { projectId } = await filled(store);
    const other = await filled(store, 30);
    await run(createChatbot, store, operator(projectId), { name: 'Second' });
    for (const [id, hash] of [
      [projectId, 'a'],
      [other.projectId, 'b'],
    ] as const) {
      await database.run(
        sql`insert into idempotency_keys (project_id, api_key_id, key_hash, request_digest, created_at)
          values (${id}, 'key', ${hash}, 'digest', '2026-01-01T00:00:00+00:00')`,
      );
    }
    const before = await rowsOf(opened, other.projectId);
    expect(Object.values(before).every((count) => count > 0)).toBe(true);
    expect(await deleteProjectInSteps(store, projectId)).toEqual({ chatbots: 2, contacts: 550, members: 2 });
    expect(await rowsOf(opened, projectId)).toEqual(Object.fromEntries(tables.map((table) => [table, 0])));
    expect(await rowsOf(opened, other.projectId)).toEqual(before);
    await expect(deleteProjectInSteps(store, projectId)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('stays whole while it has a chatbot, its Owner too', async () => {
    const { projectId } = await filled(opened.store, 30);
    const before = await rowsOf(opened, projectId);
    await expect(run(deleteProject, opened.store, operator(projectId), undefined)).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await rowsOf(opened, projectId)).toEqual(before);
  });
});
