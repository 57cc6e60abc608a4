import { type Api, type Asked, codeOf } from '../parts/api.ts';
import { atOnce } from '../parts/at-once.ts';
import type { Reply } from '../parts/caller.ts';
import { type Event, objectionsToOrder, readFeed } from './feed.ts';
import { type Entry, idsIn, isToldBy } from './journal.ts';

interface Kept {
  externalId: string;
  /** Null where it is deleted. */
  city: string | null;
  /** The contact into which it was merged; missing where it is there by itself. */
  mergedInto?: string | null;
}

/** What has to be stored by what the feed tells, checked against the journal of the writers and against what is stored. */
export interface Ledger {
  /** Reads on in the feed, and checks it against these writes; then what is stored of their contacts. */
  audit(api: Api, entries: readonly Entry[]): Promise<string[]>;
  /** Sends again what was not acknowledged, and some that was: the first is done once in all, the second not again. */
  repeat(api: Api, entries: readonly Entry[]): Promise<string[]>;
  totals: { acknowledged: number; unacknowledged: number; stored: number };
}

interface Looked {
  data?: { city: string; external_id: string };
  merged_into?: string;
}

const asksAtOnce = 8;
const repeatsOfAcknowledged = 5;

export function openLedger(contacts: string): Ledger {
  const people = new Map<string, Kept>();
  const totals = { acknowledged: 0, unacknowledged: 0, stored: 0 };
  let cursor = '*';
  let sequence = 0;
  let live = 0;
  const told = new Set<string | null>();

  const readOn = async (api: Api): Promise<{ events: readonly Event[]; wrong: string[] }> => {
    const page = await readFeed(api, cursor);
    const wrong = objectionsToOrder(page.events, sequence + 1);
    cursor = page.cursor;
    for (const { request_id: id } of page.events) told.add(id);
    sequence += page.events.length;
    return { events: page.events.filter(({ type }) => type.startsWith('contact.')), wrong };
  };
  const apply = (event: Event, { city, externalIds }: Entry): readonly string[] => {
    const touched = event.contact_ids ?? [event.contact_id ?? ''];
    if (event.type === 'contact.merged' || event.type === 'contact.unmerged') {
      const isMerged = event.type === 'contact.merged';
      live += touched.length * (isMerged ? -1 : 1);
      for (const id of touched) {
        const before = people.get(id) ?? { externalId: '', city: 'Home' };
        people.set(id, { ...before, mergedInto: isMerged ? event.contact_id : null });
      }
      return [...touched, event.contact_id ?? ''];
    }
    for (const [index, id] of touched.entries()) {
      const before = people.get(id);
      const after = { externalId: before?.externalId ?? externalIds[index] ?? '', city: city ?? 'Home' };
      if (event.type === 'contact.created') live++;
      if (event.type === 'contact.deleted') live--;
      people.set(id, event.type === 'contact.deleted' ? { ...after, city: null } : after);
    }
    return touched;
  };
  const look = async (api: Api, id: string): Promise<string[]> => {
    const { status, body } = await api.ask({ method: 'GET', path: `${contacts}/${id}?include=details,external_id` });
    const { data, merged_into: into } = JSON.parse(body) as Looked;
    const found =
      status === 404 ? null : status === 410 ? `merged into ${into}` : `${data?.city} of ${data?.external_id}`;
    const { city, externalId, mergedInto = null } = people.get(id) ?? { city: null, externalId: '' };
    const right = mergedInto !== null ? `merged into ${mergedInto}` : city === null ? null : `${city} of ${externalId}`;
    const wrong = found === right ? [] : [`the contact ${id} is ${found} and not ${right}`];
    return [...wrong, ...(await search(api, id, externalId, isThere(people.get(id))))];
  };
  /** A search for the external id must find the contact if it is there, and must not if it was deleted. */
  const search = async (api: Api, id: string, externalId: string, mayBeFound: boolean): Promise<string[]> => {
    const body = JSON.stringify({ query: externalId, limit: 100 });
    const { status, body: answer } = await api.ask({ method: 'POST', path: `${contacts}/search`, body });
    const { data } = JSON.parse(answer) as { data?: { contacts: { id: string }[] } };
    const isFound = data?.contacts.some((one) => one.id === id);
    return isFound === mayBeFound ? [] : [`a search for ${id} is answered with ${status}, found ${isFound}`];
  };
  const audit: Ledger['audit'] = async (api, entries) => {
    const { events, wrong } = await readOn(api);
    const byRequest = Map.groupBy(events, ({ request_id: id }) => id ?? '');
    // What was not stored is right before.
    const touched = new Set(entries.flatMap(({ about, source }) => [about, source].flatMap((one) => one?.id ?? [])));
    for (const entry of entries) {
      const { requestId } = entry.asked;
      const own = byRequest.get(requestId) ?? [];
      byRequest.delete(requestId);
      const { status = 0 } = entry.reply ?? {};
      totals[entry.reply ? 'acknowledged' : 'unacknowledged']++;
      if (entry.reply && status >= 300) wrong.push(`${requestId} was answered with ${status} ${entry.reply.body}`);
      if (own.length === 0 && !entry.reply) continue;
      if (!entry.reply) totals.stored++;
      if (!isToldBy(entry, own)) wrong.push(`${JSON.stringify(entry)} is told as ${JSON.stringify(own)}`);
      for (const event of own) for (const id of apply(event, entry)) touched.add(id);
    }
    if (byRequest.size > 0) wrong.push(`nobody asked for ${JSON.stringify([...byRequest.values()].flat())}`);
    await atOnce(asksAtOnce, touched, async (id) => void wrong.push(...(await look(api, id))));
    const { pages } = await api.data<{ pages: { last_page: number } }>({
      method: 'GET',
      path: `${contacts}?per_page=1`,
    });
    if (pages.last_page !== Math.max(1, live)) wrong.push(`${pages.last_page} contacts are there and not ${live}`);
    const { used } = await api.data<{ used: number }>({ method: 'GET', path: '/v2/usage/contacts' });
    if (used !== live) wrong.push(`the project counts ${used} contacts and has ${live}`);
    return wrong;
  };
  const repeat: Ledger['repeat'] = async (api, entries) => {
    const wrong: string[] = [];
    const posts = entries.filter(({ asked }) => asked.idempotencyKey !== undefined);
    const acknowledged = posts.filter(({ reply }) => reply).slice(-repeatsOfAcknowledged);
    const again: Entry[] = [];
    // What is done only now may merge a contact of those that were acknowledged.
    for (const entry of [...acknowledged, ...posts.filter(({ reply }) => !reply)]) {
      const asked = { ...entry.asked, requestId: `${entry.asked.requestId}-again` };
      const reply = await answered(api, asked);
      const wasStored = told.has(entry.asked.requestId);
      const isReplayed = reply.head.includes('idempotent-replayed: true');
      if (isReplayed !== wasStored) wrong.push(`${asked.requestId}: replayed ${isReplayed}, stored ${wasStored}`);
      // A repeat shows what is there now.
      const isGone = entry.kind === 'upsert' && idsIn(entry.reply).every((id) => !isThere(people.get(id)));
      const right = isGone ? [] : idsIn(entry.reply);
      if (wasStored && entry.reply && idsIn(reply).join() !== right.join())
        wrong.push(`${asked.requestId}: ${reply.body} instead of ${entry.reply.body}`);
      if (!wasStored) again.push({ ...entry, asked, reply });
    }
    return [...wrong, ...(await audit(api, again))];
  };
  return { audit, repeat, totals };
}

function isThere(one: Kept | undefined): boolean {
  return one !== undefined && one.city !== null && (one.mergedInto ?? null) === null;
}

/** On PostgreSQL the request of a service that was killed may still be in progress. */
export async function answered(api: Api, asked: Asked): Promise<Reply> {
  for (;;) {
    const reply = await api.ask(asked);
    if (reply.status !== 409 || codeOf(reply) !== 'idempotency_in_progress') return reply;
  }
}
