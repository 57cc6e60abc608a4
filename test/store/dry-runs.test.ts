import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { deleteContact } from '../../src/contacts/delete.ts';
import { restoreContact } from '../../src/contacts/restore.ts';
import { searchContacts } from '../../src/contacts/search.ts';
import { updateContact } from '../../src/contacts/update.ts';
import { upsertContact } from '../../src/contacts/upsert.ts';
import { listRecentEvents } from '../../src/events/feed.ts';
import { run } from '../../src/operation.ts';
import { engines, shared } from '../support/engines.ts';
import { eventsOf } from '../support/events.ts';
import { aContact, aProject, vendorContactId } from '../support/people.ts';

const contacts = [aContact({ external_id: 'crm-1' }), aContact({ id: 'second', email: 'bo@example.com', name: 'Bo' })];

describe.each(engines)('a dry run on $engine', ({ open }) => {
  const opened = shared(open);

  it('tells what would be recorded, and stores nothing and records no event', async () => {
    const { store } = opened;
    const { projectId, chatbotId } = await aProject(store, { contacts });
    const actor = operator(projectId);
    const id = vendorContactId;
    const before = JSON.stringify(await eventsOf(store, projectId));
    const dry = { isDry: true };
    const match = { email: 'new@example.com' };
    const outcomes = [
      await run(upsertContact, store, actor, { chatbotId, match, properties: { name: 'Newcomer' } }, dry),
      await run(updateContact, store, actor, { chatbotId, contactId: id, properties: { name: 'Other' } }, dry),
      await run(updateContact, store, actor, { chatbotId, contactId: id, properties: {} }, dry),
      await run(deleteContact, store, actor, { chatbotId, contactId: id }, dry),
    ];
    expect(outcomes.map(({ changes }) => changes?.map(({ type, changed }) => [type, changed]))).toEqual([
      [['contact.created', undefined]],
      [['contact.updated', ['name']]],
      [],
      [['contact.deleted', undefined]],
    ]);
    await expect(run(restoreContact, store, actor, { chatbotId, contactId: id }, dry)).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(JSON.stringify(await eventsOf(store, projectId))).toBe(before);
    const found = await run(searchContacts, store, actor, { chatbotId });
    expect(new Set(found.output.contacts.map(({ name }) => name))).toEqual(new Set(['Ana Lucía Ferreira', 'Bo']));
    expect((await run(searchContacts, store, actor, { chatbotId, query: 'newcomer' })).output.contacts).toEqual([]);
  });

  it('fails as the write itself would', async () => {
    const { store } = opened;
    const { projectId, chatbotId } = await aProject(store, { contacts });
    const taken = { chatbotId, contactId: 'second', properties: { external_id: 'crm-1' } };
    for (const isDry of [true, false]) {
      await expect(run(updateContact, store, operator(projectId), taken, { isDry })).rejects.toMatchObject({
        code: 'conflict',
        existing: [vendorContactId],
      });
    }
  });

  it('undoes nothing of the writes that run at the same time', async () => {
    const { store } = opened;
    const { projectId, chatbotId } = await aProject(store);
    const save = (n: number, isDry: boolean) =>
      run(upsertContact, store, operator(projectId), { chatbotId, match: { email: `${n}@example.com` } }, { isDry });
    await Promise.all(Array.from({ length: 20 }, (_, n) => save(n, n % 2 === 0)));
    const { output } = await run(searchContacts, store, operator(projectId), { chatbotId });
    const emails = output.contacts.map(({ email }) => Number.parseInt(String(email), 10));
    expect(emails.toSorted((one, other) => one - other)).toEqual([1, 3, 5, 7, 9, 11, 13, 15, 17, 19]);
  });
});

describe.each(engines)('the recent events on $engine', ({ open }) => {
  const opened = shared(open);

  it('are the last ones, oldest first, and go on where they end', async () => {
    const { store } = opened;
    const { projectId, chatbotId } = await aProject(store);
    const actor = operator(projectId);
    const save = (n: number) => run(upsertContact, store, actor, { chatbotId, match: { email: `${n}@example.com` } });
    for (let n = 0; n < 8; n++) await save(n);
    const all = await eventsOf(store, projectId);
    const { output: last } = await run(listRecentEvents, store, actor, { limit: 3 });
    expect(last.events).toEqual(all.slice(-3));
    await save(9);
    const { output: next } = await run(listRecentEvents, store, actor, { after: last.next_cursor, limit: 3 });
    expect(next.events.map(({ type }) => type)).toEqual(['contact.created']);
    expect((await run(listRecentEvents, store, actor, { limit: 500 })).output.events).toHaveLength(all.length + 1);
  });
});
