import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { exchange } from '../../support/raw.ts';
import { gate, get, openClient, openServer } from './support.ts';

const broken = 'FOO / HTTP/1.1\r\n\r\n';
const connectRequest = 'CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\nX-Request-Id: mine\r\n\r\n';
const post = (rest: string) => `POST /body HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${rest}`;
const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status);

describe('what is rejected before it is a request of ours', () => {
  it.each([
    ['an unknown method', broken, 400, 'malformed_request'],
    ['a method of RTSP', 'PLAY / RTSP/1.0\r\nHost: x\r\n\r\n', 400, 'malformed_request'],
    ['TLS', '\x16\x03\x01\x02\x00\x01', 400, 'malformed_request'],
    ['headers over 16 KiB', get('/', `X-A: ${'x'.repeat(17_000)}`), 431, 'headers_too_large'],
    ['long chunk extensions', post(`1;${'x'.repeat(17_000)}\r\n`), 413, 'payload_too_large'],
    ['an expectation', get('/', 'Expect: foo'), 417, 'expectation_failed'],
    ['CONNECT', connectRequest, 405, 'method_not_allowed'],
    ['a CONNECT with a body', `${connectRequest.slice(0, -2)}Content-Length: 5\r\n\r\n`, 405, 'method_not_allowed'],
  ])('is answered in the envelope, and ends the connection: %s', async (_what, bytes, status, code) => {
    const { serve, open } = gate();
    open();
    await using server = await openServer({ serve });
    const answers = await exchange(server.port, bytes + get('/after'));
    expect(answers).toMatchObject([{ status, closed: true }]);
    const { headers = {}, body = '' } = answers[0] ?? {};
    expect(headers).toMatchObject({
      connection: 'close',
      date: expect.stringMatching(/ GMT$/),
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': expect.stringMatching(/^[\w.-]+$/),
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(JSON.parse(body)).toMatchObject({ status: 'error', code, request_id: headers['x-request-id'] });
    expect(server.answered).toMatchObject([{ status, method: null, route: null }]);
  });

  it('has 405 for CONNECT name the methods, by the id of the request', async () => {
    await using server = await openServer();
    const answer = await server.ask(connectRequest);
    expect(answer?.headers).toMatchObject({ allow: 'GET, HEAD', 'x-request-id': 'mine' });
  });

  it('has CORS headers where there is an origin', async () => {
    const corsHeaders = (origin = '') => ['access-control-allow-origin', origin];
    await using server = await openServer({ corsHeaders, limits: { inFlightMax: 0 } });
    for (const bytes of [get('/', 'Origin: https://a.b'), get('/', 'Origin: https://a.b', 'Expect: foo')]) {
      const answer = await server.ask(bytes);
      expect(answer?.headers).toMatchObject({ 'access-control-allow-origin': 'https://a.b' });
    }
  });

  it.each([
    ['broken bytes', broken, 400],
    ['CONNECT', connectRequest, 405],
    ['an unmet expectation', get('/', 'Expect: foo'), 417],
  ])('is answered after the requests before it: %s', async (_what, bytes, status) => {
    const { serve, arrived, open } = gate();
    await using server = await openServer({ serve });
    const client = exchange(server.port, get('/held') + get('/') + bytes);
    await expect.poll(() => arrived.length).toBe(2);
    await sleep(20);
    open();
    expect(statuses(await client)).toEqual([200, 200, status]);
  });

  it('takes the place of the answer to the request whose body it breaks', async () => {
    await using server = await openServer();
    expect(statuses(await exchange(server.port, post('zz\r\n')))).toEqual([400]);
    expect(statuses(await exchange(server.port, get('/') + get('/') + post('zz\r\n')))).toEqual([200, 200, 400]);
  });

  it('only ends the connection where that answer is given', async () => {
    await using server = await openServer();
    const client = await openClient(server.port);
    client.socket.write(post(''));
    await expect.poll(() => client.received).toContain('/body');
    client.socket.write('zz\r\n');
    await expect.poll(() => client.isClosed).toBe(true);
    expect(client.received.split('HTTP/1.1 ').length).toBe(2);
  });

  it('is nothing of what follows the last request', async () => {
    await using server = await openServer();
    const answers = await exchange(server.port, get('/', 'Connection: close') + get('/'));
    expect(answers).toMatchObject([{ status: 200, closed: true }]);
  });

  it('is an upgrade never: it is ignored, and the connection ends', async () => {
    await using server = await openServer();
    const upgrade = get('/', 'Connection: Upgrade', 'Upgrade: h2c');
    const answers = await exchange(server.port, upgrade + get('/'));
    expect(answers).toMatchObject([{ status: 200, closed: true, headers: { connection: 'close' } }]);
  });

  it('is a head that does not arrive in time', async () => {
    await using server = await openServer({
      nodeOptions: { headersTimeout: 50, connectionsCheckingInterval: 20 },
    });
    const answer = await server.ask('GET / HTTP/1.1\r\n');
    expect(answer).toMatchObject({ status: 408, closed: true });
    expect(JSON.parse(answer?.body ?? '')).toMatchObject({ code: 'request_timeout' });
  });
});

describe('a connection that is ended', () => {
  it.each([
    ['broken bytes', broken],
    ['CONNECT', connectRequest],
  ])('is closed within a second though its caller never ends it: %s', async (_what, bytes) => {
    await using server = await openServer();
    const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => undefined).resume();
    const [ofServer] = await once(server.server, 'connection');
    socket.write(bytes);
    await once(socket, 'end');
    const endedAt = performance.now();
    if (!ofServer.destroyed) await once(ofServer, 'close');
    // Twice the time, as others use the machine too.
    expect(performance.now() - endedAt).toBeLessThan(2_000);
    socket.destroy();
  });

  it('has given its answer though the broken bytes go on and on', async () => {
    await using server = await openServer();
    for (let tried = 0; tried < 5; tried++) {
      const client = await openClient(server.port);
      client.socket.write(broken);
      const writing = setInterval(() => client.socket.write('x'.repeat(10_000)), 1);
      await expect.poll(() => client.isClosed).toBe(true);
      clearInterval(writing);
      expect(client.received).toMatch(/^HTTP\/1\.1 400 /);
    }
  });

  it('keeps one trace of broken bytes that go on coming', async () => {
    const { serve, open } = gate();
    await using server = await openServer({ serve });
    const requested = once(server.server, 'request');
    const client = await openClient(server.port);
    client.socket.write(get('/held'));
    const [request, response] = (await requested) as [{ socket: EventTarget }, ServerResponse];
    const packets = async (count: number) => {
      for (let packet = 0; packet < count; packet++) {
        client.socket.write('\0');
        await sleep(2);
      }
      const names = response.eventNames();
      return names.map((name) => response.listenerCount(name)).join(' ');
    };
    expect(request.socket).toBeDefined();
    expect(await packets(5)).toBe(await packets(30));
    open();
    await expect.poll(() => client.isClosed).toBe(true);
    expect(client.received).toMatch(/^HTTP\/1\.1 200 .*HTTP\/1\.1 400 /s);
    expect(server.answered).toHaveLength(1);
  });

  it('by a reset in the middle of a CONNECT ends nothing else', async () => {
    await using server = await openServer();
    for (const body of ['', 'Content-Length: 5\r\n']) {
      for (let tried = 0; tried < 20; tried++) {
        const socket = connect(server.port, '127.0.0.1');
        const request = `CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n${body}\r\n`;
        socket.write(get('/') + request, () => socket.resetAndDestroy());
        await once(socket, 'close');
      }
    }
    expect((await server.ask(get('/')))?.status).toBe(200);
  });
});
