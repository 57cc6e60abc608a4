import { beforeAll, describe, expect, it } from 'vitest';

import { AppError } from '../../src/errors.ts';
import { changed } from '../../src/events/event.ts';
import { route } from '../../src/http/routes.ts';
import { read, write } from '../../src/operation.ts';
import type { Scope } from '../../src/rights.ts';
import { newChatbotId } from '../../src/values/identifier.ts';
import { appOfFile, portOf } from '../support/app.ts';
import { aDesk } from '../support/full-desk.ts';
import { scopesOf } from '../support/people.ts';
import { openClient } from './edge/support.ts';

const properties = {
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: {
    name: { type: 'string', minLength: 2, maxLength: 5 },
    email: { type: ['string', 'null'], maxLength: 254 },
    count: { type: 'integer', minimum: 1, maximum: 9 },
    tags: { type: 'array', maxItems: 2, items: { type: 'string', enum: ['a', 'b'] } },
  },
} as const;

/** Creates a chatbot of the name; there can be no second one of the name `taken`. */
const createThing = write({
  name: 'createThing',
  scope: 'chatbots:write',
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['properties'],
    properties: { properties },
  },
  errors: ['conflict'],
  run: async ({ chatbots }, { projectId }, input) => {
    const { name } = input.properties;
    const things = await chatbots.list(projectId);
    if (name === 'taken' && things.some((thing) => thing.name === name)) {
      throw new AppError('conflict', 'There is a thing of this name already');
    }
    const thing = {
      id: newChatbotId(),
      name,
      project_id: projectId,
      created_at: '2026-01-01T00:00:00+00:00',
    };
    await chatbots.insert(thing);
    return changed({ id: thing.id }, { type: 'chatbot.created', chatbot_id: thing.id });
  },
  repeat: {
    keep: ({ id }: { id: string }) => id,
    render: async ({ chatbots }, { projectId }, id) => ({
      id: (await chatbots.find(projectId, id))?.id ?? '',
    }),
  },
});

const countThings = read({
  name: 'countThings',
  scope: 'chatbots:read',
  input: { type: 'object', properties: {} },
  run: async ({ chatbots }, { projectId }) => ({ count: (await chatbots.list(projectId)).length }),
});

const echo = write({
  name: 'echo',
  scope: 'chatbots:write',
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['id'],
    properties: {
      id: { type: 'string', maxLength: 9 },
      text: { type: ['string', 'null'] },
      purge: { type: 'string', enum: ['true', 'false'] },
    },
  },
  run: async (_unit, _actor, input) => ({ output: { ...input }, changes: [] }),
});

const changeItem = write({
  name: 'changeItem',
  scope: 'chatbots:write',
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['itemId'],
    properties: { itemId: { type: 'string', maxLength: 9 }, item: { type: 'string' } },
  },
  run: async () => ({ output: {}, changes: [] }),
});

const routes = [
  route('GET', '/v2/things', countThings),
  route('POST', '/v2/things', createThing, '/v2/things/:id'),
  route('PATCH', '/v2/things/:id', echo),
  route('DELETE', '/v2/things/:id', echo),
  route('PATCH', '/v2/items/:itemId', changeItem),
];

const server = appOfFile({}, { routes });
let port: number;
beforeAll(async () => void (port = await portOf(server.app)));

async function opened(scopes: Scope[] = ['chatbots:read', 'chatbots:write']) {
  const desk = await aDesk(server, { scopes, members: [] });
  return {
    ...desk,
    create: (body: object, headers = {}) => desk.ask('POST', '/v2/things', JSON.stringify(body), headers),
    things: async () => (await server.store.chatbots.list(desk.projectId)).length - 1,
    events: async () => (await desk.events()).filter(({ type }) => type === 'chatbot.created').slice(1),
    /** What is answered to these requests, which are patches of a thing, on one connection. */
    statusesOf: async (count: number, ...requests: [headers: string, body: string][]) => {
      const client = await openClient(port);
      const head = `PATCH /v2/things/1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${desk.token}\r\n`;
      client.socket.write(requests.map(([headers, body]) => `${head}${headers}\r\n\r\n${body}`).join(''));
      const statuses = () => [...client.received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
      await expect.poll(statuses).toHaveLength(count);
      client.socket.destroy();
      return statuses();
    },
  };
}

describe('a body', () => {
  it('of JSON reaches the operation, with texts trimmed and empty ones as null', async () => {
    const at = await opened();
    const answer = await at.create({ properties: { name: ' ab ', email: '  ' } });
    expect([answer.status, answer.json.status]).toEqual([201, 'success']);
    const { data } = (await at.ask('PATCH', '/v2/things/1', '{"text":"  "}')).json;
    expect(data).toEqual({ id: '1', text: null });
  });

  it('is refused for a name that every object has, as for any other that is not known', async () => {
    const at = await opened();
    for (const name of ['constructor', 'toString', '__proto__']) {
      const answer = await at.ask('POST', '/v2/things', `{"properties":{"name":"ab"},"${name}":null}`);
      expect([name, answer.status]).toEqual([name, 422]);
    }
  });

  it('is told twenty errors at most, and the first alone where it is huge', async () => {
    const at = await opened();
    const told = async (unknown: number) => {
      const body = Object.fromEntries(Array.from({ length: unknown }, (_, i) => [`k${i}`, 1]));
      const { status, json } = await at.ask('POST', '/v2/things', JSON.stringify(body));
      return [status, json.errors?.length];
    };
    expect([await told(100), await told(10_000)]).toEqual([
      [422, 20],
      [422, 1],
    ]);
  });

  it('is 415 unless it is JSON, and with a content encoding', async () => {
    const at = await opened();
    const body = '{"properties":{"name":"ab"}}';
    for (const headers of [
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/x-www-form-urlencoded' },
      { 'content-type': 'application/merge-patch+json' },
      { 'content-type': 'application/json; charset=latin1' },
      { 'content-type': '' },
      { 'content-encoding': 'gzip' },
    ]) {
      const { status, json } = await at.ask('POST', '/v2/things', body, headers);
      expect([headers, status, json.code]).toEqual([headers, 415, 'unsupported_media_type']);
    }
    const encoded = await at.ask('POST', '/v2/things', body, { 'content-encoding': 'gzip' });
    expect(encoded.json.message).toBe('The request body must not be encoded; leave out Content-Encoding');
    const merge = { 'content-type': 'application/merge-patch+json; charset=UTF-8' };
    expect((await at.ask('PATCH', '/v2/things/1', '{}', merge)).status).toBe(200);
    expect(await at.things()).toBe(0);
  });

  it('is JSON also where its content type has empty parameters', async () => {
    const at = await opened();
    for (const [parameters, status] of [
      ...[';', '; ', ' ;;', ';charset=utf-8;', '; ; charset="UTF-8" ;'].map((one) => [one, 200] as const),
      ...[';x', ';charset=latin1;', ';charset=utf-8 utf-8', ' charset=utf-8'].map((one) => [one, 415] as const),
    ]) {
      const answer = await at.ask('PATCH', '/v2/things/1', '{}', { 'content-type': `application/json${parameters}` });
      expect([parameters, answer.status]).toEqual([parameters, status]);
    }
  });

  it('in chunks needs a content type only where it is not empty', async () => {
    const at = await opened();
    const chunked = 'Transfer-Encoding: chunked';
    const end = '0\r\n\r\n';
    const text = `${chunked}\r\nContent-Type: text/plain`;
    const answered = at.statusesOf(3, [chunked, end], [text, end], [chunked, `2\r\n{}\r\n${end}`]);
    expect(await answered).toEqual(['200', '200', '415']);
  });

  it('is 413 over 1 MiB, however its length is told', async () => {
    const at = await opened();
    const of = (length: number) => `{"text":"${'x'.repeat(length - 11)}"}`;
    expect((await at.ask('PATCH', '/v2/things/1', of(1_048_576))).status).toBe(200);
    const { status, json } = await at.ask('PATCH', '/v2/things/1', of(1_048_577));
    expect([status, json.code]).toEqual([413, 'payload_too_large']);
    const chunked = { 'transfer-encoding': 'chunked', 'content-length': '' };
    expect((await at.ask('PATCH', '/v2/things/1', of(1_048_577), chunked)).status).toBe(413);
  });

  it('over 1 MiB is read on, so that its caller reads the answer, and the next one', async () => {
    const at = await opened();
    const ofLength = (length: number) => `Content-Type: application/json\r\nContent-Length: ${length}`;
    const answered = at.statusesOf(2, [ofLength(1_048_577), ' '.repeat(1_048_577)], [ofLength(2), '{}']);
    expect(await answered).toEqual(['413', '200']);
  });

  it('is 400 when it is no JSON object', async () => {
    const at = await opened();
    for (const body of ['{', '[]', '"x"', '1', 'null', '{"a":1}{', Buffer.from([0x7b, 0xff, 0x7d])]) {
      const { status, json } = await at.ask('POST', '/v2/things', body);
      expect([String(body), status, json.code]).toEqual([String(body), 400, 'malformed_request']);
    }
  });

  it('may be missing, with any content type, where nothing is required', async () => {
    const at = await opened();
    expect((await at.ask('PATCH', '/v2/things/1')).status).toBe(200);
    const headers = { 'content-type': 'text/plain' };
    expect((await at.ask('PATCH', '/v2/things/1', '', headers)).status).toBe(200);
    const { status, json } = await at.ask('POST', '/v2/things');
    expect([status, json.errors?.[0]]).toEqual([
      422,
      { field: 'properties', code: 'required', message: 'is required' },
    ]);
  });
});

describe('what is wrong in a body, 422', () => {
  it.each([
    [{}, 'properties', 'required'],
    [{ properties: {} }, 'properties.name', 'required'],
    [{ properties: { name: 'ab' }, other: 1 }, 'other', 'unknown'],
    [{ properties: { name: 'ab', surname: 'x' } }, 'properties.surname', 'unknown'],
    [{ properties: { name: 7 } }, 'properties.name', 'type'],
    [{ properties: { name: ' ' } }, 'properties.name', 'required'],
    [{ properties: { name: 'a' } }, 'properties.name', 'too_short'],
    [{ properties: { name: 'abcdef' } }, 'properties.name', 'too_long'],
    [{ properties: { name: 'ab', count: 0 } }, 'properties.count', 'too_small'],
    [{ properties: { name: 'ab', count: 10 } }, 'properties.count', 'too_large'],
    [{ properties: { name: 'ab', tags: ['a', 'b', 'a'] } }, 'properties.tags', 'too_many'],
    [{ properties: { name: 'ab', tags: ['a', 'x'] } }, 'properties.tags[1]', 'not_allowed'],
  ])('%j is told with its path', async (body, field, code) => {
    const at = await opened();
    const { status, json } = await at.create(body);
    const message = expect.stringMatching(/^(is|must) /);
    expect([status, json.code, json.errors]).toEqual([422, 'validation_failed', [{ field, code, message }]]);
    expect(await at.things()).toBe(0);
  });

  it('may be a parameter of the path or the query, which a body never gives', async () => {
    const at = await opened();
    for (const [field, place] of [
      ['id', 'path'],
      ['include', 'query'],
    ] as const) {
      const { status, json } = await at.ask('PATCH', '/v2/things/1', JSON.stringify({ [field]: '2' }));
      const message = `is not known in a body; it belongs in the ${place}`;
      expect([status, json.errors]).toEqual([422, [{ field, code: 'unknown', message }]]);
    }
  });

  it('is told, and no 404, where a field is named like the beginning of a parameter', async () => {
    const at = await opened();
    const { status, json } = await at.ask('PATCH', '/v2/items/1', '{"item":1}');
    expect([status, json.errors?.map(({ field }) => field)]).toEqual([422, ['item']]);
  });

  it('is told before a wrong id is, which alone is 404', async () => {
    const at = await opened();
    const path = `/v2/items/${'x'.repeat(10)}`;
    expect((await at.ask('PATCH', path, '{"item":1}')).status).toBe(422);
    expect((await at.ask('PATCH', path, '{"item":"x"}')).status).toBe(404);
  });

  it('is told all at once', async () => {
    const at = await opened();
    const { json } = await at.create({ properties: { count: 0, tags: 'x' }, other: 1 });
    expect(json.errors?.map(({ field }) => field).toSorted()).toEqual([
      'other',
      'properties.count',
      'properties.name',
      'properties.tags',
    ]);
  });
});

describe('a write', () => {
  it('is 409 with the message of the conflict, and stores nothing', async () => {
    const at = await opened();
    expect((await at.create({ properties: { name: 'taken' } })).status).toBe(201);
    const { status, json } = await at.create({ properties: { name: 'taken' } });
    expect([status, json.code, json.message]).toEqual([409, 'conflict', 'There is a thing of this name already']);
    expect([await at.things(), (await at.events()).length]).toEqual([1, 1]);
  });

  it('records its event in the same commit, with the key and the request', async () => {
    const at = await opened();
    const { json } = await at.create({ properties: { name: 'ab' } }, { 'x-request-id': 'mine' });
    const { id } = json.data as unknown as { id: string };
    expect(await at.events()).toMatchObject([
      { chatbot_id: id, actor: { type: 'key', id: at.keyId }, request_id: 'mine', changed: null },
    ]);
  });

  it('is refused in order: key, scope, body, shape', async () => {
    const at = await opened(['chatbots:read']);
    const status = async (token: string | undefined, headers: Record<string, string>) =>
      (await at.ask('POST', '/v2/things', '{', { ...headers, authorization: `Bearer ${token ?? 'none'}` })).status;
    expect(await status(undefined, { 'content-type': 'text/plain' })).toBe(401);
    expect(await status(at.token, { 'content-type': 'text/plain' })).toBe(403);
    const { token } = await scopesOf(server.store, at.projectId, ['chatbots:write']);
    expect(await status(token, { 'content-type': 'text/plain' })).toBe(415);
    expect(await status(token, {})).toBe(400);
  });

  it('takes what its path and its query say, and of a query with a body nothing', async () => {
    const at = await opened();
    expect((await at.ask('DELETE', '/v2/things/1?purge=TRUE&x=y')).json.data).toEqual({ id: '1', purge: 'true' });
    expect((await at.ask('PATCH', '/v2/things/1?text=x', '{}')).json.data).toEqual({ id: '1' });
    expect((await at.ask('PATCH', '/v2/things/0123456789', '{}')).status).toBe(404);
    const { json } = await at.ask('DELETE', '/v2/things/1?purge=true&purge=false');
    expect(json.errors).toEqual([{ field: 'purge', code: 'too_many', message: 'must be given once' }]);
  });

  it('and a read share a path, whose other methods are 405', async () => {
    const at = await opened();
    expect((await server.get('/v2/things', at.token)).json.data).toEqual({ count: 1 });
    const { status, headers } = await at.ask('DELETE', '/v2/things');
    expect([status, headers['allow']]).toEqual([405, 'GET, HEAD, POST']);
  });
});

describe('an idempotency key', () => {
  const body = { properties: { name: 'ab' } };

  it('makes a repeat answer the same and change nothing, with quotes around it or not', async () => {
    const at = await opened();
    for (const key of ['one', '"one"']) {
      const { status, json, headers } = await at.create(body, { 'idempotency-key': key });
      expect([status, headers['idempotent-replayed']]).toEqual([201, key === 'one' ? undefined : 'true']);
      expect(json.data).toEqual({ id: (await at.events())[0]?.chatbot_id });
    }
    expect([await at.things(), (await at.events()).length]).toEqual([1, 1]);
  });

  it('that cannot be one is 422', async () => {
    const at = await opened();
    for (const key of ['', ' ', 'a b', 'x'.repeat(256), '""', 'é']) {
      const { status, json } = await at.create(body, { 'idempotency-key': key });
      expect([key, status, json.errors?.[0]?.field]).toEqual([key, 422, 'Idempotency-Key']);
    }
    expect(await at.things()).toBe(0);
  });
});
