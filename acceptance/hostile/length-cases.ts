import { ended, type Ingredients, kept, lines, type RequestCase } from './request-case.ts';

const hello = '5\r\nhello\r\n0\r\n\r\n';
const chunked = 'Transfer-Encoding: chunked';
/** White space, and what some take for it. */
const spaces = [' ', '\t', '\x0b', '\0', '\xa0', '\r', '\n'];
const noLengths = `-1|+1|0x1|1e0|1.0|1,1|1, 1|1 1|1;1||x|"1"|1\x0b|\x0b1|\xd9\xa1|${'9'.repeat(23)}|18446744073709551616|18446744073709551617`;
const noCodings =
  'foo|identity|gzip|xchunked|chunkedx|chunked x|chunked;q=1|chunked;|"chunked"|\'chunked\'|chunked, chunked|chunked,chunked|chunked, identity|identity, chunked|gzip, chunked|chunked, gzip|deflate, gzip, chunked|chunked,|,chunked|, chunked|chunked\x0b|\x0bchunked|chunked\0|\xa0chunked|chunked\xa0|c hunked|chun\tked||,|chunked/1|x;chunked|chunked=1|(chunked)|ch\xfcnked';

/** How long a body is said to be: by Content-Length and Transfer-Encoding. */
export function lengthCases({ host, path }: Ingredients): RequestCase[] {
  const field = `Host: ${host}`;
  const post = (fields: readonly string[], body: string, version = '1.1') =>
    lines(`POST /v2/usage/user-seats HTTP/${version}`, [field, ...fields], body);
  const refused = (rule: string, what: string, fields: readonly string[], body = hello) =>
    ended([rule, what, post(fields, body), 400]);
  const taken = (rule: string, what: string, fields: readonly string[], body: string) =>
    kept([rule, what, post(fields, body), 405]);
  const get = (fields: readonly string[], body: string) => lines('GET /livez HTTP/1.1', [field, ...fields], body);
  return [
    taken('9112 6.2', 'a body of a known length', ['Content-Length: 5'], 'hello'),
    taken('9112 6.2', 'a length with zeros before it', ['Content-Length: 0005'], 'hello'),
    taken('9112 6.2', 'a length of zero', ['Content-Length: 0'], ''),
    taken('9112 6.2', 'white space after the length', ['Content-Length: 5 \t'], 'hello'),
    taken('9112 6.2', 'a body of 64 KiB', ['Content-Length: 65536'], 'x'.repeat(65_536)),
    taken('9110 8.4', 'a compressed body', ['Content-Length: 2', 'Content-Encoding: gzip'], 'hi'),
    taken('9110 8.3', 'JSON that is none', ['Content-Length: 1', 'Content-Type: application/json'], '{'),
    kept([
      '9110 15.5.5',
      'a body for nothing',
      lines('POST /nowhere HTTP/1.1', [field, 'Content-Length: 2'], 'hi'),
      404,
    ]),
    kept(['9110 9.3.1', 'a body with GET', get(['Content-Length: 2'], 'hi'), 200]),
    kept([
      '9110 9.3.1',
      'a request as body of a GET',
      get([`Content-Length: ${get([], '').length}`], get([], '')),
      200,
    ]),
    kept(['9110 9.3.1', 'a chunked body with GET', get([chunked], hello), 200]),
    kept([
      '9110 10.1.1',
      '100-continue and a body',
      post(['Expect: 100-continue', 'Content-Length: 2'], 'hi'),
      100,
      405,
    ]),
    kept([
      '9110 10.1.1',
      '100-continue, GET and a body',
      get(['Expect: 100-continue', 'Content-Length: 2'], 'hi'),
      100,
      200,
    ]),
    ended(['9110 10.1.1', 'another expectation and a body', post(['Expect: x', 'Content-Length: 2'], 'hi'), 417]),
    ...noLengths
      .split('|')
      .map((length) => refused('9112 6.3', `the length "${length}"`, [`Content-Length: ${length}`], 'x')),
    refused('9112 6.3', 'two lengths', ['Content-Length: 1', 'Content-Length: 2'], 'ab'),
    refused('9112 6.3', 'two equal lengths', ['Content-Length: 1', 'Content-Length: 1'], 'a'),
    refused('9112 6.3', 'two equal lengths, one in lower case', ['Content-Length: 1', 'content-length: 1'], 'a'),
    refused('9112 6.3', 'a length of zero and another', ['Content-Length: 0', 'Content-Length: 5'], 'hello'),
    refused('9112 6.3', 'length and coding', ['Content-Length: 4', chunked]),
    refused('9112 6.3', 'coding and length', [chunked, 'Content-Length: 4']),
    refused('9112 6.3', 'coding and a length of zero', [chunked, 'Content-Length: 0']),
    ...noCodings
      .split('|')
      .map((coding) => refused('9112 6.1', `the coding ${JSON.stringify(coding)}`, [`Transfer-Encoding: ${coding}`])),
    refused('9112 6.1', 'a coding in two lines', [chunked, chunked]),
    refused('9112 6.1', 'identity, then chunked', ['Transfer-Encoding: identity', chunked]),
    refused('9112 6.1', 'chunked, then identity', [chunked, 'Transfer-Encoding: identity']),
    refused('9112 6.1', 'an empty coding, then chunked', ['Transfer-Encoding:', chunked]),
    refused('9112 5.2', 'a folded coding', ['Transfer-Encoding:\r\n chunked']),
    refused('9112 5.2', 'a folded length', ['Content-Length:\r\n 5'], 'hello'),
    ...spaces.flatMap((space) => [
      refused('9112 5.1', `a length after ${JSON.stringify(space)}`, [`Content-Length${space}: 5`], 'hello'),
      refused('9112 5.1', `a coding after ${JSON.stringify(space)}`, [`Transfer-Encoding${space}: chunked`]),
    ]),
    ...['close', 'keep-alive'].map((connection) =>
      ended([
        '9112 6.1',
        `chunks in HTTP/1.0, ${connection}`,
        post([chunked, `Connection: ${connection}`], hello, '1.0'),
        400,
      ]),
    ),
    ended(['9112 6.1', 'GET with chunks in HTTP/1.0', lines(`GET ${path} HTTP/1.0`, [field, chunked], hello), 400]),
  ];
}
