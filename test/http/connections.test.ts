import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { buildApp, type HttpSettings } from '../../src/http/app.ts';
import { requestsOfConnectionMax } from '../../src/http/arrivals/connections.ts';
import type { Log } from '../../src/observability/access-log.ts';
import type { Store } from '../../src/store.ts';
import { noLimit } from '../support/app.ts';
import { openStoreOfRun } from '../support/engines.ts';
import { exchange } from '../support/raw.ts';

const secondsOfPatience = 6;

async function listening(changes: Partial<Store> = {}, settings: Partial<HttpSettings> = {}) {
  const opened = await openStoreOfRun();
  const store: Store = { ...opened.store, ...changes };
  const warnings: string[] = [];
  const errors: unknown[] = [];
  const log: Log = {
    debug() {},
    info() {},
    warn: (_fields: unknown, text?: string) => void warnings.push(text ?? ''),
    error: (fields: unknown) => void errors.push(fields),
  };
  const app = buildApp(store, { ...noLimit, ...settings }, { log });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as { port: number };
  return {
    app,
    server: app.server,
    port,
    warnings,
    errors,
    [Symbol.asyncDispose]: async () => {
      await app.close();
      await opened[Symbol.asyncDispose]();
    },
  };
}

const alive = 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n';

describe('a connection', () => {
  it('ends with the answer to its hundred thousandth request, and not before', async () => {
    await using server = await listening();
    server.server.once('connection', (socket: Socket) => (socket.requests = requestsOfConnectionMax - 3));
    const answers = await exchange(server.port, alive.repeat(3));
    expect(answers.map(({ status, headers }) => [status, headers['connection']])).toEqual([
      [200, 'keep-alive'],
      [200, 'keep-alive'],
      [200, 'close'],
    ]);
    expect(answers[0]?.closed).toBe(true);
  });

  it('is closed as it comes when there are too many, which is logged once', async () => {
    await using server = await listening();
    expect(server.server.maxConnections).toBeGreaterThan(10_000);
    server.server.maxConnections = 1;
    const first = connect(server.port, '127.0.0.1');
    await once(first, 'connect');
    for (let time = 0; time < 3; time++) expect(await exchange(server.port, alive)).toEqual([]);
    expect(server.warnings).toEqual(['too many connections: more are closed as they come']);
    first.write(alive);
    expect(String(await once(first, 'data'))).toMatch(/^HTTP\/1\.1 200 /);
    first.destroy();
  });

  it('may have a hundred requests sent behind each other, and is answered all in their order', async () => {
    await using server = await listening();
    const many = Array.from(
      { length: 100 },
      (_, i) => `GET /livez HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${i}\r\n\r\n`,
    );
    const answers = await exchange(server.port, many.join(''));
    expect(answers.map(({ headers }) => headers['x-request-id'])).toEqual(many.map((_, i) => String(i)));
  });

  it('with thousands of requests behind each other is ended before Node has made them', async () => {
    await using server = await listening();
    let made = 0;
    server.server.on('request', () => made++);
    const bytes = 'GET /v2/members HTTP/1.1\r\nHost:\r\n\r\n'.repeat(1_500);
    const sockets = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const socket = connect(server.port, '127.0.0.1').on('error', () => undefined);
        await once(socket, 'connect');
        return socket.resume();
      }),
    );
    const closed = sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)));
    for (const socket of sockets) socket.write(bytes);
    expect((await exchange(server.port, alive, 15_000))[0]?.status).toBe(200);
    await Promise.all(closed);
    // 150,000 were sent; a read is up to 64 KiB of them, and 257 of each the most.
    expect(made).toBeGreaterThan(100);
    expect(made).toBeLessThan(100 * 258);
  });

  it.each([
    ['was told 429', 61, 1],
    ['asks for much without a key', 1, 20],
  ])('that %s is left unread for a while, and then read on', async (_what, times, together) => {
    await using server = await listening({}, { rateLimit: 300 });
    const connected = once(server.server, 'connection');
    let received = '';
    const socket = connect(server.port, '127.0.0.1').on('data', (chunk) => (received += String(chunk)));
    const [ofServer] = (await connected) as [Socket];
    const paused = once(ofServer, 'pause');
    for (let time = 0; time < times; time++) {
      const answered = once(socket, 'data');
      socket.write('GET /v2/members HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(together));
      await answered;
    }
    await paused;
    socket.write('GET /livez HTTP/1.1\r\nHost: x\r\nX-Request-Id: last\r\n\r\n');
    await expect.poll(() => received).toContain('x-request-id: last');
    socket.destroy();
  });

  it.each([
    ['an address', '127.0.0.1/32'],
    ['a network', '127.0.0.0/8'],
  ])(
    'of a trusted proxy is read at once whatever it was told, as others use it too: %s',
    async (_what, cidr) => {
      await using server = await listening({}, { rateLimit: 300, trustProxy: ['2001:db8::/32', cidr] });
      const connected = once(server.server, 'connection');
      const answers = exchange(server.port, 'GET /v2/members HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(70));
      const [ofServer] = (await connected) as [Socket];
      let pauses = 0;
      ofServer.on('pause', () => pauses++);
      const statuses = (await answers).map(({ status }) => status);
      expect(statuses).toEqual([...Array<number>(60).fill(401), ...Array<number>(10).fill(429)]);
      expect(pauses).toBe(0);
    },
  );

  it(
    'is kept for a reader who is slow and takes enough, also of one large write',
    { timeout: 30_000 },
    async () => {
      await using server = await listening();
      const reader = connect(server.port, '127.0.0.1').pause();
      reader.write('GET /docs/js/scalar.js HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(3));
      let isClosed = false;
      reader.on('close', () => (isClosed = true)).on('error', () => undefined);
      const until = performance.now() + (secondsOfPatience + 7) * 1_000;
      while (performance.now() < until) {
        await sleep(200);
        // At most 64 KiB: the system takes more from the server when a third of its buffer of some megabytes is free.
        reader.read();
      }
      expect(isClosed).toBe(false);
      reader.destroy();
    },
  );

  it.concurrent('that awaits large answers before its CONNECT is refused holds up no stop', async () => {
    const server = await listening();
    const reader = connect(server.port, '127.0.0.1').pause();
    const many = 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(200);
    reader.write(`${many}CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n`);
    reader.on('error', () => undefined);
    const reading = setInterval(() => reader.read(), 250);
    await once(server.server, 'connect');
    // Until all of them are answered, as far as the system takes it.
    await sleep(1_000);
    const stoppedAt = performance.now();
    await server[Symbol.asyncDispose]();
    expect(performance.now() - stoppedAt).toBeLessThan(10_000);
    clearInterval(reading);
    reader.destroy();
  });

  it('on which broken bytes go on coming leaves one trace, not one for each packet', async () => {
    const gate = Promise.withResolvers<void>();
    await using server = await listening({ ready: () => gate.promise });
    const request = once(server.server, 'request');
    const socket = connect(server.port, '127.0.0.1').setNoDelay(true);
    socket.on('error', () => undefined);
    socket.write('GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n');
    const [, response] = (await request) as [IncomingMessage, ServerResponse];
    const packets = async (count: number) => {
      for (let packet = 0; packet < count; packet++) {
        socket.write('\0');
        await sleep(5);
      }
      return response.listenerCount('close');
    };
    expect(await packets(10)).toBe(await packets(50));
    expect(response.writableEnded).toBe(false);
    gate.resolve();
    await once(socket.resume(), 'close');
  });

  it('that is reset while its key is looked up is nobody to count, and no error', async () => {
    const asked = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<undefined>();
    const findApiKeyByHash = () => {
      asked.resolve();
      return gate.promise;
    };
    await using server = await listening({ findApiKeyByHash }, { rateLimit: 300 });
    const socket = connect(server.port, '127.0.0.1');
    socket.write(`GET /v2/members HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${'x'.repeat(20)}\r\n\r\n`);
    await asked.promise;
    socket.resetAndDestroy();
    await sleep(100);
    gate.resolve(undefined);
    await sleep(100);
    expect(server.errors).toEqual([]);
  });
});
