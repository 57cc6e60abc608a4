import { ended, everyByte, type Ingredients, kept, lines, nameOf, type RequestCase } from './request-case.ts';

const long = (length: number) => 'x'.repeat(length);

/** Methods, targets, versions, and what comes in the place of a request line. */
export function requestLineCases({ host, token, path }: Ingredients): RequestCase[] {
  const field = `Host: ${host}`;
  const auth = `Authorization: Bearer ${token}`;
  const get = (target: string, ...more: string[]) => lines(`GET ${target} HTTP/1.1`, [field, ...more]);
  const first = (line: string) => lines(line, [field]);
  return [
    ...everyByte.map((byte) => ofTarget(byte, first(`GET /nowhere${byte}00 HTTP/1.1`))),
    ...everyByte.map((byte) =>
      ended(['9110 9.1', `${nameOf(byte)} in the method`, first(`GE${byte}T / HTTP/1.1`), 400]),
    ),
    ...everyByte.map((byte) => ofVersion(byte, first(`GET /livez HTTP/1.${byte}`))),
    ...['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'OPTIONS', 'PROPFIND', 'QUERY', 'LINK', 'M-SEARCH'].flatMap(
      (method) => [
        kept(['9110 15.5.6', `${method} of a known path`, first(`${method} /v2/usage/user-seats HTTP/1.1`), 405]),
        kept(['9110 15.5.5', `${method} of an unknown path`, first(`${method} /nowhere HTTP/1.1`), 404]),
      ],
    ),
    kept(['9110 9.3.2', 'HEAD of a known path', lines(`HEAD ${path} HTTP/1.1`, [field, auth]), 200]),
    kept(['9110 9.3.2', 'HEAD of an unknown path', first('HEAD /nowhere HTTP/1.1'), 404]),
    kept(['9110 9.3.2', 'HEAD without a key', first('HEAD /v2/members HTTP/1.1'), 401]),
    ended(['9110 9.3.6', 'CONNECT', first('CONNECT example.com:443 HTTP/1.1'), 405]),
    ended(['9110 9.3.6', 'CONNECT to a path', first('CONNECT /livez HTTP/1.1'), 405]),
    ended(['9110 9.1', 'a method in lower case', first('get /livez HTTP/1.1'), 400]),
    ended(['9110 9.1', 'an unknown method', first('FOO /livez HTTP/1.1'), 400]),
    ended(['9110 9.1', 'a method of 8 KiB', first(`${long(8_192)} /livez HTTP/1.1`), 400]),
    ended(['9112 3.1', 'no method', first(' /livez HTTP/1.1'), 400]),
    ...['ANNOUNCE', 'DESCRIBE', 'PLAY', 'SETUP', 'TEARDOWN'].map((method) =>
      ended(['9112 2.3', `${method} of RTSP`, first(`${method} /livez RTSP/1.0`), 400]),
    ),
    // Node's parser takes these for HTTP/1.0, whose requests they could be.
    ended(['9112 2.3', 'GET of RTSP', first('GET /livez RTSP/1.0'), 200]),
    ended(['9112 2.3', 'SOURCE of ICE', first('SOURCE /livez ICE/1.0'), 405]),
    ended(['9112 2.3', 'GET of ICE', first('GET /livez ICE/1.0'), 400]),
    ...['0.9', '1.2', '2.0', '3.0', '3.7', '9.9', '01.1', '1.01', '1.1.1', '1', '1,1', '-1.1', ' 1.1', '10.1'].map(
      (version) => ended(['9112 2.3', `the version ${version}`, first(`GET /livez HTTP/${version}`), 400]),
    ),
    ...['http/1.1', 'HTTp/1.1', 'HTTP', 'HTTP/', 'HTTPS/1.1', 'HTTP 1.1', 'H', ''].map((version) =>
      ended(['9112 2.3', `the protocol "${version}"`, first(`GET /livez ${version}`), 400]),
    ),
    ended(['9112 3', 'a request line of HTTP/0.9', lines('GET /livez', [field]), 400]),
    ended(['9112 3', 'a request line without a target', first('GET HTTP/1.1'), 400]),
    ended(['9112 3', 'a word too much', first('GET /livez x HTTP/1.1'), 400]),
    kept(['9112 3', 'two spaces before the version', first('GET /livez  HTTP/1.1'), 200]),
    ended(['9112 3', 'a space after the version', first('GET /livez HTTP/1.1 '), 400]),
    ended(['9112 3', 'a tab between method and target', first('GET\t/livez HTTP/1.1'), 400]),
    ended(['9112 2.2', 'a space before the method', first(' GET /livez HTTP/1.1'), 400]),
    kept(['9112 2.2', 'an empty line before the request line', `\r\n${get('/livez')}`, 200]),
    kept(['9112 2.2', 'ten empty lines before it', `${'\r\n'.repeat(10)}${get('/livez')}`, 200]),
    ended(['9112 2.2', 'a bare CR in the request line', first('GET /livez\r HTTP/1.1'), 400]),
    ended(['9112 2.2', 'a bare LF after the request line', `GET /livez HTTP/1.1\n${field}\r\n\r\n`, 400]),
    kept(['9112 3.2.1', 'the root', get('/'), 302]),
    kept(['9112 3.2.1', 'slashes', get('//////'), 404]),
    kept(['9112 3.2.1', 'two slashes before a known path', get('//v2/members', auth), 404]),
    kept(['9112 3.2.1', 'a slash after a known path', get('/v2/members/', auth), 200]),
    kept(['9112 3.2.1', 'dots in the path', get('/v2/../v2/members', auth), 404]),
    kept(['9112 3.2.1', 'escaped dots in the path', get('/v2/%2e%2e/v2/members', auth), 404]),
    kept(['9112 3.2.1', 'a known path in capitals', get('/V2/MEMBERS', auth), 404]),
    kept(['9112 3.2.1', 'a parameter of the path', get('/v2/members;a=b', auth), 404]),
    kept(['9110 4.2.3', 'a known path with an escaped letter', get('/v2/member%73', auth), 200]),
    kept(['9112 3.2.1', 'an empty query', get('/v2/members?', auth), 200]),
    ended(['9112 3.2', 'a target without a slash', get('v2/members'), 400]),
    ended(['9112 3.2.3', 'an authority as target', get('example.com:80'), 400]),
    ended(['9112 3.2.4', 'the asterisk for GET', get('*'), 400]),
    kept(['9112 3.2.4', 'the asterisk for OPTIONS', first('OPTIONS * HTTP/1.1'), 404]),
    kept(['9112 3.2.2', 'an absolute target', get('http://roster.test/v2/members', auth), 200]),
    kept(['9112 3.2.2', 'one with another Host', get('http://roster.test/livez'), 200]),
    kept(['9112 3.2.2', 'one in capitals with a port', get('HTTP://ROSTER.TEST:80/livez'), 200]),
    kept(['9112 3.2.2', 'one of https', get('https://roster.test/livez'), 200]),
    kept(['9112 3.2.2', 'one without a path', get('http://roster.test'), 302]),
    kept(['9112 3.2.2', 'one with a query and no path', get('http://roster.test?a=b'), 302]),
    ended(['9110 4.2.1', 'one without a host', get('http:///livez'), 400]),
    ended(['9110 4.2.4', 'one with a user', get('http://ada:secret@roster.test/livez'), 400]),
    ended(['9112 3.2.2', 'one with two users', get('http://a@b@roster.test/livez'), 400]),
    ended(['9112 3.2.2', 'one of another scheme', get('ftp://roster.test/livez'), 400]),
    ended(['9112 3.2.2', 'one of a scheme alone', get('http:'), 400]),
    kept(['interface', 'a path of 2,048 bytes', get(`/${long(2_047)}`), 404]),
    kept(['9110 15.5.15', 'a path of 2,049 bytes', get(`/${long(2_048)}`), 414]),
    kept(['9110 15.5.15', 'a path of 12 KiB', get(`/v2/${long(12_000)}`, auth), 414]),
    ended(['interface', 'a path over 16 KiB', get(`/${long(17_000)}`), 431]),
    kept(['interface', 'an id of 101 characters', get(`/v2/chatbots/${long(101)}/contacts/x`, auth), 404]),
    kept(['interface', 'an id of 1,900 characters', get(`/v2/chatbots/shop/contacts/${long(1_900)}`, auth), 404]),
    kept(['interface', 'an empty id', get('/v2/chatbots//contacts/x', auth), 404]),
    kept(['interface', 'a query of 8 KiB', get(`/v2/members?${'a=b&'.repeat(2_000)}`, auth), 200]),
    ...['%zz', '%', '%2', '%ff', '%c0%af', '%ed%a0%80', '%f5%80%80%80', '%80', '%%30'].flatMap((escape) => [
      ended(['interface', `${escape} in a path`, get(`/v2/members${escape}`, auth), 400]),
      ended(['interface', `${escape} in an id`, get(`/v2/chatbots/${escape}/contacts/x`, auth), 400]),
      ended(['interface', `${escape} in an ignored parameter`, get(`/v2/members?x=${escape}`, auth), 400]),
      ended(['interface', `${escape} in a page`, get(`/v2/members?page=${escape}`, auth), 400]),
    ]),
    ...[
      '0',
      '-1',
      '1e3',
      '+1',
      '%201',
      '1%20',
      '',
      '1.0',
      '0x1',
      '01',
      '1_0',
      'NaN',
      '9007199254740992',
      '1&page=2',
    ].map((page) => kept(['interface', `page=${page}`, get(`/v2/members?page=${page}`, auth), 422])),
    ...['%00', 'a%2f..%2fb', '%20', "'%20or%201=1--", '%ef%bf%bf', '%f0%9f%92%a5', '..', '%0d%0aX-A:%20b'].map((id) =>
      kept(['interface', `the id ${id}`, get(`/v2/chatbots/${id}/contacts/x`, auth), 404]),
    ),
    ended(['9112 2.2', 'the first bytes of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400]),
    ended(['9113 3.4', 'the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400]),
    ended(['9113 3.4', 'the preface and SETTINGS', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0', 400]),
    ended(['PROXY 2.1', 'a PROXY line', `PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\n${get('/livez')}`, 400]),
    ended(['PROXY 2.2', 'a PROXY header of version 2', `\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c${get('/livez')}`, 400]),
    ended(['9112 2.2', 'zero bytes', '\0'.repeat(64), 400]),
    ended(['9112 2.2', 'high bytes', '\xff'.repeat(64), 400]),
    ended(['9112 2.2', 'a mail', 'EHLO example.com\r\n', 400]),
    ended(['9112 2.2', 'JSON', '{"hello":"world"}\r\n\r\n', 400]),
    ended(['9112 2.2', 'an answer', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', 400]),
  ];
}

function ofTarget(byte: string, bytes: string): RequestCase {
  const rule = '9112 3.2';
  const what = `${nameOf(byte)} in the target`;
  // `/nowhere 00 HTTP/1.1` has a word too much.
  if (byte === ' ') return ended([rule, what, bytes, 400]);
  const isVisible = byte > ' ' && byte < '\x7f' && byte !== '#';
  if (isVisible) return kept([rule, what, bytes, 404]);
  return ended([rule, what, bytes, 400]);
}

function ofVersion(byte: string, bytes: string): RequestCase {
  const rule = '9112 2.3';
  const what = `${nameOf(byte)} as minor version`;
  if (byte === '1') return kept([rule, what, bytes, 200]);
  return ended([rule, what, bytes, byte === '0' ? 200 : 400]);
}
