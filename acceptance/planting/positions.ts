/** The lines of a request with a plant in it. */
export type Position = (plant: string, good: { token: string; path: string }) => readonly string[];

const end = 'Connection: close';
const encoded = (plant: string) => encodeURIComponent(plant);
/** What may stand in a name of a header or a method. */
const asToken = (plant: string) => plant.replaceAll(/[^\w-]/g, '-').replaceAll('_', '-');
const bearer = ({ token }: { token: string }) => `Authorization: Bearer ${token}`;
const host = 'Host: roster.test';

/** A request with something in a header of this name. */
const inHeader =
  (name: string): Position =>
  (plant, good) => [`GET ${good.path} HTTP/1.1`, host, bearer(good), `${name}: ${plant}`, end];
const inTarget =
  (target: (plant: string) => string): Position =>
  (plant, good) => [`GET ${target(plant)} HTTP/1.1`, host, bearer(good), end];
const asCredential =
  (line: (plant: string) => string): Position =>
  (plant, good) => [`GET ${good.path} HTTP/1.1`, host, line(plant), end];
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Every place of a request that somebody may put something into; each is the lines of a head, and what follows. */
export const positions: Readonly<Record<string, Position>> = {
  path: inTarget((plant) => `/${encoded(plant)}`),
  pathOfV2: inTarget((plant) => `/v2/${encoded(plant)}`),
  badPath: inTarget((plant) => `/v2/members%zz${encoded(plant)}`),
  longPath: inTarget((plant) => `/v2/members/${encoded(plant).repeat(60)}`),
  longerPath: inTarget((plant) => `/v2/members?x=${encoded(plant).repeat(600)}`),
  queryName: inTarget((plant) => `/v2/members?${encoded(plant)}=1`),
  tokenInUrl: (plant) => [`GET /v2/members?token=${encoded(plant)} HTTP/1.1`, host, end],
  userInfo: inTarget((plant) => `http://${encoded(plant)}:${encoded(plant)}@roster.test/v2/members`),
  fragment: inTarget((plant) => `/v2/members#${encoded(plant)}`),
  docs: inTarget((plant) => `/docs/${encoded(plant)}`),
  metrics: inTarget((plant) => `/metrics?${encoded(plant)}`),
  ...Object.fromEntries(
    [
      'Cookie',
      'Referer',
      'User-Agent',
      'X-Forwarded-For',
      'Forwarded',
      'X-Real-IP',
      'Origin',
      'If-None-Match',
      'Accept',
      'Accept-Language',
      'Content-Type',
      'Expect',
      'Upgrade',
      'Proxy-Authorization',
      'X-Api-Key',
      'Content-Length',
      'Transfer-Encoding',
      'Host',
      'Authorization',
      'traceparent',
    ].map((name) => [name, inHeader(name)] as const),
  ),
  badRequestId: inHeader('X-Request-Id: @'),
  longRequestId: (plant, good) => inHeader('X-Request-Id')(asToken(plant).repeat(9), good),
  headerName: (plant, good) => inHeader(asToken(plant))('1', good),
  brokenHeader: (plant, good) => [`GET ${good.path} HTTP/1.1`, host, `${plant} no colon`, end],
  folded: (plant, good) => [`GET ${good.path} HTTP/1.1`, host, 'X-Folded: a', ` ${plant}`, end],
  bigHeader: (plant, good) => inHeader('X-Big')(plant.repeat(500), good),
  bearer: asCredential((plant) => `Authorization: Bearer ${plant}`),
  lowerBearer: asCredential((plant) => `authorization: bearer   ${plant}  `),
  basic: asCredential((plant) => `Authorization: Basic ${base64(`user:${plant}`)}`),
  digest: asCredential((plant) => `Authorization: Digest username="${plant}", response="${plant}"`),
  bare: asCredential((plant) => `Authorization: ${plant}`),
  twoTokens: asCredential((plant) => `Authorization: Bearer ${plant} ${plant}`),
  onlyHost: asCredential((plant) => `Host: ${plant}`),
  method: (plant, good) => [`${asToken(plant).toUpperCase()} ${good.path} HTTP/1.1`, host, end],
  version: (plant, good) => [`GET ${good.path} HTTP/${plant}`, host, end],
  noRequest: (plant) => [plant],
  connect: (plant) => [`CONNECT ${encoded(plant)}:443 HTTP/1.1`, host, end],
  preflight: (plant, good) => [
    `OPTIONS ${good.path} HTTP/1.1`,
    host,
    `Origin: https://${asToken(plant)}.example`,
    `Access-Control-Request-Method: ${asToken(plant)}`,
    `Access-Control-Request-Headers: ${asToken(plant)}`,
    end,
  ],
  body: (plant, good) => {
    const body = JSON.stringify({ email: plant, [plant]: 1 });
    const length = `Content-Length: ${Buffer.byteLength(body)}`;
    return [`POST ${good.path} HTTP/1.1`, host, bearer(good), 'Content-Type: application/json', length, end, '', body];
  },
  badBody: (plant, good) => {
    const length = `Content-Length: ${Buffer.byteLength(plant)}`;
    return [`PUT ${good.path} HTTP/1.1`, host, bearer(good), 'Content-Type: application/json', length, end, '', plant];
  },
  chunks: (plant, good) => {
    const head = [`POST ${good.path} HTTP/1.1`, host, bearer(good), 'Transfer-Encoding: chunked', end, ''];
    return [...head, `1;name=${asToken(plant)}`, 'x', '0', `X-Trailer: ${plant}`, ''];
  },
  badChunk: (plant, good) => [`POST ${good.path} HTTP/1.1`, host, 'Transfer-Encoding: chunked', end, '', plant],
};

/** The bytes of a request. */
export function bytesOf(lines: readonly string[]): Buffer {
  const hasBody = lines.includes('');
  return Buffer.from(lines.join('\r\n') + (hasBody ? '\r\n' : '\r\n\r\n'));
}
