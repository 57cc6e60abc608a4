import type { Person } from '../../test/support/search-reference.ts';
import type { Installation } from '../installation.ts';
import type { Api } from '../parts/api.ts';
import { toNdjson } from '../tenancy/made-up.ts';
import { sharedChatbot } from '../writes/tenant.ts';
import { aPerson, detailsOf, type Known, otherDetails, type Random, toCsv } from './people.ts';

const contacts = `/v2/chatbots/${sharedChatbot}/contacts`;
const itemsOfBulk = 500;

/** Those who are there, by number and in the order in which they were added, and everybody who ever was. */
export interface Crowd {
  live: Map<number, Known>;
  ever: Known[];
}

/** Creates `count` people by import and over HTTP, then changes, deletes, restores and purges some. */
export async function populate(at: Installation, api: Api, count: number, random: Random): Promise<Crowd> {
  const all = Array.from({ length: count }, (_, number) => aPerson(random, number));
  const [asNdjson, asCsv, inBulk] = [0.5, 0.75, 0.95].map((part) => Math.floor(part * count));
  const crowd: Crowd = { live: new Map(), ever: [...all] };
  const keep = (one: Known) => void crowd.live.set(one.number, one);
  await importPeople(at, 'ndjson', all.slice(0, asNdjson));
  await importPeople(at, 'csv', all.slice(asNdjson, asCsv));
  for (const one of all.slice(0, asCsv)) keep(one);
  for (let from = asCsv ?? 0; from < (inBulk ?? 0); from += itemsOfBulk) {
    const some = all.slice(from, Math.min(from + itemsOfBulk, inBulk ?? 0));
    const items = some.map((one) => ({ op: 'create', properties: detailsOf(one) }));
    const { results } = await post<{ results: { id: string }[] }>(api, `${contacts}/bulk`, { items });
    for (const [index, one] of some.entries()) keep({ ...one, id: results[index]?.id ?? '' });
  }
  for (const one of all.slice(inBulk)) keep({ ...one, ...(await post(api, contacts, { properties: detailsOf(one) })) });
  await changeByFile(at, crowd, Math.floor(count / 20), random);
  for (let change = 0; change < count / 5; change++) await changeOne(api, crowd, random);
  return crowd;
}

const rowOf = (one: Person) => ({ id: one.id, ...detailsOf(one), created_at: one.created_at });

async function importPeople(at: Installation, format: 'csv' | 'ndjson', people: readonly Person[]): Promise<void> {
  const args = ['contacts', 'import', '-', '--format', format, '--project', 'acme', '--chatbot', sharedChatbot];
  const input = format === 'csv' ? toCsv(people) : toNdjson(people.map(rowOf));
  const { rejected } = await at.json<{ rejected: number }>(args, { input });
  if (rejected > 0) throw new Error(`${rejected} rows of ${format} were rejected`);
}

/** Imports some people again with new details; an empty field of a row keeps the stored value. */
async function changeByFile(at: Installation, { live, ever }: Crowd, count: number, random: Random): Promise<void> {
  const all = [...live.values()];
  const numbers = new Set(Array.from({ length: count }, () => random.below(all.length)));
  const changed = all.filter((_, index) => numbers.has(index)).map((one) => merged(one, otherDetails(random)));
  await importPeople(at, 'ndjson', changed);
  for (const one of changed) live.set(one.number, one);
  ever.push(...changed);
}

function merged(one: Known, details: Partial<Known>): Known {
  const said = Object.entries(details).filter(([key, value]) => value !== null && !(key === 'tags' && !isSome(value)));
  return { ...one, ...(Object.fromEntries(said) as Partial<Known>) };
}

const isSome = (value: unknown) => Array.isArray(value) && value.length > 0;

async function changeOne(api: Api, { live, ever }: Crowd, random: Random): Promise<void> {
  const one = random.pick([...live.values()]);
  const path = `${contacts}/${encodeURIComponent(one.id)}`;
  const kind = random.below(6);
  if (kind < 3) {
    const properties = otherDetails(random);
    if (kind === 0) await post(api, `${contacts}/upsert`, { match: { id: one.id }, properties });
    else await api.data({ method: 'PATCH', path, body: JSON.stringify({ properties }) });
    const changed = { ...one, ...properties };
    live.set(one.number, changed);
    ever.push(changed);
    return;
  }
  await api.ask({ method: 'DELETE', path });
  if (kind === 3) {
    await api.data({ method: 'POST', path: `${path}/restore` });
    live.delete(one.number);
    live.set(one.number, one);
    return;
  }
  live.delete(one.number);
  if (kind === 4) await api.ask({ method: 'DELETE', path: `${path}?purge=true` });
}

function post<T>(api: Api, path: string, body: object): Promise<T> {
  return api.data<T>({ method: 'POST', path, body: JSON.stringify(body) });
}

const perPage = 100;

interface Page {
  contacts: (Person & { updated_at?: string })[];
  next_cursor: string | null;
}

/** Takes the times of those made over HTTP from the list; what the list and the crowd differ in. */
export async function compareWithList(api: Api, { live }: Crowd): Promise<string[]> {
  const listed = new Map<string, Person>();
  for (let cursor: string | null = '*'; cursor !== null;) {
    const path: string = `${contacts}?cursor=${cursor}&per_page=${perPage}&include=external_id,tags`;
    const page: Page = await api.data<Page>({ method: 'GET', path });
    for (const one of page.contacts) listed.set(one.id, one);
    cursor = page.next_cursor;
  }
  const wrong = live.size === listed.size ? [] : [`${listed.size} are listed and not ${live.size}`];
  for (const one of live.values()) {
    const found = listed.get(one.id);
    const [is, right] = [found && detailsOf(found), detailsOf(one)].map((details) => JSON.stringify(details));
    if (is !== right) wrong.push(`${one.id} is listed as ${is} and not ${right}`);
    if (found) live.set(one.number, { ...one, created_at: found.created_at });
  }
  return wrong;
}
