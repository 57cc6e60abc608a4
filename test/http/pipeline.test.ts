import { beforeAll, describe, expect, it } from 'vitest';

import type { Scope } from '../../src/rights.ts';
import { appOfFile, portOf } from '../support/app.ts';
import { aDesk } from '../support/full-desk.ts';
import { scopesOf } from '../support/people.ts';
import { openClient } from './edge/support.ts';

const server = appOfFile();
let port: number;
beforeAll(async () => void (port = await portOf(server.app)));

const all = '/v2/chatbots';

async function opened(scopes: Scope[] = ['chatbots:read', 'chatbots:write']) {
  const desk = await aDesk(server, { scopes, members: [] });
  const own = `${all}/${desk.chatbotId}`;
  return {
    ...desk,
    own,
    /** How many chatbots there are beside the first. */
    made: async () => (await server.store.chatbots.list(desk.projectId)).length - 1,
    /** What is answered to these requests, which are patches of the chatbot, on one connection. */
    statusesOf: async (count: number, ...requests: [headers: string, body: string][]) => {
      const client = await openClient(port);
      const head = `PATCH ${own} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${desk.token}\r\n`;
      client.socket.write(requests.map(([headers, body]) => `${head}${headers}\r\n\r\n${body}`).join(''));
      const statuses = () => [...client.received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
      await expect.poll(statuses).toHaveLength(count);
      client.socket.destroy();
      return statuses();
    },
  };
}

describe('a body', () => {
  it('is refused for a name that every object has, as for any other that is not known', async () => {
    const at = await opened();
    for (const name of ['constructor', 'toString', '__proto__']) {
      const answer = await at.ask('POST', all, `{"name":"ab","${name}":null}`);
      expect([name, answer.status]).toEqual([name, 422]);
    }
  });

  it('is told twenty errors at most, and the first alone where it is huge', async () => {
    const at = await opened();
    const told = async (unknown: number) => {
      const body = Object.fromEntries(Array.from({ length: unknown }, (_, i) => [`k${i}`, 1]));
      const { status, json } = await at.ask('POST', all, JSON.stringify(body));
      return [status, json.errors?.length];
    };
    expect([await told(100), await told(10_000)]).toEqual([
      [422, 20],
      [422, 1],
    ]);
  });

  it('is 415 unless it is JSON, and with a content encoding', async () => {
    const at = await opened();
    const body = '{"name":"ab"}';
    for (const headers of [
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/x-www-form-urlencoded' },
      { 'content-type': 'application/merge-patch+json' },
      { 'content-type': 'application/json; charset=latin1' },
      { 'content-type': '' },
      { 'content-encoding': 'gzip' },
    ]) {
      const { status, json } = await at.ask('POST', all, body, headers);
      expect([headers, status, json.code]).toEqual([headers, 415, 'unsupported_media_type']);
    }
    const encoded = await at.ask('POST', all, body, { 'content-encoding': 'gzip' });
    expect(encoded.json.message).toBe('The request body must not be encoded; leave out Content-Encoding');
    const merge = { 'content-type': 'application/merge-patch+json; charset=UTF-8' };
    expect((await at.ask('PATCH', at.own, '{}', merge)).status).toBe(200);
    expect(await at.made()).toBe(0);
  });

  it('is JSON also where its content type has empty parameters', async () => {
    const at = await opened();
    for (const [parameters, status] of [
      ...[';', '; ', ' ;;', ';charset=utf-8;', '; ; charset="UTF-8" ;'].map((one) => [one, 200] as const),
      ...[';x', ';charset=latin1;', ';charset=utf-8 utf-8', ' charset=utf-8'].map((one) => [one, 415] as const),
    ]) {
      const answer = await at.ask('PATCH', at.own, '{}', { 'content-type': `application/json${parameters}` });
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
    const of = (length: number) => `{"name":"${'x'.repeat(length - 11)}"}`;
    expect((await at.ask('PATCH', at.own, of(1_048_576))).status).toBe(422);
    const { status, json } = await at.ask('PATCH', at.own, of(1_048_577));
    expect([status, json.code]).toEqual([413, 'payload_too_large']);
    const chunked = { 'transfer-encoding': 'chunked', 'content-length': '' };
    expect((await at.ask('PATCH', at.own, of(1_048_577), chunked)).status).toBe(413);
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
      const { status, json } = await at.ask('POST', all, body);
      expect([String(body), status, json.code]).toEqual([String(body), 400, 'malformed_request']);
    }
  });

  it('may be missing, with any content type, where nothing is required', async () => {
    const at = await opened();
    expect((await at.ask('PATCH', at.own)).status).toBe(200);
    const headers = { 'content-type': 'text/plain' };
    expect((await at.ask('PATCH', at.own, '', headers)).status).toBe(200);
    const { status, json } = await at.ask('POST', all);
    expect([status, json.errors]).toEqual([422, [{ field: 'name', code: 'required', message: 'is required' }]]);
  });
});

describe('what is wrong in a body, 422', () => {
  it('may be a parameter of the path or the query, which a body never gives', async () => {
    const at = await opened();
    for (const [field, place] of [
      ['chatbotId', 'path'],
      ['include', 'query'],
    ] as const) {
      const { status, json } = await at.ask('PATCH', at.own, JSON.stringify({ [field]: '2' }));
      const message = `is not known in a body; it belongs in the ${place}`;
      expect([status, json.errors]).toEqual([422, [{ field, code: 'unknown', message }]]);
    }
    expect((await at.ask('PATCH', `${at.own}?name=x`, '{}')).data).toMatchObject({ name: 'Desk' });
  });

  it('is told, and no 404, where a field is named like the beginning of a parameter', async () => {
    const at = await opened();
    const { status, json } = await at.ask('PATCH', at.own, '{"chatbot":1}');
    expect([status, json.errors?.map(({ field }) => field)]).toEqual([422, ['chatbot']]);
  });

  it('is told before a wrong id is, which alone is 404', async () => {
    const at = await opened();
    const path = `${all}/${'x'.repeat(65)}`;
    expect((await at.ask('PATCH', path, '{"name":1}')).status).toBe(422);
    expect((await at.ask('PATCH', path, '{"name":"x"}')).status).toBe(404);
  });

  it('is told after a missing key or scope, a wrong content type and what is no JSON', async () => {
    const at = await opened(['chatbots:read']);
    const status = async (token: string | undefined, headers: Record<string, string>) =>
      (await at.ask('POST', all, '{', { ...headers, authorization: `Bearer ${token ?? 'none'}` })).status;
    expect(await status(undefined, { 'content-type': 'text/plain' })).toBe(401);
    expect(await status(at.token, { 'content-type': 'text/plain' })).toBe(403);
    const { token } = await scopesOf(server.store, at.projectId, ['chatbots:write']);
    expect(await status(token, { 'content-type': 'text/plain' })).toBe(415);
    expect(await status(token, {})).toBe(400);
  });
});

it('an idempotency key that cannot be one is 422', async () => {
  const at = await opened();
  for (const key of ['', ' ', 'a b', 'x'.repeat(256), '""', 'é']) {
    const { status, json } = await at.ask('POST', all, { name: 'ab' }, { 'idempotency-key': key });
    expect([key, status, json.errors?.[0]?.field]).toEqual([key, 422, 'Idempotency-Key']);
  }
  expect(await at.made()).toBe(0);
});
