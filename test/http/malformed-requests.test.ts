import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openApp, portOf, type TestApp } from '../support/app.ts';
import { expectDocumented } from '../support/document.ts';
import { aProject } from '../support/people.ts';
import { exchange } from '../support/raw.ts';

// Real sockets: most of these never become a request that `inject` could make.
let server: TestApp;
let port: number;
let token: string;

beforeAll(async () => {
  server = await openApp({}, undefined, { mcp: async () => Response.json({}) });
  ({ token } = await aProject(server.store));
  port = await portOf(server.app);
});
afterAll(() => server[Symbol.asyncDispose]());

const request = (line: string, ...headers: string[]) => `${[line, ...headers].join('\r\n')}\r\n\r\n`;
const get = (path: string, ...headers: string[]) => request(`GET ${path} HTTP/1.1`, 'Host: x', ...headers);
const auth = () => `Authorization: Bearer ${token}`;
const long = (length: number) => 'x'.repeat(length);
const post = (path: string, body: string, ...headers: string[]) =>
  request(`POST ${path} HTTP/1.1`, 'Host: roster.test', `Content-Length: ${body.length}`, ...headers) + body;
const chunked = (coding: string, version = '1.1') =>
  `${request(`POST /v2/usage/user-seats HTTP/${version}`, 'Host: x', 'Connection: keep-alive', `Transfer-Encoding: ${coding}`)}0\r\n\r\n`;

/** [what, the bytes, the right status]; the acceptance suite has a case for every rule of HTTP/1.1. */
const cases: [string, () => string, number][] = [
  ['a bad escape in the path', () => get('/v2/members%zz'), 400],
  ['a bad escape with a key', () => get('/v2/%', auth()), 400],
  ['an overlong UTF-8 form in a parameter', () => get('/v2/chatbots/%c0%af/contacts/x'), 400],
  ['a bad escape in a query', () => get('/v2/members?x=%zz&page=1', auth()), 400],
  ['a byte that is no UTF-8 in a query', () => get('/livez?x=%ff'), 400],
  ['a parameter of 101 characters', () => get(`/v2/chatbots/${long(101)}/contacts/x`, auth()), 404],
  ['a parameter of 1,900 characters', () => get(`/v2/chatbots/${long(1_900)}/contacts/x`, auth()), 404],
  ['a zero byte in an id', () => get('/v2/chatbots/a%00/contacts/b', auth()), 404],
  ['a slash in an id', () => get('/v2/chatbots/a%2f..%2f/contacts/b', auth()), 404],
  ['a path of 2,048 bytes', () => get(`/v2/chatbots/x/contacts/${long(2_024)}`, auth()), 404],
  ['a path of 2,049 bytes', () => get(`/v2/chatbots/x/contacts/${long(2_025)}`, auth()), 414],
  ['a path of 12 KiB', () => get(`/v2/${long(12_000)}`), 414],
  ['a path over 16 KiB', () => get(`/${long(17_000)}`), 431],
  ['a path with dots', () => get('/v2/../v2/members'), 404],
  ['an asterisk as target of GET', () => get('*'), 400],
  ['OPTIONS *', () => request('OPTIONS * HTTP/1.1', 'Host: x'), 404],
  ['a fragment in the target', () => get('/v2/members#x'), 400],
  ['a target without a slash', () => get('v2/members'), 400],
  ['an absolute target without a host', () => get('http:///livez'), 400],
  ['an absolute target with a user', () => get('http://ada:secret@roster.test/livez'), 400],
  ['an absolute target of another scheme', () => get('ftp://roster.test/livez'), 400],
  ['an absolute target', () => get('http://roster.test/v2/members'), 401],
  ['an absolute target without a path', () => get('http://roster.test'), 302],
  ['an absolute target with a query', () => get('HTTPS://roster.test/v2/members?page=0', auth()), 422],
  ['a known path with a body', () => post('/v2/usage/user-seats', '{', 'Content-Type: application/json'), 405],
  ['an unknown path with a body', () => post('/nowhere', 'hi', 'Content-Encoding: gzip'), 404],
  ['the preface of HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['HTTP/0.9 with a key', () => get('/v2/members', auth()).replace('HTTP/1.1', 'HTTP/0.9'), 400],
  ['HTTP/2.0 with a key', () => get('/v2/members', auth()).replace('HTTP/1.1', 'HTTP/2.0'), 400],
  ['a bare carriage return in a header', () => get('/livez', 'X-A: a\rb'), 400],
  ['an Authorization over 16 KiB', () => get('/v2/members', `Authorization: Bearer ${long(17_000)}`), 431],
  [
    'a second Host behind 990 other headers',
    () => get('/v2/members', ...Array<string>(990).fill('a:'), 'Host: o'),
    400,
  ],
  ['a second Host behind 1,100 others', () => get('/v2/members', ...Array<string>(1_100).fill('a:'), 'Host: o'), 431],
  ['two equal Hosts', () => get('/v2/members', 'host: x', auth()), 400],
  ['no Host', () => request('GET /livez HTTP/1.1'), 400],
  ['no Host in HTTP/1.0', () => request('GET /livez HTTP/1.0'), 200],
  ['a Host with a path', () => request('GET /livez HTTP/1.1', 'Host: a b/c@d'), 400],
  ['a Host with an address and a port', () => request('GET /livez HTTP/1.1', 'Host: [::1]:8080'), 200],
  ['an empty Host', () => request('GET /livez HTTP/1.1', 'Host:'), 200],
  ['two Authorizations in other case', () => get('/v2/members', auth(), 'AUTHORIZATION: Bearer x'), 400],
  ['two Authorizations on a path without a key', () => get('/livez', auth(), auth()), 400],
  ['Expect: foo on a guarded path', () => get('/v2/members', 'Expect: 200-maybe'), 417],
  ...[
    'chunked, chunked',
    'identity, chunked',
    'gzip, chunked',
    ',chunked',
    'identity\r\nTransfer-Encoding: chunked',
  ].map((coding): [string, () => string, number] => [
    `the transfer coding ${JSON.stringify(coding)}`,
    () => chunked(coding),
    400,
  ]),
  ['a transfer coding in HTTP/1.0', () => chunked('chunked', '1.0'), 400],
  ['an upgrade to a web socket', () => get('/v2/members', 'Connection: Upgrade', 'Upgrade: websocket'), 401],
  ['two request ids', () => get('/livez', 'X-Request-Id: a', 'X-Request-Id: b'), 200],
  ['a proxy request id of 4 KiB', () => get('/livez', `X-Request-Id: ${long(4_096)}`), 200],
  ['an If-None-Match of 8 KiB', () => get('/v2/members', auth(), `If-None-Match: ${'"x",'.repeat(2_000)}`), 200],
  ['a query of 8 KiB', () => get(`/v2/members?${'a=b&'.repeat(2_000)}`, auth()), 200],
  ['a page as an array', () => get('/v2/members?page[]=1', auth()), 200],
  ['a key in Proxy-Authorization', () => get('/v2/members', `Proxy-${auth()}`), 401],
  ['a key in Cookie', () => get('/v2/members', `Cookie: token=${token}`), 401],
  ['a key in UTF-8', () => get('/v2/members', 'Authorization: Bearer ключключключключ'), 401],
  ['a body with GET', () => `${get('/livez', 'Content-Length: 2')}hi`, 200],
  ['a method override', () => get('/v2/members', auth(), 'X-HTTP-Method-Override: DELETE'), 200],
  ['X-Original-URL', () => get('/nowhere', auth(), 'X-Original-URL: /v2/members'), 404],
];

describe('over a raw socket', () => {
  it.concurrent.each(cases)('%s is answered in the envelope', async (_what, bytes, right) => {
    const answers = await exchange(port, bytes());
    expect(answers).toMatchObject([{ status: right }]);
    const { status = 0, headers = {}, body = '' } = answers[0] ?? {};
    // Whatever the path was: a failure before its operation is a Failure.
    if (status >= 400) expectDocumented({ method: 'GET', path: '/', status, headers, body });
    expect(JSON.parse(body)).toMatchObject({ status: status < 400 ? 'success' : 'error' });
    expect(headers).toMatchObject({
      date: expect.stringMatching(/ GMT$/),
      'x-request-id': expect.stringMatching(/^[\w.-]+$/),
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(body).not.toMatch(/xxxx|example\.com|ключ|fastify|FST_|node|stack/i);
  });

  it.each([
    ['a transfer coding beside chunked', () => chunked('gzip, chunked')],
    ['two Hosts', () => get('/livez', 'Host: y')],
    ['a bad escape', () => get('/v2/members%zz')],
    ['a user in the target', () => get('http://ada@roster.test/livez')],
  ])('%s ends the connection, as what follows may belong to it', async (_what, bytes) => {
    const answers = await exchange(port, bytes() + get('/livez'), 2_000);
    expect(answers).toMatchObject([{ closed: true, headers: { connection: 'close' } }]);
  });

  // Functions that recurse exhaust the stack at some of these.
  const depths = [65, 4_000, 8_000, 20_000];
  const bodyPaths = [
    '/v2/chatbots/x/contacts/search',
    '/v2/invitations/accept',
    '/mcp',
    '/console/api/sign-in/link',
    '/console/api/setup',
    '/console/api/setup/asks',
    '/console/api/join',
    '/console/api/sign-in/passkey',
  ];
  const origin = 'Origin: https://roster.test';
  const json = 'Content-Type: application/json';

  it.each(bodyPaths)('a body nested deeper than 64 is 400, with and without a key: %s', async (path) => {
    for (const depth of depths) {
      for (const headers of [[], [auth()]]) {
        const body = `{"token":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
        const [answer] = await exchange(port, post(path, body, json, origin, ...headers));
        const isOpen = path.startsWith('/console') || path.includes('invitations') || headers.length > 0;
        expect([depth, answer?.status]).toEqual([depth, isOpen ? 400 : 401]);
        if (isOpen) expect(answer?.body).toContain('The request body is nested deeper than 64 levels');
      }
    }
  });

  it.each(bodyPaths.filter((path) => /^.console|invitations/.test(path)))(
    'a body is 413 over 64 KiB where nobody is known yet: %s',
    async (path) => {
      const bytes = post(path, `{"x":"${long(65_529)}"}`, json, origin, 'Connection: close');
      expect((await exchange(port, bytes))[0]?.status).toBe(413);
    },
  );

  it('after all of this a good request is answered', async () => {
    const [answer] = await exchange(port, get('/v2/members', auth()));
    expect(answer?.status).toBe(200);
  });
});
