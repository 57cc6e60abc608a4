import { ended, type Ingredients, kept, lines, type RequestCase } from './request-case.ts';

/** Requests one behind the other, of which one is bad or the last. */
export function sequenceCases({ host, token, path }: Ingredients): RequestCase[] {
  const field = `Host: ${host}`;
  const live = (...fields: string[]) => lines('GET /livez HTTP/1.1', [field, ...fields]);
  const known = (...fields: string[]) =>
    lines(`GET ${path} HTTP/1.1`, [field, `Authorization: Bearer ${token}`, ...fields]);
  const foo = lines('FOO / HTTP/1.1', [field]);
  const tunnel = lines('CONNECT x:1 HTTP/1.1', ['Host: x:1']);
  const post = (...rest: string[]) => lines('POST /v2/usage/user-seats HTTP/1.1', [field, ...rest]);
  const broken = `${post('Transfer-Encoding: chunked')}zz\r\n`;
  return [
    kept(['9112 9.3.2', 'good ones', `${live()}${known()}${known()}${live()}`, 200, 200, 200, 200]),
    kept(['9112 9.3.2', 'good ones and an unknown path', `${live()}${lines('GET /x HTTP/1.1', [field])}`, 200, 404]),
    kept(['9112 9.3.2', 'one with a body', `${post('Content-Length: 2')}hi${known()}`, 405, 200]),
    ended(['9112 9.3.2', 'a bad one after good ones', `${live()}${known()}${foo}`, 200, 200, 400]),
    ended(['9112 9.3.2', 'a good one after a bad one', `${foo}${live()}`, 400]),
    ended(['9112 3.2', 'a good one after one of two Hosts', `${live('Host: x')}${live()}`, 400]),
    ended([
      '9112 6.1',
      'a good one after odd framing',
      `${post('Transfer-Encoding: gzip, chunked')}0\r\n\r\n${live()}`,
      400,
    ]),
    ended(['9112 9.6', 'a good one after the last', `${live('Connection: close')}${live()}`, 200]),
    ended(['9112 9.6', 'a good one with a key after the last', `${known('Connection: close')}${known()}`, 200]),
    ended(['9112 9.6', 'a bad one after the last', `${known('Connection: close')}${foo}`, 200]),
    ended(['9110 9.3.6', 'CONNECT after good ones', `${known()}${live()}${tunnel}`, 200, 200, 405]),
    ended(['9110 9.3.6', 'a good one after CONNECT', `${tunnel}${live()}`, 405]),
    ended([
      '9110 9.3.6',
      'CONNECT with a body',
      `${lines('CONNECT x:1 HTTP/1.1', ['Host: x', 'Content-Length: 5'])}hello${live()}`,
      405,
    ]),
    ended([
      '9110 9.3.6',
      'CONNECT with a part of its body',
      `${known()}${lines('CONNECT x:1 HTTP/1.1', ['Host: x', 'Content-Length: 9999'])}`,
      200,
      405,
    ]),
    ended(['9110 10.1.1', 'another expectation after good ones', `${known()}${live('Expect: x')}`, 200, 417]),
    ended(['9112 8', 'a broken body after good ones', `${live()}${known()}${broken}`, 200, 200, 400]),
    ended(['9112 8', 'a broken body', broken, 400]),
    ended(['9110 7.8', 'a good one after an upgrade', `${live('Connection: Upgrade', 'Upgrade: h2c')}${live()}`, 200]),
  ];
}
