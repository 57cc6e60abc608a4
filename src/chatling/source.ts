import { unlimited } from '../projects/project.ts';
import { isObject } from '../values/json-text.ts';
import type { Page } from './pages.ts';
import { idOf, type Raw } from './reading.ts';
import { openGet, SourceError, type SourceOptions } from './requests.ts';

export type Source = Awaited<ReturnType<typeof openSource>>;

const ofRoster = {
  list: { per_page: '100' },
  contact: { include: 'details,external_id,attributes,tags' },
  member: { include: 'id,invited_at,joined_at' },
};
const ofChatling: Record<keyof typeof ofRoster, Record<string, string>> = { list: {}, contact: {}, member: {} };

/** Its methods give undefined for what is gone. Throws `unavailable`. */
export async function openSource(options: SourceOptions) {
  const get = openGet(options);
  const settings = await required(get('project/settings', {}, settingsIn));
  const isRoster = (await get('key', {}, keyIn, true)) !== undefined;
  const more = isRoster ? ofRoster : ofChatling;
  return {
    isRoster,
    /** Identifies the source's lists: a stored place is valid only for the same name. */
    listName: `${isRoster ? 'cursors' : 'pages'} of ${settings.id}`,
    project: {
      name: settings.name,
      /** A limit is undefined where the source does not tell it. */
      seatsMax: await get('usage/user-seats', {}, limitIn, true),
      chatbotsMax: await get('usage/chatbots', {}, limitIn, true),
      contactsMax: isRoster ? await get('usage/contacts', {}, limitIn, true) : undefined,
    },
    counts: options.requests.counts,
    chatbots: () => everyOne('id', (page) => required(get('chatbots', { page, ...more.list }, pageOf('chatbots')))),
    chatbot: (id: string) => get(`chatbots/${encodeURIComponent(id)}`, {}, thing),
    contactPage: (chatbotId: string, page: number) =>
      get(contactsOf(chatbotId), { page: String(page), sort: 'date_asc' }, pageOf('contacts')),
    /** Oldest first. Roster only. */
    contactsAfter: (chatbotId: string, cursor: string) =>
      get(contactsOf(chatbotId), { cursor, sort: 'date_asc', ...more.list, ...more.contact }, afterCursor),
    contactCount: async (chatbotId: string) =>
      (await get(contactsOf(chatbotId), { per_page: '1' }, pageOf('contacts')))?.lastPage,
    contact: (chatbotId: string, contactId: string) =>
      get(`${contactsOf(chatbotId)}/${encodeURIComponent(contactId)}`, more.contact, thing),
    /** The Owner first, then in the order in which they joined. */
    members: () =>
      everyOne('email', (page) => required(get('members', { page, ...more.list, ...more.member }, pageOf('members')))),
  };
}

function contactsOf(chatbotId: string): string {
  return `chatbots/${encodeURIComponent(chatbotId)}/contacts`;
}

function settingsIn({ project_id: given, name }: Raw): { id: string; name: string } | undefined {
  const id = text(given);
  return id === undefined ? undefined : { id, name: text(name) ?? '' };
}

/** Chatling has no such path. */
function keyIn({ project_id: id, scopes }: Raw): true | undefined {
  return (text(id) !== undefined && Array.isArray(scopes)) || undefined;
}

function limitIn({ max }: Raw): number | undefined {
  return Number.isSafeInteger(max) ? Math.min(Math.max(Number(max), 0), unlimited) : undefined;
}

async function required<T>(asked: Promise<T | undefined>): Promise<T> {
  const found = await asked;
  if (found !== undefined) return found;
  throw new SourceError('The source has no such API; check that --base-url is that of API v2');
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function thing(data: Raw): Raw | undefined {
  return idOf(data) === undefined ? undefined : data;
}

function listIn(data: Raw, name: string): Raw[] | undefined {
  const list = data[name];
  return Array.isArray(list) ? list.map((one: unknown) => (isObject(one) ? one : {}) as Raw) : undefined;
}

function pageOf(name: string) {
  return (data: Raw): Page<Raw> | undefined => {
    const items = listIn(data, name);
    const lastPage = Number(((data['pages'] ?? {}) as Raw)['last_page']);
    return items && Number.isSafeInteger(lastPage) && lastPage >= 1 ? { items, lastPage } : undefined;
  };
}

function afterCursor(data: Raw): { items: Raw[]; next: string | null } | undefined {
  const { next_cursor: next } = data;
  const items = listIn(data, 'contacts');
  return items && (next === null || typeof next === 'string') ? { items, next } : undefined;
}

const passesMax = 5;

/** Reads a list that changes anywhere, until two passes agree; otherwise returns all that the passes found. */
async function everyOne(key: string, read: (page: string) => Promise<Page<Raw>>): Promise<Raw[]> {
  const all = new Map<unknown, Raw>();
  let earlier = '';
  for (let pass = 1; pass <= passesMax; pass++) {
    const found = new Map<unknown, Raw>();
    let last = 1;
    for (let page = 1; page <= last; page++) {
      const { items, lastPage } = await read(String(page));
      last = lastPage;
      for (const item of items) found.set(item[key], item);
    }
    for (const [name, item] of found) all.set(name, item);
    const now = JSON.stringify([...found.keys()]);
    if (last === 1 || now === earlier) return [...found.values()];
    earlier = now;
  }
  return [...all.values()];
}
