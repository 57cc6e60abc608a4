import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** As Chatling answers it; a test may put odd values into it. */
export type FakeContact = Record<string, unknown> & { id: string; created_at: unknown };

/** Contacts, oldest first. An array is one. */
interface FakeContacts {
  readonly length: number;
  slice(from: number, to: number): FakeContact[];
  find(is: (contact: FakeContact) => boolean): FakeContact | undefined;
}

interface FakeChatbot {
  id: string;
  name: string;
  visibility: string;
  created_at: string;
  contacts: FakeContacts;
}

interface FakeMember {
  email: string;
  status: string;
  roles: string[];
}

/** What happens to a request instead of an answer. */
export type Fault = 'limited' | 'failing' | 'cut' | 'not JSON' | 'without data' | 'dropped' | 'slow' | 'nowhere';

export interface FakeState {
  key: string;
  project: { project_id: string; name: string };
  seats: { used: number; max: number };
  chatbotLimit: { used: number; max: number };
  /** Newest first. */
  chatbots: FakeChatbot[];
  members: FakeMember[];
  /** Called with every request that has the key, before it is answered; a fault takes the place of the answer. */
  onRequest: (path: string, page: number) => Fault | undefined | void;
  /** Requests a minute before 429, in fixed minutes of so many milliseconds. */
  limit: number;
  minuteMs: number;
  /** How long an idle connection stays open. */
  keepAliveMs: number;
  /** The query of each request, by path, in their order. */
  asked: { path: string; query: URLSearchParams; at: number }[];
}

export interface Fake extends FakeState, AsyncDisposable {
  /** With `/v2`. */
  baseUrl: string;
  /** The most requests that came in any minute, wherever it begins. */
  mostInAMinute(): number;
}

const perPage = { contacts: 25, chatbots: 25, members: 15 };

/** A small service that answers as Chatling's API v2 is documented. Listens on a free port of the loopback. */
export async function aChatling(given: Partial<FakeState> = {}): Promise<Fake> {
  const state: FakeState = {
    key: 'a-made-up-key-of-chatling',
    project: { project_id: '4711', name: 'Example Ltd' },
    seats: { used: 1, max: 5 },
    chatbotLimit: { used: 1, max: 2_147_483_647 },
    chatbots: [],
    members: [{ email: 'ada@example.com', status: 'Active', roles: ['Owner', 'Billing'] }],
    onRequest: () => undefined,
    limit: Infinity,
    minuteMs: 60_000,
    keepAliveMs: 5_000,
    asked: [],
    ...given,
  };
  const server = createServer((request, response) => answer(state, request, response));
  server.keepAliveTimeout = state.keepAliveMs;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return Object.assign(state, {
    baseUrl: `http://127.0.0.1:${port}/v2`,
    mostInAMinute: () =>
      mostWithin(
        state.asked.map(({ at }) => at),
        60_000,
      ),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}

function answer(state: FakeState, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://fake');
  const at = performance.now();
  if (request.headers.authorization !== `Bearer ${state.key}`) return send(response, 401, failed('Unauthenticated'));
  state.asked.push({ path: pathname, query, at });
  const fault = state.onRequest(pathname, Number(query.get('page') ?? 1));
  if (fault === 'limited' || isOverLimit(state, at)) {
    return send(response, 429, failed('Too many requests'));
  }
  const data = dataOf(state, pathname, query);
  const body = data === undefined ? failed('Not found') : { status: 'success', data };
  if (fault === undefined) return send(response, data === undefined ? 404 : 200, body);
  fail(response, fault, JSON.stringify(body));
}

function isOverLimit({ limit, minuteMs, asked }: FakeState, at: number): boolean {
  if (limit === Infinity) return false;
  const minute = Math.floor(at / minuteMs);
  return asked.filter((one) => Math.floor(one.at / minuteMs) === minute).length > limit;
}

function fail(response: ServerResponse, fault: Fault, text: string): void {
  if (fault === 'dropped') response.socket?.destroy();
  else if (fault === 'slow') setTimeout(() => response.end(text), 300);
  else if (fault === 'failing') response.writeHead(502).end('<h1>Bad gateway</h1>');
  else if (fault === 'nowhere') response.writeHead(404).end('<h1>Not found</h1>');
  else if (fault === 'not JSON') response.end('<html>Maintenance</html>');
  else if (fault === 'without data') response.end('{"status":"success"}');
  else {
    response.writeHead(200, { 'content-length': text.length });
    response.write(text.slice(0, text.length / 2), () => response.socket?.destroy());
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

const failed = (message: string) => ({ status: 'error', message });

function dataOf(state: FakeState, path: string, query: URLSearchParams): unknown {
  const [, , noun, id = '', inner, contactId] = path.split('/').map(decodeURIComponent);
  const chatbot = state.chatbots.find((one) => one.id === id);
  if (noun === 'project' && id === 'settings') return state.project;
  if (noun === 'usage') return id === 'user-seats' ? state.seats : state.chatbotLimit;
  if (noun === 'members') return pageOf('members', state.members, query);
  if (noun !== 'chatbots') return undefined;
  if (id === '') return pageOf('chatbots', state.chatbots.map(shown), query);
  if (inner === undefined) return chatbot && shown(chatbot);
  if (!chatbot || inner !== 'contacts') return undefined;
  if (contactId !== undefined) return chatbot.contacts.find((one) => one.id === contactId);
  if (query.get('sort') !== 'date_asc') throw new Error('only date_asc is made here');
  return pageOf('contacts', chatbot.contacts, query);
}

function shown({ id, name, visibility, created_at }: FakeChatbot) {
  return { id, name, version: '2.0', visibility, created_at };
}

function pageOf(
  name: keyof typeof perPage,
  list: { length: number; slice(from: number, to: number): unknown[] },
  query: URLSearchParams,
) {
  const page = Number(query.get('page') ?? 1);
  const size = perPage[name];
  const pages = { current_page: page, last_page: Math.max(1, Math.ceil(list.length / size)), per_page: size };
  return { pages, [name]: list.slice((page - 1) * size, page * size) };
}

function mostWithin(times: readonly number[], ms: number): number {
  let [most, first] = [0, 0];
  for (const [last, time] of times.entries()) {
    while (time - (times[first] ?? 0) >= ms) first++;
    most = Math.max(most, last - first + 1);
  }
  return most;
}

/** Somebody whom a chatbot of Chatling has met; the number says when. */
export function aFakeContact(number: number, given: Partial<FakeContact> = {}): FakeContact {
  const at = new Date(Date.UTC(2024, 5, 5) + number * 1_000).toISOString().slice(0, 19);
  return {
    id: `qtr89df0-112d-d197-b541-${String(number).padStart(12, '0')}`,
    name: `Person ${number}`,
    email: `person${number}@example.com`,
    job_title: null,
    phone: number % 3 === 0 ? `+1 555 ${number}` : null,
    website: null,
    company: number % 2 === 0 ? 'Example Ltd' : null,
    // As in the example of its documentation, now and then.
    created_at: number % 10 === 0 ? `${at}:00+00:00` : `${at}+00:00`,
    ...given,
  };
}

export function fakeContacts(count: number, from = 0): FakeContact[] {
  return Array.from({ length: count }, (_, index) => aFakeContact(from + index));
}

export function aFakeChatbot(id: string, contacts: FakeContacts): FakeChatbot {
  return { id, name: `Chatbot ${id}`, visibility: 'public', created_at: '2024-01-02T03:04:05+00:00', contacts };
}
