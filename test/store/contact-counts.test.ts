import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { bulkContacts } from '../../src/contacts/bulk.ts';
import { createContact } from '../../src/contacts/create.ts';
import { deleteContact } from '../../src/contacts/delete.ts';
import { listContacts } from '../../src/contacts/list.ts';
import { restoreContact } from '../../src/contacts/restore.ts';
import { upsertContact } from '../../src/contacts/upsert.ts';
import { sql } from '../../src/database/sql.ts';
import { copyDatabase } from '../../src/database/upkeep/copy.ts';
import { run } from '../../src/operation.ts';
import type { Store } from '../../src/store.ts';
import { engines, shared } from '../support/engines.ts';
import { aContact, aProject, importContacts, storeContacts } from '../support/people.ts';

async function pagesOf(store: Store, projectId: string, chatbotId: string): Promise<number | undefined> {
  const { output } = await run(listContacts, store, operator(projectId), { chatbotId, per_page: 1, page: 9_999 });
  return (output as { pages?: { last_page: number } }).pages?.last_page;
}

describe.each(engines)('the number of contacts on $engine', ({ open }) => {
  const opened = shared(open);

  it('is right after every write, and in a copy', async () => {
    const { store, database } = opened;
    const { projectId, chatbotId } = await aProject(store);
    const other = await aProject(store, { contacts: [aContact()] });
    const actor = operator(projectId);
    const expectCount = async (count: number) => {
      const [row] = await database.all<{ total: number }>(
        sql`select cast(count(*) as integer) as total from contacts where project_id = ${projectId}`,
      );
      expect([row?.total, await pagesOf(store, projectId, chatbotId)]).toEqual([count, Math.max(1, count)]);
    };
    await expectCount(0);
    const create = async (name: string) =>
      (await run(createContact, store, actor, { chatbotId, properties: { name } })).output.id;
    const [a = '', b = '', c = ''] = await Promise.all(['A', 'B', 'C'].map(create));
    await expectCount(3);
    await run(upsertContact, store, actor, { chatbotId, match: { email: 'd@example.com' } });
    await run(upsertContact, store, actor, { chatbotId, match: { email: 'D@example.com' }, properties: { name: 'D' } });
    await expectCount(4);
    await run(deleteContact, store, actor, { chatbotId, contactId: a });
    await run(deleteContact, store, actor, { chatbotId, contactId: b, purge: true });
    await expectCount(2);
    await run(restoreContact, store, actor, { chatbotId, contactId: a });
    await run(deleteContact, store, actor, { chatbotId, contactId: a });
    await run(deleteContact, store, actor, { chatbotId, contactId: a, purge: true });
    await expectCount(2);
    await run(bulkContacts, store, actor, {
      chatbotId,
      items: [
        { op: 'create', properties: { name: 'E' } },
        { op: 'upsert', match: { external_id: 'f' }, properties: { name: 'F' } },
        { op: 'delete', match: { external_id: 'f' } },
        { op: 'delete', id: c },
        { op: 'create', properties: {} },
      ],
    });
    await expectCount(2);
    await importContacts(store, projectId, chatbotId, [
      { name: 'G' },
      { email: 'd@example.com', name: 'D' },
      { id: 'h' },
    ]);
    await storeContacts(store, projectId, chatbotId, [aContact({ id: 'i' }), aContact({ id: 'j' })]);
    const all = await Array.fromAsync(store.contacts.listAll(projectId, chatbotId));
    await expectCount(all.flat().length);
    expect(all.flat().length).toBeGreaterThan(4);
    expect(await pagesOf(store, other.projectId, other.chatbotId)).toBe(1);

    await using target = await engines[0].open();
    await copyDatabase(database, target.database);
    expect(await pagesOf(target.store, projectId, chatbotId)).toBe(all.flat().length);
  });

  it('is right where an id is deleted that is in the bin already', async () => {
    const { store } = opened;
    const { projectId, chatbotId } = await aProject(store, { contacts: [aContact({ id: 'a', name: 'Old' })] });
    await run(deleteContact, store, operator(projectId), { chatbotId, contactId: 'a' });
    await storeContacts(store, projectId, chatbotId, [aContact({ id: 'a', name: 'New' })]);
    await run(deleteContact, store, operator(projectId), { chatbotId, contactId: 'a' });
    const restored = await run(restoreContact, store, operator(projectId), { chatbotId, contactId: 'a' });
    expect(restored.output).toMatchObject({ name: 'New' });
    expect(await pagesOf(store, projectId, chatbotId)).toBe(1);
  });
});

describe('the number of contacts on PostgreSQL', () => {
  it('counts whom a program of the version before adds', async () => {
    await using opened = await engines[1].open();
    const { projectId, chatbotId } = await aProject(opened.store);
    await opened.database.script(`insert into contacts (project_id, chatbot_id, id, name, created_at)
      values ('${projectId}', '${chatbotId}', 'a', 'A', '2026-01-01T00:00:00+00:00'),
        ('${projectId}', '${chatbotId}', 'b', 'B', '2026-01-01T00:00:00+00:00')`);
    expect(await pagesOf(opened.store, projectId, chatbotId)).toBe(2);
  });
});
