import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import type { StoredContact } from '../../src/contacts/contact.ts';
import { searchAllContacts } from '../../src/contacts/search.ts';
import { run } from '../../src/operation.ts';
import { meets } from '../support/conditions-reference.ts';
import { engines } from '../support/engines.ts';
import { aContact, aProject, createChatbot, storeContacts } from '../support/people.ts';
import { seededRandom } from '../support/random.ts';
import { isFound } from '../support/search-reference.ts';

type Asked = Omit<Parameters<typeof searchAllContacts.run>[2], 'include'>;
type Condition = NonNullable<Asked['where']>[number];
interface Person extends StoredContact {
  chatbotId: string;
}

const companies = ['Acme', 'ACME', 'acmé', 'Acme  Ltd', 'Acme, Ltd', 'Ａｃｍｅ Ltd', '株式会社', null];
const cities = ['Lisbon', 'lisboa', 'Zürich', 'Zurich', null];
const plans = ['pro', 'PRO', 'team', 1, '1', true, 'true', undefined];
const names = ['Ana Ferreira', 'Bo Li', '李 小龙', 'Anna-Maria Fé', 'Cleo'];
const times = ['2024-01-01T00:00:00+00:00', '2024-06-01T00:00:00+00:00', '2025-01-01T00:00:00+00:00'];
const fields = ['company', 'city', 'email_domain', 'tags', 'attributes.plan', 'name', 'email', 'phone', 'external_id'];

function somebody(random: ReturnType<typeof seededRandom>, id: string): StoredContact {
  const plan = random.pick(plans);
  return aContact({
    id,
    name: random.pick(names),
    email: random.pick([`${id}@example.com`, `${id}@Example.ORG`, null]),
    phone: random.pick(['+1 555 0100', null]),
    company: random.pick(companies),
    city: random.pick(cities),
    external_id: random.pick([`x-${id}`, null]),
    tags: random.pick([[], ['vip'], ['lead', 'vip'], ['café']]),
    attributes: plan === undefined ? {} : { plan },
    created_at: random.pick(times),
    updated_at: random.pick(times),
  });
}

function someCondition(random: ReturnType<typeof seededRandom>): Condition {
  const field = random.pick(fields);
  const values: Record<string, readonly (string | number | boolean)[]> = {
    company: companies.filter((one) => one !== null),
    city: cities.filter((one) => one !== null),
    email_domain: ['example.com', 'EXAMPLE.org', 'example.net'],
    tags: ['VIP', 'cafe', 'none'],
    'attributes.plan': plans.filter((one) => one !== undefined),
  };
  const known = values[field];
  if (!known || random.below(3) === 0) return { field, known: random.below(2) === 0 };
  return random.below(2) === 0
    ? { field, is: random.pick(known) }
    : { field, any_of: [random.pick(known), random.pick(known)] };
}

/** A plain reading of the promise. People are in the order of their addition. */
function expected(people: readonly Person[], asked: Asked): string[] {
  const found = people.filter(
    (one) =>
      (asked.chatbot_ids?.includes(one.chatbotId) ?? true) &&
      (asked.query == null || isFound(one, asked.query)) &&
      (asked.where ?? []).every((condition) => meets(one, condition)) &&
      (asked.created_after === undefined || one.created_at > asked.created_after) &&
      (asked.updated_after === undefined || (one.updated_at ?? '') >= asked.updated_after) &&
      (asked.updated_before === undefined || (one.updated_at ?? '') < asked.updated_before),
  );
  const key = (one: Person) => `${one.updated_at} ${one.id} ${one.chatbotId}`;
  const sorted = asked.sort?.startsWith('updated') ? found.toSorted((a, b) => (key(a) < key(b) ? -1 : 1)) : found;
  const ids = sorted.map((one) => `${one.chatbotId}/${one.id}`);
  return asked.sort?.endsWith('_asc') ? ids : ids.toReversed();
}

function someSearch(random: ReturnType<typeof seededRandom>, chatbotIds: readonly string[]): Asked {
  const sort = random.pick(['added_desc', 'added_asc', 'updated_desc', 'updated_asc'] as const);
  return {
    sort,
    limit: random.pick([11, 50, 100]),
    where: Array.from({ length: random.below(4) }, () => someCondition(random)),
    ...(random.below(2) === 0 && { chatbot_ids: [random.pick(chatbotIds), random.pick(chatbotIds)] }),
    ...(!sort.startsWith('updated') &&
      random.below(2) === 0 && { query: random.pick(['ana', 'fe', '小', 'bo li', 'x']) }),
    ...(random.below(4) === 0 && { created_after: random.pick(times) }),
    ...(random.below(4) === 0 && { updated_after: random.pick(times) }),
    ...(random.below(4) === 0 && { updated_before: random.pick(times) }),
  };
}

const searches = Number(process.env['ROSTER_TEST_SEARCHES'] ?? 80);
const peopleOfChatbot = Number(process.env['ROSTER_TEST_PEOPLE'] ?? 100);

describe.each(engines)('a search over all chatbots on $engine', ({ open }) => {
  it('finds whom a plain reading of words, conditions and times finds, in its order, and counts them', async () => {
    await using opened = await open();
    const random = seededRandom(20_261_125);
    const { projectId, chatbotId } = await aProject(opened.store, { contacts: [] });
    const chatbotIds = [chatbotId];
    for (const name of ['Sales', 'HR']) chatbotIds.push((await createChatbot(opened.store, projectId, { name })).id);
    await aProject(opened.store, { contacts: [aContact({ name: 'Ana of others', company: 'Acme' })] });
    const people: Person[] = [];
    for (const [index, id] of chatbotIds.entries()) {
      const own = Array.from({ length: peopleOfChatbot }, (_, i) => somebody(random, `p${index === 2 ? i + 50 : i}`));
      await storeContacts(opened.store, projectId, id, own);
      people.push(...own.map((one) => ({ ...one, chatbotId: id })));
    }
    const ask = (asked: Asked) => run(searchAllContacts, opened.store, operator(projectId), asked);
    for (let step = 0; step < searches; step++) {
      const some = someSearch(random, chatbotIds);
      const wanted = expected(people, some);
      // Where few are found, many small pages, each with the count.
      const isShort = wanted.length <= 24;
      const asked = { ...some, ...(isShort && { limit: 3 }) };
      const found: string[] = [];
      for (let cursor: string | null = '*'; cursor !== null;) {
        const { output }: Awaited<ReturnType<typeof ask>> = await ask({
          ...asked,
          cursor,
          count: isShort || cursor === '*',
        });
        found.push(...output.contacts.map((one) => `${String(one['chatbot_id'])}/${String(one['id'])}`));
        if (isShort || cursor === '*') expect(output.count).toEqual({ value: wanted.length, exact: true });
        cursor = output.next_cursor;
      }
      expect(found, JSON.stringify(asked)).toEqual(wanted);
    }
  });
});
