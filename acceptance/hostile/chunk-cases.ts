import { ended, type Ingredients, kept, lines, type RequestCase } from './request-case.ts';

const chunked = 'Transfer-Encoding: chunked';
const noSizes =
  'zz|0x5|+5|-5| 5|5 |\t5|5\t|5 ;a|5h|g|5.0|5,0|"5"||;a|\x0b5|\xa05|5\0|\xd9\xa5|fffffffffffffffff|10000000000000005|ffffffffffffffff5|80000000000000000';

const taken: readonly (readonly [what: string, body: string])[] = [
  ['a chunk', '5\r\nhello\r\n0\r\n\r\n'],
  ['chunks', '5\r\nhello\r\n1\r\n!\r\n0\r\n\r\n'],
  ['no chunk but the last', '0\r\n\r\n'],
  ['a last chunk of many zeros', '00000\r\n\r\n'],
  ['zeros before a size', '0005\r\nhello\r\n0\r\n\r\n'],
  ['a size in capitals', `A\r\n${'x'.repeat(10)}\r\n0\r\n\r\n`],
  ['a size in lower case', `a\r\n${'x'.repeat(10)}\r\n0\r\n\r\n`],
  ['a chunk extension', '5;a=b\r\nhello\r\n0;c\r\n\r\n'],
  ['a quoted chunk extension', '5;a="b;c"\r\nhello\r\n0\r\n\r\n'],
  ['a request in a chunk', '1b\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n\r\n0\r\n\r\n'],
  ['a trailer', '0\r\nX-A: b\r\n\r\n'],
  ['trailers that mean something in a head', '0\r\nHost: x\r\nExpect: x\r\nAuthorization: x\r\n\r\n'],
];

const refused: readonly (readonly [what: string, body: string])[] = [
  ['a bare LF after the size', '5\nhello\r\n0\r\n\r\n'],
  ['a bare CR after the size', '5\rhello\r\n0\r\n\r\n'],
  ['CR CR LF after the size', '5\r\r\nhello\r\n0\r\n\r\n'],
  ['a bare LF after the chunk', '5\r\nhello\n0\r\n\r\n'],
  ['nothing after the chunk', '5\r\nhello0\r\n\r\n'],
  ['a chunk longer than its size', '5\r\nhelloo\r\n0\r\n\r\n'],
  ['a chunk with an empty line after it', '5\r\nhello\r\n\r\n0\r\n\r\n'],
  ['a bare LF after the last chunk', '0\n\r\n'],
  ['a bare LF as the end', '0\r\n\n'],
  ['a bare LF in a trailer', '0\r\nX-A: b\n\r\n'],
  ['a trailer without a colon', '0\r\nnonsense\r\n\r\n'],
  ['a folded trailer', '0\r\nX-A: b\r\n c\r\n\r\n'],
  ['a space before the colon of a trailer', '0\r\nX-A : b\r\n\r\n'],
  ['a length as trailer', '0\r\nContent-Length: 50\r\n\r\n'],
  ['a line feed in a chunk extension', '5;a=b\nc\r\nhello\r\n0\r\n\r\n'],
  ['a carriage return in a chunk extension', '5;a=b\rc\r\nhello\r\n0\r\n\r\n'],
  ['a line feed in a quoted chunk extension', '5;a="b\nc"\r\nhello\r\n0\r\n\r\n'],
  ['a zero byte in a chunk extension', '5;a\0\r\nhello\r\n0\r\n\r\n'],
];

/** Bodies in chunks, well and badly made. */
export function chunkCases({ host, token, path }: Ingredients): RequestCase[] {
  const field = `Host: ${host}`;
  const post = (body: string) => lines('POST /v2/usage/user-seats HTTP/1.1', [field, chunked], body);
  const long = 'a'.repeat(17_000);
  const keyAsTrailer = `0\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  return [
    ...taken.map(([what, body]) => kept(['9112 7.1', what, post(body), 405])),
    ...refused.map(([what, body]) => ended(['9112 7.1', what, post(body), 400])),
    ...noSizes
      .split('|')
      .map((size) =>
        ended(['9112 7.1', `the size ${JSON.stringify(size)}`, post(`${size}\r\nhello\r\n0\r\n\r\n`), 400]),
      ),
    ...['cHUNKED', 'Chunked', 'CHUNKED', ' chunked '].map((coding) =>
      kept(['9112 6.1', `the coding ${coding}`, post(taken[0]?.[1] ?? '').replace(': chunked', `: ${coding}`), 405]),
    ),
    kept(['9110 6.5.1', 'a key as trailer', lines(`GET ${path} HTTP/1.1`, [field, chunked], keyAsTrailer), 401]),
    ended(['interface', 'a chunk extension over 16 KiB', post(`5;${long}\r\nhello\r\n0\r\n\r\n`), 413]),
    ended(['interface', 'trailers over 16 KiB', post(`0\r\nX-A: ${long}\r\n\r\n`), 431]),
  ];
}
