import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import type { StoredContact } from '../../src/contacts/contact.ts';
import { deleteContact } from '../../src/contacts/delete.ts';
import { restoreContact } from '../../src/contacts/restore.ts';
import { updateContact } from '../../src/contacts/update.ts';
import { AppError } from '../../src/errors.ts';
import { run } from '../../src/operation.ts';
import type { Store } from '../../src/store.ts';
import { engines } from '../support/engines.ts';
import { somebody, someQuery } from '../support/many-scripts.ts';
import { aContact, aProject, storeContacts } from '../support/people.ts';
import { seededRandom } from '../support/random.ts';
import { askOf, type Asked, type Desk, expected, findAll } from '../support/searches.ts';

async function changeMany(
  store: Store,
  { projectId, chatbotId }: Desk,
  people: Map<string, StoredContact>,
  seed: number,
) {
  const random = seededRandom(seed);
  const actor = operator(projectId);
  for (let step = 0; step < 40; step++) {
    const contact = random.pick([...people.values()]);
    const other = somebody(random, contact.id);
    const contactId = contact.id;
    const kind = random.below(3);
    if (kind === 0) {
      const { name, email, company, tags } = other;
      const properties = { name, email, company, tags: [...tags] };
      await run(updateContact, store, actor, { chatbotId, contactId, properties });
      people.set(contactId, { ...contact, name, email, company, tags });
      continue;
    }
    await run(deleteContact, store, actor, { chatbotId, contactId });
    people.delete(contactId);
    if (kind === 1) continue;
    await run(restoreContact, store, actor, { chatbotId, contactId });
    people.set(contactId, contact);
  }
}

describe.each(engines)('search on $engine', ({ open }) => {
  it('finds whom a plain reading of the promise finds, in the same order, whatever was written before', async () => {
    await using opened = await open();
    const random = seededRandom(16);
    const people = Array.from({ length: 250 }, (_, i) =>
      aContact(somebody(random, `${random.below(1e9).toString(36)}-${i}`)),
    );
    const desk = await aProject(opened.store);
    // In batches, as imports and requests bring them.
    await storeContacts(opened.store, desk.projectId, desk.chatbotId, people.slice(0, 100));
    for (const one of people.slice(100, 130)) await storeContacts(opened.store, desk.projectId, desk.chatbotId, [one]);
    await storeContacts(opened.store, desk.projectId, desk.chatbotId, people.slice(130));
    const current = new Map(people.map((one) => [one.id, one]));
    await changeMany(opened.store, desk, current, 17);
    const ask = askOf(opened.store, desk);
    let found = 0;
    for (let number = 0; number < 45; number++) {
      const asked: Asked = {
        ...(random.below(8) > 0 && { query: someQuery(random, people) }),
        ...(random.below(2) === 0 && { sort: random.pick(['date_asc', 'added_asc'] as const) }),
        ...(random.below(6) === 0 && { tag: random.pick(['vip', '東京', 'a b']) }),
        ...(random.below(5) === 0 && { created_after: `202${random.below(6)}-06-01T00:00:00+00:00` }),
        ...(random.below(5) === 0 && { created_before: '2026-03-01T05:00:01+00:00' }),
        limit: 1 + random.below(100),
      };
      const ids = await findAll(ask, asked).catch((error: unknown) => {
        if (error instanceof AppError && error.errors?.[0]?.code === 'too_many') return undefined;
        throw error;
      });
      if (ids === undefined) continue;
      expect({ asked, ids }).toEqual({ asked, ids: expected([...current.values()], asked) });
      found += ids.length;
    }
    expect(found).toBeGreaterThan(150);
  });
});
