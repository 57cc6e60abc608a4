import type { seededRandom } from '../../test/support/random.ts';
import type { Api, Asked } from '../parts/api.ts';
import type { Reply } from '../parts/caller.ts';
import type { Event } from './feed.ts';

/** A write that was sent: what it asks, what came of it, and what has to come of it. */
export interface Entry {
  asked: Asked & { requestId: string };
  kind: 'create' | 'upsert' | 'update' | 'delete' | 'bulk' | 'merge' | 'undo';
  /** Missing where the service was killed before it answered. */
  reply?: Reply;
  /** The contacts that it makes, by the external ids that only they have. */
  externalIds: readonly string[];
  /** The contact that it changes. */
  about?: Known;
  /** The contact that is merged into that one, or that comes back from it. */
  source?: Known;
  city?: string;
}

/** A contact whose creation was acknowledged, of which one writer alone changes something. */
interface Known {
  id: string;
  externalId: string;
}

/** A merge that was acknowledged; nothing else is done with its contacts. */
interface Merge {
  id: string;
  about: Known;
  source: Known;
}

const kinds = 'create create upsert update update delete bulk merge undo'.split(' ') as Entry['kind'][];
const itemsOfBulk = 20;
/** All numbers have as many digits, so that none begins another. */
let made = 1_000_000;

/** Writes until the connection ends. */
export async function writeOn(write: Writer, api: Api, journal: Entry[]): Promise<void> {
  for (;;) await write(api, journal);
}

export type Writer = ReturnType<typeof openWriter>;

/** One caller that writes, one request after the other. */
export function openWriter(contacts: string, random: ReturnType<typeof seededRandom>) {
  const known: Known[] = [];
  const merges: Merge[] = [];
  const next = (): Entry => {
    const number = ++made;
    const requestId = `w-${number}`;
    const externalId = `x-${number}`;
    const properties = { name: `Person ${number}`, city: 'Home', external_id: externalId };
    const post = (path: string, body: object) =>
      ({ method: 'POST', path, body: JSON.stringify(body), idempotencyKey: `k-${number}`, requestId }) as const;
    const about = random.pick(known);
    const kind = random.pick(kinds);
    const source = random.pick(known);
    if (kind === 'merge' && about && source && about !== source) {
      const asked = post(`${contacts}/${about.id}/merge`, { from: [source.id] });
      return { kind, about, source, externalIds: [], asked };
    }
    const [merge] = kind === 'undo' ? merges.splice(0, 1) : [];
    if (kind === 'undo' && merge) {
      const path = `${contacts.replace(/contacts$/, 'merges')}/${merge.id}/undo`;
      return { kind, about: merge.about, source: merge.source, externalIds: [], asked: post(path, {}) };
    }
    const isAbout = kind === 'update' || kind === 'delete';
    if (isAbout && about) {
      const path = `${contacts}/${about.id}`;
      if (kind === 'delete') return { kind, about, externalIds: [], asked: { method: 'DELETE', path, requestId } };
      const city = `City ${number}`;
      const body = JSON.stringify({ properties: { city } });
      return { kind, about, city, externalIds: [], asked: { method: 'PATCH', path, body, requestId } };
    }
    if (kind === 'upsert') {
      const body = { match: { external_id: externalId }, properties: { name: 'Person', city: 'Home' } };
      return { kind, externalIds: [externalId], asked: post(`${contacts}/upsert`, body) };
    }
    if (kind === 'bulk') {
      const externalIds = Array.from({ length: itemsOfBulk }, (_, index) => `${externalId}-${index}`);
      const items = externalIds.map((id) => ({ op: 'create', properties: { ...properties, external_id: id } }));
      return { kind, externalIds, asked: post(`${contacts}/bulk`, { items }) };
    }
    return { kind: 'create', externalIds: [externalId], asked: post(contacts, { properties }) };
  };
  /** Writes once. The write is noted before it is sent; rejects where the connection ends. */
  return async (api: Api, journal: Entry[]): Promise<Reply> => {
    const entry = next();
    journal.push(entry);
    // What was not acknowledged may be deleted or not.
    for (const one of [entry.about, entry.source]) if (one && known.includes(one)) known.splice(known.indexOf(one), 1);
    const reply = await api.ask(entry.asked);
    entry.reply = reply;
    if (reply.status < 300 && entry.kind === 'update' && entry.about) known.push(entry.about);
    if (reply.status === 201) known.push(createdBy(entry));
    const { kind, about, source } = entry;
    if (about && source && reply.status === 200) {
      if (kind === 'merge') merges.push({ id: mergeIn(reply), about, source });
      else known.push(about, source);
    }
    return reply;
  };
}

function createdBy({ reply, externalIds: [externalId = ''] }: Entry): Known {
  const [id = ''] = idsIn(reply);
  return { id, externalId };
}

/** The ids of what an answer says was made. */
export function idsIn(reply: Reply | undefined): string[] {
  const { data } = JSON.parse(reply?.body ?? '{}') as {
    data?: { id?: string; contact?: { id: string }; results?: { id: string }[] };
  };
  const id = data?.id ?? data?.contact?.id;
  return [...(id === undefined ? [] : [id]), ...(data?.results ?? []).map((result) => result.id)];
}

function mergeIn({ body }: Reply): string {
  return (JSON.parse(body) as { data: { merge_id: string } }).data.merge_id;
}

const types = {
  create: 'created',
  upsert: 'created',
  bulk: 'created',
  update: 'updated',
  delete: 'deleted',
  merge: 'merged',
  undo: 'unmerged',
} as const;

/** Whether these are all events of this write, and tell of nothing else. */
export function isToldBy({ kind, about, source, reply, externalIds }: Entry, events: readonly Event[]): boolean {
  const [event, ...more] = events;
  if (!event || more.length > 0 || event.type !== `contact.${types[kind]}`) return false;
  if (JSON.stringify(event.changed) !== (kind === 'update' ? '["city"]' : 'null')) return false;
  if (source) return event.contact_id === about?.id && event.contact_ids?.join() === source.id;
  const told = event.contact_ids ?? [event.contact_id];
  const made = about ? [about.id] : idsIn(reply);
  // Whom an unacknowledged write has made is looked up.
  return reply ? told.join() === made.join() : told.length === Math.max(1, externalIds.length);
}
