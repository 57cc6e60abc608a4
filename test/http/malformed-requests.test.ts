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

const get = (path: string, ...headers: string[]) =>
  `GET ${path} HTTP/1.1\r\n${['Host: x', ...headers].join('\r\n')}\r\n\r\n`;
const auth = () => `Authorization: Bearer ${token}`;
const long = (length: number) => 'x'.repeat(length);
const chunked = (coding: string, version = '1.1') =>
  `POST /v2/usage/user-seats HTTP/${version}\r\nHost: x\r\nConnection: keep-alive\r\nTransfer-Encoding: ${coding}\r\n\r\n0\r\n\r\n`;

/** [what, the bytes, the statuses that are right]. */
const cases: [string, () => string | Buffer, number | number[]][] = [
  ['a bad escape in the path', () => get('/v2/members%zz'), 400],
  ['an escape that is cut off', () => get('/v2/members%2'), 400],
  ['a byte that is no UTF-8 in a parameter', () => get('/v2/chatbots/%ff/contacts/x'), 400],
  ['an overlong UTF-8 form', () => get('/v2/chatbots/%c0%af/contacts/x'), 400],
  ['a surrogate in UTF-8', () => get('/v2/chatbots/%ed%a0%80/contacts/x'), 400],
  ['a bad escape with a key', () => get('/v2/%', auth()), 400],
  ['a parameter of 101 characters', () => get(`/v2/chatbots/${long(101)}/contacts/x`, auth()), 404],
  ['a parameter of 1,900 characters', () => get(`/v2/chatbots/${long(1_900)}/contacts/x`, auth()), 404],
  ['a path over 2 KiB', () => get(`/v2/chatbots/${long(2_100)}/contacts/x`, auth()), 414],
  ['a path over 2 KiB that does not exist', () => get(`/${long(3_000)}`), 414],
  ['a path of 12 KiB', () => get(`/v2/${long(12_000)}`), 414],
  ['a path over 16 KiB', () => get(`/${long(17_000)}`), 431],
  ['an unknown path', () => get('/nowhere'), 404],
  ['the root', () => get('/'), 302],
  ['a path of slashes', () => get('//////'), 404],
  ['a path with dots', () => get('/v2/../v2/members'), 404],
  ['an asterisk as target of GET', () => 'GET * HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ['OPTIONS *', () => 'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n', 404],
  ['a fragment in the target', () => get('/v2/members#x'), 400],
  ['a target without a slash', () => get('v2/members'), 400],
  ['an absolute target without a host', () => get('http:///livez'), 400],
  ['an absolute target with a user', () => get('http://ada:secret@roster.test/livez'), 400],
  ['an absolute target with two users', () => get('http://a@b@roster.test/livez'), 400],
  ['an absolute target of another scheme', () => get('ftp://roster.test/livez'), 400],
  ['an absolute target', () => get('http://roster.test/v2/members'), 401],
  ['an absolute target without a path', () => get('http://roster.test'), 302],
  ['an absolute target with a query', () => get('HTTPS://roster.test/v2/members?page=0', auth()), 422],
  ...['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'OPTIONS', 'PROPFIND', 'QUERY', 'LINK'].map(
    (method): [string, () => string, number] => [
      `${method} on a known path`,
      () => `${method} /v2/usage/user-seats HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`,
      405,
    ],
  ),
  ...(
    [
      [990, 400],
      [1_100, 431],
    ] as const
  ).map(([count, status]): [string, () => string, number] => [
    `a second Host behind ${count} other headers`,
    () => get('/v2/members', auth(), ...Array<string>(count).fill('a:'), 'Host: other'),
    status,
  ]),
  [
    'POST with a body',
    () =>
      'POST /v2/usage/user-seats HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1\r\n\r\n{',
    405,
  ],
  [
    'POST with a body of an odd type',
    () => 'POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Type: a/b\r\nContent-Length: 2\r\n\r\nhi',
    404,
  ],
  [
    'POST with a compressed body',
    () => 'POST /v2/usage/user-seats HTTP/1.1\r\nHost: x\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\nhi',
    405,
  ],
  ['CONNECT', () => 'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n', 405],
  ['PRI of HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400, 404, 405]],
  ['the method FOO', () => 'FOO / HTTP/1.1\r\nHost: x\r\n\r\n', [400, 501]],
  ['a method in lower case', () => 'get / HTTP/1.1\r\nHost: x\r\n\r\n', [400, 501]],
  ['an empty method', () => ' / HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ['a request line without a target', () => 'GET HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ['a request line without a version', () => 'GET /livez\r\nHost: x\r\n\r\n', 400],
  ['two spaces in the request line', () => 'GET  /livez HTTP/1.1\r\nHost: x\r\n\r\n', [400, 200]],
  ['HTTP/0.9', () => 'GET /livez HTTP/0.9\r\nHost: x\r\n\r\n', 400],
  ['HTTP/0.9 with a key', () => get('/v2/members', auth()).replace('HTTP/1.1', 'HTTP/0.9'), 400],
  ['HTTP/2.0', () => 'GET /livez HTTP/2.0\r\nHost: x\r\n\r\n', 400],
  ['HTTP/2.0 with a key', () => get('/v2/members', auth()).replace('HTTP/1.1', 'HTTP/2.0'), 400],
  ...['ANNOUNCE', 'DESCRIBE', 'PAUSE', 'PLAY', 'RECORD', 'SETUP', 'TEARDOWN'].map(
    (method): [string, () => string, number] => [
      `${method} of RTSP`,
      () => `${method} /livez RTSP/1.0\r\nHost: x\r\n\r\n`,
      400,
    ],
  ),
  ['HTTP/3.7', () => 'GET /livez HTTP/3.7\r\nHost: x\r\n\r\n', [400, 505]],
  ['HTTP/1.1 in lower case', () => 'GET /livez http/1.1\r\nHost: x\r\n\r\n', 400],
  ['a TLS handshake', () => Buffer.from('160301020001000001fc0303', 'hex'), 400],
  ['zero bytes', () => Buffer.alloc(64), 400],
  ['high bytes', () => Buffer.alloc(64, 0xff), 400],
  ['a mail', () => 'EHLO example.com\r\n', 400],
  ['JSON instead of a request', () => '{"hello":"world"}\r\n\r\n', 400],
  ['obs-fold', () => 'GET /livez HTTP/1.1\r\nHost: x\r\nX-A: b\r\n c\r\n\r\n', [400, 200]],
  ['a space before the colon', () => get('/livez', 'X-A : b'), 400],
  ['a header without a colon', () => get('/livez', 'nonsense'), 400],
  ['a header without a name', () => get('/livez', ': value'), 400],
  ['a zero byte in a header', () => get('/livez', 'X-A: a\0b'), 400],
  ['a bare line feed in a header', () => 'GET /livez HTTP/1.1\nHost: x\n\n', [400, 200]],
  ['a bare carriage return in a header', () => get('/livez', 'X-A: a\rb'), 400],
  ['headers over 16 KiB', () => get('/livez', `X-A: ${long(17_000)}`), 431],
  [
    'many headers over 16 KiB',
    () => get('/livez', ...Array.from({ length: 900 }, (_, i) => `X-${i}: ${long(20)}`)),
    431,
  ],
  ['an Authorization over 16 KiB', () => get('/v2/members', `Authorization: Bearer ${long(17_000)}`), 431],
  ['two Hosts', () => get('/livez', 'Host: y'), 400],
  ['two equal Hosts', () => get('/v2/members', 'host: x', auth()), 400],
  ['no Host', () => 'GET /livez HTTP/1.1\r\n\r\n', 400],
  ['no Host in HTTP/1.0', () => 'GET /livez HTTP/1.0\r\n\r\n', 200],
  ['a Host with a path', () => 'GET /livez HTTP/1.1\r\nHost: a b/c@d\r\n\r\n', 400],
  ['a Host with an address and a port', () => 'GET /livez HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n', 200],
  ['an empty Host', () => 'GET /livez HTTP/1.1\r\nHost:\r\n\r\n', 200],
  ['two Authorizations', () => get('/v2/members', auth(), auth()), 400],
  ['two Authorizations, the second in other case', () => get('/v2/members', auth(), 'AUTHORIZATION: Bearer x'), 400],
  ['two Authorizations on a path without a key', () => get('/livez', auth(), auth()), 400],
  ['Expect: foo', () => get('/livez', 'Expect: foo'), 417],
  ['Expect: foo on a guarded path', () => get('/v2/members', 'Expect: 200-maybe'), 417],
  [
    'Content-Length with Transfer-Encoding',
    () => 'POST /v2/members HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
  ],
  [
    'two different Content-Lengths',
    () => 'POST /livez HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
    400,
  ],
  [
    'two equal Content-Lengths',
    () => 'POST /livez HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na',
    400,
  ],
  ['a negative Content-Length', () => 'POST /livez HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n', 400],
  ['a Content-Length in hex', () => 'POST /livez HTTP/1.1\r\nHost: x\r\nContent-Length: 0x1\r\n\r\na', 400],
  ['a Content-Length with a sign', () => 'POST /livez HTTP/1.1\r\nHost: x\r\nContent-Length: +1\r\n\r\na', 400],
  [
    'a Content-Length beyond numbers',
    () => 'POST /livez HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999999\r\n\r\n',
    400,
  ],
  [
    'an unknown Transfer-Encoding',
    () => 'POST /livez HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: foo\r\n\r\n',
    [400, 501],
  ],
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
  [
    'a chunk size that is none',
    () => 'POST /livez HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n',
    [400, 405],
  ],
  [
    'an upgrade to h2c',
    () => get('/livez', 'Connection: Upgrade', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'),
    200,
  ],
  ['an upgrade to a web socket', () => get('/v2/members', 'Connection: Upgrade', 'Upgrade: websocket'), 401],
  ['a request id with line feeds escaped', () => get('/livez', 'X-Request-Id: a%0d%0ab'), 200],
  ['two request ids', () => get('/livez', 'X-Request-Id: a', 'X-Request-Id: b'), 200],
  ['a proxy request id of 4 KiB', () => get('/livez', `X-Request-Id: ${long(4_096)}`), 200],
  ['an If-None-Match of 8 KiB', () => get('/v2/members', auth(), `If-None-Match: ${'"x",'.repeat(2_000)}`), 200],
  ['a query of 8 KiB', () => get(`/v2/members?${'a=b&'.repeat(2_000)}`, auth()), 200],
  ['a bad escape in a query', () => get('/v2/members?x=%zz&page=1', auth()), 400],
  ['a page with a bad escape', () => get('/v2/members?page=%zz', auth()), 400],
  ['an address that breaks off within a character', () => get('/v2/members?email=%E0%A4%A', auth()), 400],
  ['a byte that is no UTF-8 in a query', () => get('/livez?x=%ff'), 400],
  ['a page as an array', () => get('/v2/members?page[]=1', auth()), 200],
  ['a zero byte in an id', () => get('/v2/chatbots/a%00/contacts/b', auth()), 404],
  ['a slash in an id', () => get('/v2/chatbots/a%2f..%2f/contacts/b', auth()), 404],
  ['a Range', () => get('/v2/members', auth(), 'Range: bytes=0-1'), 200],
  ['an Accept that cannot be met', () => get('/v2/members', auth(), 'Accept: text/html'), 200],
  ['a key in Proxy-Authorization', () => get('/v2/members', `Proxy-${auth()}`), 401],
  ['a key in Cookie', () => get('/v2/members', `Cookie: token=${token}`), 401],
  ['a control character in the key', () => get('/v2/members', 'Authorization: Bearer a\x01b'), [400, 401]],
  ['a key in UTF-8', () => get('/v2/members', 'Authorization: Bearer ключключключключ'), 401],
  ['a body with GET', () => 'GET /livez HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi', 200],
  ['a method override', () => get('/v2/members', auth(), 'X-HTTP-Method-Override: DELETE'), 200],
  ['X-Original-URL', () => get('/nowhere', auth(), 'X-Original-URL: /v2/members'), 404],
];

describe('over a raw socket', () => {
  it('there are at least a hundred malformed or odd requests', () => {
    expect(cases.length).toBeGreaterThanOrEqual(100);
  });

  it.concurrent.each(cases)('%s is answered in the envelope', async (_what, bytes, statuses) => {
    const sent = bytes();
    const [answer, ...others] = await exchange(port, sent);
    expect(others).toEqual([]);
    expect([statuses].flat()).toContain(answer?.status);
    if (!answer) return;
    const { status, headers, body } = answer;
    // Whatever the path was: a failure before its operation is a Failure.
    if (status >= 400) expectDocumented({ method: 'GET', path: '/', status, headers, body });
    expect(JSON.parse(body)).toMatchObject({ status: status < 400 ? 'success' : 'error' });
    expect(headers['date']).toMatch(/ GMT$/);
    expect(headers).toMatchObject({
      'x-request-id': expect.stringMatching(/^[\w.-]+$/),
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(body).not.toMatch(/xxxx|example\.com|ключ|fastify|FST_|node|stack/i);
  });

  it.each([
    ['a transfer coding beside chunked', () => chunked('gzip, chunked')],
    ['a transfer coding in HTTP/1.0', () => chunked('chunked', '1.0')],
    ['two Hosts', () => get('/livez', 'Host: y')],
    ['a bad escape', () => get('/v2/members%zz')],
    ['a user in the target', () => get('http://ada@roster.test/livez')],
    // Node drops what follows in the same packet.
    ['an upgrade', () => get('/livez', 'Connection: Upgrade', 'Upgrade: h2c')],
    ['an upgrade with a key', () => get('/v2/members', auth(), 'Connection: upgrade', 'Upgrade: websocket')],
  ])('%s ends the connection, as what follows may belong to it', async (_what, bytes) => {
    const answers = await exchange(port, bytes() + get('/livez'), 2_000);
    expect(answers).toMatchObject([{ closed: true, headers: { connection: 'close' } }]);
  });

  it.each([
    ['a trailer', () => chunked('chunked').replace('0\r\n', '0\r\nConnection: close\r\n'), 405],
    ['a header', () => get('/v2/members', auth(), 'Connection: close'), 200],
  ])('nothing is answered behind Connection: close as %s', async (_what, bytes, status) => {
    const answers = await exchange(port, bytes() + get('/livez'), 2_000);
    expect(answers).toMatchObject([{ status, closed: true }]);
  });

  // Functions that recurse exhaust the stack at some of these.
  const depths = [65, 3_000, 4_000, 5_000, 6_000, 8_000, 10_000, 12_000, 20_000];
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
  it.each(bodyPaths)('a body nested deeper than 64 is 400, with and without a key: %s', async (path) => {
    for (const depth of depths) {
      for (const headers of [[], [auth()]]) {
        const body = `{"token":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
        const head = [
          'Content-Type: application/json',
          `Content-Length: ${body.length}`,
          'Origin: https://roster.test',
        ];
        const bytes = get(path, ...head, ...headers)
          .replace('GET', 'POST')
          .replace('Host: x', 'Host: roster.test');
        const [answer] = await exchange(port, bytes + body);
        const isOpen = path.startsWith('/console') || path.includes('invitations') || headers.length > 0;
        expect([depth, answer?.status]).toEqual([depth, isOpen ? 400 : 401]);
        if (isOpen) expect(answer?.body).toContain('The request body is nested deeper than 64 levels');
      }
    }
  });

  it.each(bodyPaths.filter((path) => /^.console|invitations/.test(path)))(
    'a body is 413 over 64 KiB where nobody is known yet: %s',
    async (path) => {
      const body = `{"x":"${'x'.repeat(65_529)}"}`;
      const head = [
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
        'Origin: https://roster.test',
        'Connection: close',
      ];
      const bytes = get(path, ...head)
        .replace('GET', 'POST')
        .replace('Host: x', 'Host: roster.test');
      expect((await exchange(port, bytes + body))[0]?.status).toBe(413);
    },
  );

  it('after all of this a good request is answered', async () => {
    const [answer] = await exchange(port, get('/v2/members', auth()));
    expect(answer?.status).toBe(200);
  });
});
