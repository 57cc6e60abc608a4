import { lines } from './request-case.ts';

/** A request that some take for two: with another inside, which only who errs about its end sees. */
export interface Variant {
  what: string;
  rule: string;
  /** The status that Roster gives it where nobody stands in front. */
  status: number;
  /** By the ids that the two give themselves. */
  bytes: (id: string, hidden: string) => string;
}

const chunked = 'Transfer-Encoding: chunked';
const inner = (hidden: string) => lines('GET /livez HTTP/1.1', ['Host: x', `X-Request-Id: ${hidden}`]);
const outer = (id: string, fields: readonly string[], body: string, first = 'POST /v2/usage/user-seats HTTP/1.1') =>
  lines(first, ['Host: x', `X-Request-Id: ${id}`, ...fields], body);
const chunk = (data: string, size = data.length.toString(16)) => `${size}\r\n${data}\r\n0\r\n\r\n`;

/** Its length covers what comes behind its last chunk. */
function lengthOrChunks(...fields: string[]): Variant['bytes'] {
  return (id, hidden) => {
    const body = `0\r\n\r\n${inner(hidden)}`;
    return outer(id, [...fields, `Content-Length: ${body.length}`], body);
  };
}

/** Its length ends before the chunk that has the other. */
function chunksOrLength(...fields: string[]): Variant['bytes'] {
  return (id, hidden) => {
    const body = chunk(inner(hidden));
    return outer(id, [...fields, `Content-Length: ${body.indexOf('\n') + 1}`], body);
  };
}

/** The other is the body, by a length that not everybody sees or reads alike. */
function withLength(line: (length: number) => string, first?: string): Variant['bytes'] {
  return (id, hidden) => outer(id, [line(inner(hidden).length)], inner(hidden), first);
}

function withChunks(body: (hidden: string) => string, ...fields: string[]): Variant['bytes'] {
  return (id, hidden) => outer(id, [chunked, ...fields], body(inner(hidden)));
}

const both: Variant[] = [
  { what: 'CL.TE', rule: '9112 6.3', status: 400, bytes: lengthOrChunks(chunked) },
  { what: 'TE.CL', rule: '9112 6.3', status: 400, bytes: chunksOrLength(chunked) },
  ...(
    [
      ['Transfer-Encoding:\tchunked', 400],
      ['Transfer-Encoding: \x0bchunked', 400],
      ['Transfer-Encoding: chunked\0', 400],
      ['Transfer-Encoding: xchunked', 400],
      ['Transfer-Encoding: "chunked"', 400],
      ['Transfer-Encoding: chunked;q=1', 400],
      ['Transfer-Encoding: CHUNKED', 400],
      ['Transfer-Encoding: identity', 400],
      ['Transfer-Encoding: chunked, identity', 400],
      ['Transfer-Encoding: identity, chunked', 400],
      ['Transfer-Encoding: ,chunked', 400],
      ['Transfer-Encoding: chunked\r\nTransfer-Encoding: cow', 400],
      ['Transfer-Encoding: cow\r\nTransfer-Encoding: chunked', 400],
      ['Transfer-Encoding : chunked', 400],
      ['Transfer-Encoding\t: chunked', 400],
      ['Transfer-Encoding\0: chunked', 400],
      ['Transfer-Encoding\r\n : chunked', 400],
      ['Transfer-Encoding:\r\n chunked', 400],
      ['X-A: b\r\n Transfer-Encoding: chunked', 400],
      ['X-A: b\nTransfer-Encoding: chunked', 400],
      ['X-A: b\rTransfer-Encoding: chunked', 400],
      ['Transfer-Encoding: chunked\n', 400],
      // Another header than it seems: the length alone decides.
      ['Transfer_Encoding: chunked', 405],
      ['Content-Encoding: chunked', 405],
    ] as const
  ).map(([line, status]): Variant => ({
    what: `TE.TE, ${JSON.stringify(line)}`,
    rule: '9112 6.1',
    status,
    bytes: lengthOrChunks(line),
  })),
];

const lengths: Variant[] = [
  ...(
    [
      [(length) => `Content-Length: 0\r\nContent-Length: ${length}`, 400],
      [(length) => `Content-Length: ${length}\r\nContent-Length: 0`, 400],
      [(length) => `Content-Length: ${length}, ${length}`, 400],
      [(length) => `Content-Length : ${length}`, 400],
      [(length) => `Content-Length: +${length}`, 400],
      [(length) => `Content-Length: 0x${length.toString(16)}`, 400],
      [(length) => `Content-Length: ${2n ** 64n + BigInt(length)}`, 400],
      [(length) => `Content-Length:\r\n ${length}`, 400],
      [(length) => `Content-Length: ${length}\x0b`, 400],
      // Allowed, and one length for all.
      [(length) => `Content-Length: 000${length}`, 405],
      [(length) => `Connection: Content-Length\r\nContent-Length: ${length}`, 405],
      [(length) => `Expect: 100-continue\r\nContent-Length: ${length}`, 405],
    ] as [(length: number) => string, number][]
  ).map(([line, status]): Variant => ({
    what: `CL, ${JSON.stringify(line(50))}`,
    rule: '9112 6.2',
    status,
    bytes: withLength(line),
  })),
  {
    what: '0.CL, a GET whose body is a request',
    rule: '9110 9.3.1',
    status: 200,
    bytes: withLength((length) => `Content-Length: ${length}`, 'GET /livez HTTP/1.1'),
  },
];

const chunks: Variant[] = [
  {
    what: 'a size with 0x',
    rule: '9112 7.1',
    status: 400,
    bytes: withChunks((data) => chunk(data, `0x${data.length.toString(16)}`)),
  },
  {
    what: 'a size with +',
    rule: '9112 7.1',
    status: 400,
    bytes: withChunks((data) => chunk(data, `+${data.length.toString(16)}`)),
  },
  {
    what: 'a size of 65 bits',
    rule: '9112 7.1',
    status: 400,
    bytes: withChunks((data) => `10000000000000000\r\n\r\n${data}`),
  },
  {
    what: 'a size with zeros before it',
    rule: '9112 7.1',
    status: 405,
    bytes: withChunks((data) => chunk(data, `0000${data.length.toString(16)}`)),
  },
  {
    what: 'a bare LF in an extension',
    rule: '9112 7.1.1',
    status: 400,
    bytes: withChunks((data) => `0;a\n\r\n${data}`),
  },
  {
    what: 'a bare LF after a size',
    rule: '9112 7.1',
    status: 400,
    bytes: withChunks((data) => `0\n\r\n${data}`),
  },
  {
    what: 'a request in a trailer',
    rule: '9112 7.1.2',
    status: 400,
    bytes: withChunks((data) => `0\r\n${data}`),
  },
  {
    what: 'a length in a trailer',
    rule: '9110 6.5.1',
    status: 400,
    bytes: withChunks((data) => `0\r\nContent-Length: ${data.length}\r\n\r\n${data}`),
  },
];

const versions: Variant[] = [
  {
    what: 'chunks in HTTP/1.0',
    rule: '9112 6.1',
    status: 400,
    bytes: (id, hidden) =>
      outer(id, [chunked, 'Connection: keep-alive'], chunk(inner(hidden)), 'POST /v2/usage/user-seats HTTP/1.0'),
  },
  {
    what: 'an upgrade to h2c with a body',
    rule: '9110 7.8',
    status: 405,
    bytes: withLength(
      (length) =>
        `Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\nContent-Length: ${length}`,
    ),
  },
  {
    what: 'a line break in an absolute target against Host',
    rule: '9112 3.2.2',
    status: 404,
    bytes: (id, hidden) =>
      outer(id, [], '', `GET http://other.test/%20HTTP/1.1%0d%0aX-Request-Id:%20${hidden}%0d%0a%0d%0a HTTP/1.1`),
  },
];

export const variants: readonly Variant[] = [...both, ...lengths, ...chunks, ...versions];
