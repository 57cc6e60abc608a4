import { describe, expect, it } from 'vitest';

import { aServedClient } from '../support/client.ts';

describe('the client, where every third answer is lost', () => {
  it('does each write once, and none by half', async () => {
    await using at = await aServedClient();
    const { chatbotId } = at;
    let asked = 0;
    // The server has done what was asked for; nobody is told.
    const lossy: typeof fetch = async (...args) => {
      const response = await fetch(...args);
      if (++asked % 3 !== 0) return response;
      await response.text();
      throw new TypeError('the connection was lost');
    };
    const client = at.clientWith({ fetch: lossy, retryDelayMaxMs: 1 });

    const made: string[] = [];
    for (let index = 0; index < 20; index++) {
      const created = await client.createContact({ chatbotId, properties: { name: `Person ${index}` } });
      made.push(created.id);
    }
    for (const contactId of made) {
      await client.updateContact({ chatbotId, contactId, properties: { tags: { add: ['met'] } } });
    }
    for (const contactId of made.slice(0, 8)) await client.deleteContact({ chatbotId, contactId });
    for (const contactId of made.slice(0, 4)) await client.restoreContact({ chatbotId, contactId });
    await client.upsertContact({ chatbotId, match: { email: 'ana@example.com' }, properties: { name: 'Ana' } });
    const created = [{ op: 'create', properties: { name: 'Bo' } }] as const;
    expect(await client.bulkContacts({ chatbotId, items: created })).toMatchObject({ succeeded: 1 });
    expect((await client.createChatbot({ name: 'Second' }))?.name).toBe('Second');

    const names: string[] = [];
    for await (const { name } of client.listContacts({ chatbotId })) names.push(String(name));
    const stay = [...made.keys()].filter((index) => index < 4 || index >= 8).map((index) => `Person ${index}`);
    expect(names.toSorted()).toEqual([...stay, 'Ana', 'Bo'].toSorted());
    const changes: Record<string, number> = {};
    for await (const { type } of client.listEvents()) changes[type] = (changes[type] ?? 0) + 1;
    expect(changes).toMatchObject({
      'contact.created': 22,
      'contact.updated': 20,
      'contact.deleted': 8,
      'contact.restored': 4,
      'chatbot.created': 2,
    });
  });
});
