import { type Condition, meets } from '../../test/support/conditions-reference.ts';
import { isFound } from '../../test/support/search-reference.ts';
import type { People } from './people.ts';
import { type Include, type Person, textOf, viewOf } from './person.ts';
import { type Random, someIncludes } from './slot.ts';

/** A search of a chatbot, by its path or over the project; each finds fewer than a page. */
export interface Search {
  kind: 'search';
  isOfProject: boolean;
  /** Finds one contact at most: only by update is the order known. */
  query?: string;
  where: readonly Condition[];
  sort: 'updated_desc' | 'updated_asc' | 'added_desc';
  updated_after?: string;
  updated_before?: string;
  include: readonly Include[];
}

export interface Among {
  id: string;
  people: Pick<People, 'live'>;
}

export const limit = 100;

/** The data of the answer. */
export function foundAmong(chatbots: readonly Among[], search: Search): object {
  const { isOfProject, sort, include } = search;
  const all = chatbots.flatMap(({ id, people }) =>
    [...people.live.values()].filter((one) => isMeant(one, search)).map((person) => ({ id, person })),
  );
  const keyOf = ({ person }: (typeof all)[number]) => `${person.updated.text} ${person.id}`;
  const oldestFirst = all.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  const found = sort === 'updated_asc' ? oldestFirst : oldestFirst.toReversed();
  return {
    contacts: found.map(({ id, person }) => ({ ...(isOfProject && { chatbot_id: id }), ...viewOf(person, include) })),
    next_cursor: null,
    count: { value: found.length, exact: true },
  };
}

function isMeant({ id, fields, updated }: Person, search: Search): boolean {
  const { query, where, updated_after: from = '', updated_before: until = '9' } = search;
  const { text = '' } = updated;
  const [name, company, job_title, phone] = ['name', 'company', 'job_title', 'phone'].map((one) => textOf(fields, one));
  const { email, external_id } = fields;
  const tags = fields['tags'] as string[];
  const words = { id, name, company, job_title, phone, email, external_id, tags, created_at: '' };
  return (
    text >= from &&
    text < until &&
    where.every((condition) => meets(fields, condition)) &&
    (query === undefined || isFound(words as Parameters<typeof isFound>[0], query))
  );
}

const values: Record<string, readonly (string | number | boolean)[]> = {
  company: ['angstrom  & CO', 'Example Ltd', 'Example', 'Ångström Co'],
  job_title: ['NURSE', 'head of “sales”'],
  industry: ['software'],
  city: ['lisbon', 'Sao Paulo', 'São'],
  state: ['Lisboa'],
  country: ['PORTUGAL', '日本'],
  email_domain: ['example.com', 'EXAMPLE.org'],
  tags: ['vip', 'New', 'x  Y', 'late'],
  'attributes.plan': ['GOLD', 'silver'],
  'attributes.zone': ['West'],
  'attributes.seats': [7, '7'],
  'attributes.is_vip': [true, 'true'],
  'attributes.score': [-0.0015],
};
const fieldsIfKnown = [...Object.keys(values), 'email', 'phone', 'external_id', 'name'];

function aCondition(random: Random): Condition {
  if (random.below(3) === 0) return { field: random.pick(fieldsIfKnown), known: random.below(2) === 0 };
  const field = random.pick(Object.keys(values));
  const own = values[field] ?? [];
  return random.below(2) === 0 ? { field, is: random.pick(own) } : { field, any_of: [random.pick(own), own[0] ?? ''] };
}

/** A search that finds some of these people, or nobody. */
export function aSearch(chatbots: readonly Among[], random: Random): Search {
  const all = chatbots.flatMap(({ people }) => [...people.live.values()]);
  const times = all.flatMap(({ updated }) => updated.text ?? []);
  const search: Search = {
    kind: 'search',
    isOfProject: chatbots.length > 1 || random.below(2) === 0,
    where: Array.from({ length: random.below(3) }, () => aCondition(random)),
    sort: random.pick(['updated_desc', 'updated_asc']),
    include: someIncludes(random),
  };
  if (times.length > 0 && random.below(4) === 0) search.updated_after = random.pick(times);
  if (times.length > 0 && random.below(4) === 0) search.updated_before = random.pick(times);
  const { fields } = random.pick(all) ?? {};
  const query = fields?.external_id ?? fields?.email;
  if (query == null || random.below(3) > 0) return search;
  const byWords: Search = { ...search, query, sort: 'added_desc' };
  const found = chatbots.flatMap(({ people }) => [...people.live.values()].filter((one) => isMeant(one, byWords)));
  return found.length < 2 ? byWords : search;
}

/** What is sent; the ids are missing for all of the project. */
export function bodyOf(search: Search, chatbotIds?: readonly string[]): string {
  const { isOfProject, query, where, sort, updated_after, updated_before } = search;
  const times = { updated_after, updated_before };
  return JSON.stringify({
    ...(isOfProject && { chatbot_ids: chatbotIds }),
    query,
    where,
    sort,
    ...times,
    limit,
    count: true,
  });
}
