import { inspect } from 'node:util';

import { describe, expect, it } from 'vitest';

import {
  type ClientOptions,
  RosterClient,
  RosterConnectionError,
  RosterError,
  RosterTimeoutError,
} from '../../clients/typescript/src/index.ts';
import { type Scripted, scriptedServer } from '../support/scripted-server.ts';

const apiKey = 'rst_made-up-token';
const chatbotId = '8839210412';
const ok: Scripted = { status: 200, body: { status: 'success', data: { id: 'c1' } } };
const failing = (status: number, code?: string, headers: Record<string, string> = {}): Scripted => ({
  status,
  headers,
  body: { status: 'error', message: 'It failed', ...(code !== undefined && { code }) },
});

type Call = (client: RosterClient) => Promise<unknown>;
const retrieve: Call = (client) => client.retrieveContact({ chatbotId, contactId: 'c1' });
const create: Call = (client) => client.createContact({ chatbotId, properties: { name: 'Bo' } });
const update: Call = (client) => client.updateContact({ chatbotId, contactId: 'c1', properties: { name: 'Bo' } });
const remove: Call = (client) => client.deleteContact({ chatbotId, contactId: 'c1' });
const search: Call = (client) => client.searchContacts({ chatbotId, query: 'bo' });
const accept: Call = (client) => client.acceptInvitation({ token: 'abc' });

/** What a call of a client comes to, and what it has sent. */
async function calling(call: Call, script: Scripted[], options: Partial<ClientOptions> = {}) {
  using server = await scriptedServer(...script);
  const given = { baseUrl: `${server.address}/v2`, apiKey, retryDelayMaxMs: 5, ...options };
  const startedAt = performance.now();
  const outcome = await call(new RosterClient(given)).catch((error: unknown) => error);
  const { asked } = server;
  return { outcome, asked, sent: asked.length, seconds: (performance.now() - startedAt) / 1000 };
}

describe('a request of the client', () => {
  const lost: Scripted[] = ['drop', 'cut', failing(502), failing(503, 'unavailable'), failing(504), failing(408)];

  it.each([
    ['a read', retrieve],
    ['a search', search],
    ['a change', update],
    ['a create', create],
  ] as const)('is sent again where %s may be repeated and the answer is lost or the server busy', async (_, call) => {
    const { sent, asked, outcome } = await calling(call, [...lost, ok], { retries: 6 });
    expect([sent, outcome instanceof Error]).toEqual([7, false]);
    const told = asked.map(({ method, url, body, headers }) => [method, url, body, headers['idempotency-key']]);
    expect(new Set(told.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(asked[0]?.headers['idempotency-key'] ?? '').toMatch(
      call === create || call === update ? /^[0-9a-f]{32}$/ : /^$/,
    );
  });

  it('carries a new idempotency key for each create', async () => {
    const { asked } = await calling(async (client) => [await create(client), await create(client)], [ok]);
    const keys = asked.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(2);
  });

  it('is repeated after an unknown outcome, and while the first one still runs', async () => {
    const script = [failing(500, 'outcome_unknown'), failing(409, 'idempotency_in_progress'), ok];
    expect(await calling(create, script)).toMatchObject({ sent: 3, outcome: { id: 'c1' } });
  });

  it.each([400, 401, 404, 409, 422, 500])('is not repeated after %i', async (status) => {
    const { sent, outcome } = await calling(create, [failing(status, 'some_code'), ok]);
    expect([sent, outcome]).toMatchObject([1, { status, code: 'some_code' }]);
  });

  it('is given up after as many repeats as the caller allows', async () => {
    expect(await calling(retrieve, ['drop'])).toMatchObject({ sent: 6 });
    expect(await calling(retrieve, ['drop'], { retries: 0 })).toMatchObject({ sent: 1 });
    const once: Call = (client) => client.retrieveContact({ chatbotId, contactId: 'c1' }, { retries: 1 });
    expect(await calling(once, ['drop'])).toMatchObject({ sent: 2 });
  });

  it('that must not be done twice is repeated only where the server says that nothing was done', async () => {
    expect(await calling(accept, ['drop', ok])).toMatchObject({ sent: 1 });
    expect(await calling(accept, [failing(503), ok])).toMatchObject({ sent: 1 });
    expect(await calling(accept, [failing(503, 'unavailable'), failing(429), ok])).toMatchObject({ sent: 3 });
  });

  it('waits as long as the server asks for, in seconds or by a date, within the bound of the caller', async () => {
    const inASecond = () => new Date(Date.now() + 2000).toUTCString();
    const options = { retryDelayMaxMs: 3_000 };
    const [bySeconds, byDate, tooLong] = await Promise.all([
      calling(retrieve, [failing(429, 'rate_limited', { 'retry-after': '1' }), ok], options),
      calling(retrieve, [failing(503, 'unavailable', { 'retry-after': inASecond() }), ok], options),
      calling(retrieve, [failing(429, 'rate_limited', { 'retry-after': '4' }), ok], options),
    ]);
    expect(bySeconds.sent).toBe(2);
    expect(bySeconds.seconds).toBeGreaterThan(0.99);
    expect(byDate.sent).toBe(2);
    expect(byDate.seconds).toBeGreaterThan(0.9);
    expect([tooLong.sent, tooLong.outcome]).toMatchObject([1, { code: 'rate_limited', retryAfter: 4 }]);
  });

  it('has a time limit for each attempt, after which it is repeated', async () => {
    const { outcome, sent } = await calling(retrieve, ['hang'], { timeoutMs: 300, retries: 1 });
    expect(outcome).toBeInstanceOf(RosterTimeoutError);
    expect(outcome).toMatchObject({ name: 'RosterTimeoutError', cause: expect.any(Error) });
    expect(sent).toBe(2);
    const waiting: Call = (client) => client.listEvents({ wait: 1 }, { timeoutMs: 50, retries: 0 });
    expect((await calling(waiting, ['hang'])).seconds).toBeGreaterThan(1);
  });

  it('ends at once when it is aborted, under way or in a pause, and is not repeated', async () => {
    const reason = new Error('no longer wanted');
    const aborted = (): Call => (client) => {
      const abort = new AbortController();
      setTimeout(() => abort.abort(reason), 300);
      return client.retrieveContact({ chatbotId, contactId: 'c1' }, { signal: abort.signal });
    };
    expect(await calling(aborted(), ['hang'])).toMatchObject({ sent: 1, outcome: reason });
    const busy = failing(429, 'rate_limited', { 'retry-after': '9' });
    const { sent, outcome, seconds } = await calling(aborted(), [busy], { retryDelayMaxMs: 10_000 });
    expect([sent, outcome]).toEqual([1, reason]);
    expect(seconds).toBeLessThan(5);
    const before: Call = (client) => client.retrieveApiKey({ signal: AbortSignal.abort(reason) });
    expect(await calling(before, [ok])).toMatchObject({ sent: 0, outcome: reason });
  });

  it('follows no redirect, so that the key reaches no other host', async () => {
    using elsewhere = await scriptedServer(ok);
    for (const status of [301, 302, 303, 307, 308]) {
      const { outcome, sent } = await calling(create, [{ status, headers: { location: elsewhere.address } }]);
      expect([sent, outcome]).toMatchObject([1, { status, message: expect.stringContaining('baseUrl') }]);
    }
    expect(elsewhere.asked).toEqual([]);
  });

  it('says so where what answers is not Roster', async () => {
    const page: Scripted = { status: 200, body: '<!doctype html>' };
    const { outcome, sent } = await calling(retrieve, [page]);
    expect(outcome).toBeInstanceOf(RosterError);
    expect([sent, outcome]).toMatchObject([1, { status: 200, message: expect.stringContaining('baseUrl') }]);
    const broken: Scripted = { ...page, headers: { 'content-type': 'application/json' } };
    expect(await calling(retrieve, [broken, ok])).toMatchObject({ sent: 2, outcome: { id: 'c1' } });
  });
});

describe('the key of a client', () => {
  it('is asked for before each attempt where it is a function, and stands in the header alone', async () => {
    let turn = 0;
    const { asked } = await calling(retrieve, ['drop', ok], { apiKey: async () => `${apiKey}-${++turn}\n` });
    expect(asked.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${apiKey}-1`, `Bearer ${apiKey}-2`]);
    const { asked: open } = await calling(accept, [ok]);
    expect(open[0]?.headers).not.toHaveProperty('authorization');
  });

  it('is in no error and in no print of the client', async () => {
    const errors = [
      (await calling(retrieve, ['drop'], { retries: 0 })).outcome,
      (await calling(retrieve, [failing(401, 'unauthenticated')])).outcome,
      (await calling(retrieve, ['hang'], { retries: 0, timeoutMs: 20 })).outcome,
      (await calling(retrieve, [ok], { apiKey: `${apiKey}\nx` })).outcome,
      (await calling(retrieve, [ok], { apiKey: `${apiKey}ü` })).outcome,
    ];
    expect(errors.map((error) => (error as Error).name)).toEqual([
      'RosterConnectionError',
      'RosterError',
      'RosterTimeoutError',
      'TypeError',
      'TypeError',
    ]);
    expect(errors[0]).toBeInstanceOf(RosterConnectionError);
    const client = new RosterClient({ baseUrl: 'http://127.0.0.1:8080/v2', apiKey });
    for (const one of [...errors, client, JSON.stringify(client)]) {
      expect(inspect(one, { depth: null, showHidden: true })).not.toContain(apiKey);
    }
  });
});

describe('the address of a client', () => {
  it.each(['', '/', '/v2', '/v2/'])('may end in "%s"', async (end) => {
    using server = await scriptedServer(ok);
    await new RosterClient({ baseUrl: `${server.address}/people${end}`, apiKey }).retrieveApiKey();
    expect(server.asked).toMatchObject([{ url: '/people/v2/key' }]);
  });

  const withPassword = ['http://user', 'secret@roster.test'].join(':');

  it.each(['', 'roster', 'ftp://roster.test', withPassword, 'http://roster.test/?a=1'])(
    'is refused as "%s", without repeating it',
    (baseUrl) => {
      const make = () => new RosterClient({ baseUrl, apiKey });
      expect(make).toThrow(TypeError);
      expect(make).not.toThrow(/secret/);
    },
  );
});

describe('a client of Chatling', () => {
  const chatling: Partial<ClientOptions> = { dialect: 'chatling' };
  const page = (current_page: number, ...ids: string[]): Scripted => ({
    status: 200,
    body: {
      status: 'success',
      data: { pages: { current_page, last_page: 2, per_page: 25 }, contacts: ids.map((id) => ({ id })) },
    },
  });

  it('repeats a create only after 429, as nobody knows what became of it otherwise', async () => {
    for (const lost of ['drop', failing(502), failing(503)] as const) {
      const { sent, asked } = await calling(create, [lost, ok], chatling);
      expect([sent, asked[0]?.headers['idempotency-key']]).toEqual([1, undefined]);
    }
    expect(await calling(create, [failing(429), ok], chatling)).toMatchObject({ sent: 2, outcome: { id: 'c1' } });
    expect(await calling(retrieve, ['drop', ok], chatling)).toMatchObject({ sent: 2 });
    const updated = await calling(update, ['drop', ok], chatling);
    expect([updated.sent, updated.asked[0]?.headers['idempotency-key']]).toEqual([2, undefined]);
  });

  it('has deleted where the first answer was lost and the repeat finds nothing', async () => {
    const removing = (...script: Scripted[]) => calling(remove, script, chatling);
    const gone = failing(404, 'not_found');
    expect(await removing('drop', gone)).toMatchObject({ sent: 2, outcome: undefined });
    expect((await removing(failing(503, 'unavailable'), gone)).outcome).toMatchObject({ status: 404 });
    expect((await removing(gone)).outcome).toMatchObject({ status: 404 });
    expect((await calling(remove, ['drop', gone])).outcome).toMatchObject({ status: 404 });
  });

  it('walks from page to page, and sends no parameter that Chatling does not have', async () => {
    const walk: Call = async (client) => {
      const ids: string[] = [];
      for await (const { id } of client.listContacts({ chatbotId, sort: 'date_asc' })) ids.push(id);
      return ids;
    };
    const { outcome, asked } = await calling(walk, [page(1, 'a', 'b'), page(2, 'c')], chatling);
    expect(outcome).toEqual(['a', 'b', 'c']);
    const path = `/v2/chatbots/${chatbotId}/contacts?sort=date_asc`;
    expect(asked.map(({ url }) => url)).toEqual([path, `${path}&page=2`]);
  });

  it('is chosen for its host by itself', async () => {
    const urls: string[] = [];
    const fetched: typeof fetch = async (url) => {
      urls.push(url as string);
      throw new TypeError('no network here');
    };
    const options = { apiKey, fetch: fetched, retryDelayMaxMs: 0 };
    await create(new RosterClient({ ...options, baseUrl: 'https://api.chatling.ai/v2' })).catch(() => undefined);
    expect(urls).toEqual([`https://api.chatling.ai/v2/chatbots/${chatbotId}/contacts`]);
    await create(new RosterClient({ ...options, baseUrl: 'https://roster.example.com/v2' })).catch(() => undefined);
    expect(urls).toHaveLength(7);
  });
});
