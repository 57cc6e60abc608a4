import { ended, everyByte, type Ingredients, kept, lines, nameOf, type RequestCase } from './request-case.ts';

const long = (length: number) => 'x'.repeat(length);
const isTokenCharacter = (byte: string) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]$/.test(byte);
/** Tab, space, what can be seen, and obs-text. */
const isValueCharacter = (byte: string) => /^[\t\x20-\x7e\x80-\xff]$/.test(byte);

/** Names and values of headers, their number and size, and those that mean something. */
export function fieldCases({ host, token, path }: Ingredients): RequestCase[] {
  const field = `Host: ${host}`;
  const auth = `Authorization: Bearer ${token}`;
  const live = (...fields: string[]) => lines('GET /livez HTTP/1.1', [field, ...fields]);
  const known = (...fields: string[]) => lines(`GET ${path} HTTP/1.1`, [field, ...fields]);
  return [
    ...everyByte.map((byte) => {
      const right = isTokenCharacter(byte) || byte === ':';
      const bytes = live(`X-A${byte}C: v`);
      return (right ? kept : ended)(['9110 5.1', `${nameOf(byte)} in a name`, bytes, right ? 200 : 400]);
    }),
    ...everyByte.map((byte) => {
      const right = isValueCharacter(byte);
      const bytes = live(`X-A: a${byte}b`);
      return (right ? kept : ended)(['9110 5.5', `${nameOf(byte)} in a value`, bytes, right ? 200 : 400]);
    }),
    ...everyByte.map((byte) => {
      // What is no character of a key's form is refused as a key, or as a header.
      const right = isValueCharacter(byte);
      const bytes = known(`Authorization: Bearer ${token.slice(0, 8)}${byte}${token.slice(9)}`);
      const status = byte === token[8] ? 200 : right ? 401 : 400;
      return (right ? kept : ended)(['9110 11.4', `${nameOf(byte)} in the key`, bytes, status]);
    }),
    ended(['9112 5.1', 'a space before the colon', live('X-A : b'), 400]),
    ended(['9112 5.1', 'a tab before the colon', live('X-A\t: b'), 400]),
    ended(['9112 5.1', 'no colon', live('nonsense'), 400]),
    ended(['9112 5.1', 'no name', live(': value'), 400]),
    kept(['9112 5.1', 'no value', live('X-A:'), 200]),
    kept(['9112 5.1', 'no space after the colon', live('X-A:b'), 200]),
    kept(['9112 5.1', 'white space around the value', live('X-A: \t b \t '), 200]),
    ended(['9112 5.2', 'a folded value', live('X-A: b\r\n c'), 400]),
    ended(['9112 5.2', 'a value folded by a tab', live('X-A: b\r\n\tc'), 400]),
    ended(['9112 5.2', 'a folded Host', hosted(`Host:\r\n ${host}`), 400]),
    ended(['9112 5.2', 'a folded empty line', live('X-A: b\r\n '), 400]),
    ended(['9112 2.2', 'a space before the first header', hosted(` ${field}`), 400]),
    ended(['9112 2.2', 'a space before the first header, and one after', hosted(' X-A: b', field), 400]),
    ended(['9112 2.2', 'bare LFs only', `GET /livez HTTP/1.1\n${field}\n\n`, 400]),
    ended(['9112 2.2', 'a bare LF after a header', `GET /livez HTTP/1.1\r\n${field}\nX-A: b\r\n\r\n`, 400]),
    ended(['9112 2.2', 'a bare LF as the last line', `GET /livez HTTP/1.1\r\n${field}\r\n\n`, 400]),
    ended(['9112 2.2', 'a bare CR as the last line', `GET /livez HTTP/1.1\r\n${field}\r\n\rX`, 400]),
    ended(['9112 2.2', 'CR CR LF after a header', `GET /livez HTTP/1.1\r\n${field}\r\r\n\r\n`, 400]),
    ended(['9112 3.2', 'two Hosts', hosted(field, 'Host: other.test'), 400]),
    ended(['9112 3.2', 'two equal Hosts, one in lower case', hosted(field, field.toLowerCase()), 400]),
    ended(['9112 3.2', 'no Host', hosted(), 400]),
    ended(['9112 3.2', 'no Host on a path with a key', lines(`GET ${path} HTTP/1.1`, [auth]), 400]),
    ended(['9112 3.2', 'two Hosts on a path with a key', known('Host: x', auth), 400]),
    ended(['9112 3.2', 'no Host in HTTP/1.0', lines('GET /livez HTTP/1.0'), 200]),
    ended(['9112 3.2', 'two Hosts in HTTP/1.0', lines('GET /livez HTTP/1.0', [field, field]), 400]),
    kept(['9112 3.2', 'an empty Host', hosted('Host:'), 200]),
    kept(['9110 7.2', 'a Host with an address and a port', hosted('Host: [::1]:8080'), 200]),
    ...[
      'a b',
      'a/b',
      'a@b',
      'a, b',
      'a:b',
      'a:80:80',
      'a?b',
      'a#b',
      '[::1',
      '::1',
      '[x]',
      'a\\b',
      '\xe4',
      '"a"',
      '<a>',
    ].map((value) => ended(['9110 7.2', `the Host ${value}`, hosted(`Host: ${value}`), 400])),
    ended(['interface', 'two Authorizations', known(auth, auth), 400]),
    ended(['interface', 'two, the second in other case', known(auth, 'AUTHORIZATION: Bearer x'), 400]),
    ended(['interface', 'two on a path without a key', live(auth, auth), 400]),
    kept(['9110 11.1', 'the scheme in lower case', known(auth.replace('Bearer', 'bearer')), 200]),
    kept(['9110 11.1', 'the scheme in capitals', known(auth.replace('Bearer', 'BEARER')), 200]),
    ...[
      'Bearer',
      'Bearer ',
      `Basic ${token}`,
      token,
      `Bearer${token}`,
      `Bearer ${token} x`,
      `Bearer ${token},`,
      'Digest a="b"',
    ].map((value) => kept(['9110 11.4', 'another credential', known(`Authorization: ${value}`), 401])),
    kept(['interface', 'the key in Proxy-Authorization', known(`Proxy-${auth}`), 401]),
    kept(['interface', 'the key in a cookie', known(`Cookie: token=${token}`), 401]),
    ended(['9110 10.1.1', 'another expectation', live('Expect: foo'), 417]),
    ended(['9110 10.1.1', 'another expectation with a key', known(auth, 'Expect: 200-maybe'), 417]),
    kept(['9110 10.1.1', '100-continue without a body', live('Expect: 100-continue'), 100, 200]),
    ended(['9110 10.1.1', '100-continue in HTTP/1.0', lines('GET /livez HTTP/1.0', ['Expect: 100-continue']), 200]),
    ended([
      '9110 7.8',
      'an upgrade to h2c',
      live('Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'),
      200,
    ]),
    ended([
      '9110 7.8',
      'an upgrade to a web socket',
      known(
        auth,
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      ),
      200,
    ]),
    ended(['9110 7.8', 'an upgrade to TLS', live('Connection: Upgrade', 'Upgrade: TLS/1.0'), 200]),
    kept(['9110 7.8', 'an upgrade without Connection', live('Upgrade: websocket'), 200]),
    ended(['9112 9.6', 'Connection: close', live('Connection: close'), 200]),
    ended(['9112 9.6', 'close among others, in capitals', live('Connection: foo, CLOSE'), 200]),
    ended(['9112 9.3', 'HTTP/1.0', lines('GET /livez HTTP/1.0', [field]), 200]),
    kept(['9112 9.3', 'HTTP/1.0 that is kept', lines('GET /livez HTTP/1.0', [field, 'Connection: keep-alive']), 200]),
    kept(['9110 7.6.1', 'Connection names Authorization', known(auth, 'Connection: Authorization'), 200]),
    kept(['9110 7.6.1', 'Connection names Host', live('Connection: Host'), 200]),
    kept(['9110 6.6.2', 'a Trailer without trailers', live('Trailer: X-A'), 200]),
    kept(['9110 14.2', 'a Range', known(auth, 'Range: bytes=0-1'), 200]),
    kept(['9110 12.5.1', 'an Accept that cannot be met', known(auth, 'Accept: text/html'), 200]),
    kept(['9110 13.1.2', 'If-None-Match: *', known(auth, 'If-None-Match: *'), 304]),
    kept(['9110 13.1.2', 'an If-None-Match of 8 KiB', known(auth, `If-None-Match: ${'"x",'.repeat(2_000)}`), 200]),
    kept(['interface', 'a method override', known(auth, 'X-HTTP-Method-Override: DELETE'), 200]),
    kept([
      'interface',
      'another URL in a header',
      lines('GET /nowhere HTTP/1.1', [field, auth, `X-Original-URL: ${path}`]),
      404,
    ]),
    kept(['interface', 'two request ids', live('X-Request-Id: a', 'X-Request-Id: b'), 200]),
    kept(['interface', 'a request id of 129 characters', live(`X-Request-Id: ${long(129)}`), 200]),
    kept(['interface', 'a request id of other characters', live('X-Request-Id: <a>"b"'), 200]),
    kept(['interface', 'a header of 15 KiB', live(`X-A: ${long(15_000)}`), 200]),
    ended(['interface', 'a header over 16 KiB', live(`X-A: ${long(17_000)}`), 431]),
    ended(['interface', 'a key over 16 KiB', known(`Authorization: Bearer ${long(17_000)}`), 431]),
    ended(['interface', 'headers over 16 KiB', live(...many(900, (i) => `X-${i}: ${long(20)}`)), 431]),
    ended(['interface', 'short headers over 16 KiB', live(...many(4_500, () => 'a:')), 431]),
    ended(['interface', '1,100 headers before a second Host', live(...many(1_100, () => 'a:'), 'Host: x'), 431]),
    ended(['interface', '2,100 headers before a second Host', live(...many(2_100, () => 'a:'), 'Host: x'), 431]),
    kept(['interface', '200 headers', live(...many(200, (i) => `X-${i}: ${i}`)), 200]),
    kept([
      '9110 5.3',
      'names that are of every object',
      live('__proto__: a', 'constructor: b', 'hasOwnProperty: c', 'toString: d'),
      200,
    ]),
  ];
}

function hosted(...fields: string[]): string {
  return lines('GET /livez HTTP/1.1', fields);
}

function many(count: number, line: (index: number) => string): string[] {
  return Array.from({ length: count }, (_, index) => line(index));
}
