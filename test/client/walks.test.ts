import { describe, expect, it } from 'vitest';

import { aServedClient } from '../support/client.ts';
import { aMember, storeMembers } from '../support/people.ts';

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const idsOf = (items: readonly { id: string }[]) => items.map(({ id }) => id);

describe('a walk of the client', () => {
  it('meets everybody who is there throughout once, by cursors, while others come and go', async () => {
    await using at = await aServedClient({ contacts: 25 });
    const { client, chatbotId, ids } = at;
    const gone = new Set<string>();
    const met: string[] = [];
    for await (const { contacts } of client.listContacts({ chatbotId, per_page: 10 }).pages()) {
      met.push(...idsOf(contacts));
      // Pages by number would now skip one, and then show one twice.
      const [first = ''] = idsOf(contacts);
      gone.add(first);
      await client.deleteContact({ chatbotId, contactId: first });
      for (const name of ['Bo', 'Cleo']) await client.createContact({ chatbotId, properties: { name } });
    }
    expect(new Set(met).size).toBe(met.length);
    for (const id of ids) expect([id, gone.has(id) || met.includes(id)]).toEqual([id, true]);
    expect(gone.size).toBe(3);
  });

  it('goes through searches, chatbots, the bin, and members by pages, as far as the caller wants', async () => {
    await using at = await aServedClient({ contacts: 30 });
    const { client, chatbotId, ids, store, projectId } = at;
    const search = client.searchContacts({ chatbotId, query: 'person', limit: 7, sort: 'date_asc' });
    expect(idsOf(await all(search)).toSorted()).toEqual(ids.toSorted());
    expect((await search).contacts).toHaveLength(7);

    const members = Array.from({ length: 12 }, (_, index) => aMember({ email: `${index}@example.com` }));
    await storeMembers(store, projectId, members);
    const walked = await all(client.listMembers({ per_page: 5 }));
    expect(walked.map(({ email }) => email)).toEqual(members.map(({ email }) => email));

    for (const contactId of ids.slice(0, 3)) await client.deleteContact({ chatbotId, contactId });
    expect(idsOf(await all(client.listContacts({ chatbotId, state: 'deleted', per_page: 2 })))).toEqual(
      ids.slice(0, 3).toReversed(),
    );
    expect(idsOf(await all(client.listContacts({ chatbotId, page: 3, per_page: 10 })))).toHaveLength(7);
    expect(idsOf(await all(client.listChatbots({ per_page: 1 })))).toEqual([chatbotId]);
    let seen = 0;
    for await (const _ of client.listContacts({ chatbotId, per_page: 1 })) if (++seen === 2) break;
    expect(seen).toBe(2);
  });

  it('reads the feed to its end, goes on from a kept cursor, and follows it until it is aborted', async () => {
    await using at = await aServedClient();
    const { client, chatbotId } = at;
    for (const name of ['Ana', 'Bo', 'Cleo']) await client.createContact({ chatbotId, properties: { name } });
    const type = 'contact.created';
    let after = '*';
    const types: string[] = [];
    for await (const page of client.listEvents({ type: [type], limit: 2 }).pages()) {
      types.push(...page.events.map((event) => event.type));
      after = page.next_cursor ?? '';
    }
    expect(types).toEqual([type, type, type]);
    const newestFirst: string[] = [];
    for await (const { sequence } of client.listEvents({ type: ['contact.*'], order: 'desc', limit: 2 })) {
      newestFirst.push(sequence);
    }
    expect(newestFirst).toEqual(['6', '5', '4']);

    const stop = new AbortController();
    const followed: (string | null)[] = [];
    const following = (async () => {
      for await (const event of client.listEvents({ after, type: [type], wait: 20 }, { signal: stop.signal })) {
        followed.push(event.contact_id);
        if (followed.length === 2) stop.abort(new Error('enough'));
      }
    })();
    // It may end before the answer to the second contact is there.
    const ended = following.catch((error: unknown) => error);
    const made = [
      await client.createContact({ chatbotId, properties: { name: 'Dora' } }),
      await client.createContact({ chatbotId, properties: { name: 'Eve' } }),
    ];
    expect(await ended).toMatchObject({ message: 'enough' });
    expect(followed).toEqual(idsOf(made));
  });
});
