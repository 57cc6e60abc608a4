import { ended, type Ingredients, kept, lines, type RequestCase } from './request-case.ts';

const rule = 'search';

/** Searches with right and wrong bodies, and search requests with a wrong type, method or key. */
export function searchCases({ host, token, path }: Ingredients): RequestCase[] {
  // The path names no chatbot when the run is against an instance that it did not fill.
  if (!path.includes('/contacts/')) return [];
  const search = path.replace(/[^/]*$/, 'search');
  const fields = [`Host: ${host}`, `Authorization: Bearer ${token}`];
  const post = (body: string, type = 'application/json') =>
    lines(`POST ${search} HTTP/1.1`, [...fields, `Content-Type: ${type}`, `Content-Length: ${body.length}`], body);
  const of = (status: number, bodies: readonly string[]) =>
    bodies.map((body) => (status === 400 ? ended : kept)([rule, `the body ${body.slice(0, 60)}`, post(body), status]));
  return [
    ...of(200, ['{}', '{"query":null}', '{"query":""}', '{"query":"*"}', '{"query":"\\" OR a*","limit":1}']),
    ...of(400, ['[]', '"a"', 'null', '{', '{"query":}', '{"query":"\xff"}']),
    ...of(422, ['{"query":1}', '{"query":["a"]}', '{"query":{}}', '{"query":"\\u0000"}', '{"unknown_member":"a"}']),
    ...of(422, ['{"limit":0}', '{"limit":101}', '{"limit":"1"}', '{"limit":1.5}', '{"limit":1e400}', '{"sort":"a"}']),
    // An empty text is null, and null is missing.
    ...of(200, ['{"cursor":""}', '{"cursor":null}', '{"tag":""}', '{"limit":null}']),
    ...of(422, ['{"cursor":"a"}', '{"cursor":"%"}', '{"tag":"a,b"}', '{"tag":["a"]}']),
    ...of(422, ['{"created_after":"soon"}', '{"created_before":"2026-02-30"}', '{"created_before":1}']),
    ...of(422, [
      `{"query":"${'a'.repeat(65)}"}`,
      `{"query":"${'a '.repeat(501)}"}`,
      '{"query":"a b c d e f g h i j k"}',
    ]),
    kept([rule, 'no JSON', post('{}', 'text/plain'), 415]),
    kept([rule, 'another method', lines(`PUT ${search} HTTP/1.1`, fields), 405]),
    kept([rule, 'no key', lines(`POST ${search} HTTP/1.1`, [`Host: ${host}`, 'Content-Length: 2'], '{}'), 401]),
  ];
}
