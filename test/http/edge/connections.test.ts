import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { defaultLimits } from '../../../src/http/edge/limits.ts';
import { exchange } from '../../support/raw.ts';
import { bearer, echo, get, nextSocket, openClient, openServer } from './support.ts';

const tiny = 'GET / HTTP/1.1\r\nHost:\r\n\r\n';

describe('a connection', () => {
  it('ends with the answer to the last request that it may have', async () => {
    expect(defaultLimits.requestsOfConnectionMax).toBe(100_000);
    await using server = await openServer({ limits: { requestsOfConnectionMax: 3 } });
    const answers = await exchange(server.port, get('/').repeat(5));
    expect(answers.map(({ status, headers }) => [status, headers['connection']])).toEqual([
      [200, 'keep-alive'],
      [200, 'keep-alive'],
      [200, 'close'],
    ]);
    expect(answers[0]?.closed).toBe(true);
  });

  it('is closed as it comes when there are too many, which is logged once', async () => {
    await using server = await openServer();
    expect(server.server.maxConnections).toBe(16_384);
    server.server.maxConnections = 1;
    const first = await openClient(server.port);
    for (let time = 0; time < 3; time++) expect(await server.ask(get('/'))).toBeUndefined();
    expect(server.warnings).toEqual(['too many connections: more are closed as they come']);
    first.socket.write(get('/'));
    await expect.poll(() => first.received).toMatch(/^HTTP\/1\.1 200 /);
    first.socket.destroy();
  });

  it('may have a hundred pipelined requests, and is answered all in their order', async () => {
    await using server = await openServer();
    const ids = Array.from({ length: 100 }, (_, i) => String(i));
    const answers = await exchange(server.port, ids.map((id) => get('/', `X-Request-Id: ${id}`)).join(''));
    expect(answers.map(({ headers }) => headers['x-request-id'])).toEqual(ids);
  });

  it('ends when too many requests are pipelined on it, before Node has parsed all that it read', async () => {
    await using server = await openServer();
    let made = 0;
    server.server.on('request', () => made++);
    const client = await openClient(server.port);
    client.socket.write(tiny.repeat(1_500));
    await expect.poll(() => client.isClosed).toBe(true);
    expect(made).toBe(defaultLimits.pipelinedMax + 1);
    expect(server.edge.inFlight()).toBe(0);
  });

  it('may have only a few of them in a turn in which too many came on all connections', async () => {
    const limits = { pipelinedMax: 1_000, pipelinedOfTurnMax: 100, pipelinedMaxThen: 3 };
    await using server = await openServer({ limits });
    let ofTurn = 0;
    let ofTurnMost = 0;
    server.server.on('request', () => {
      if (ofTurn++ === 0) setImmediate(() => (ofTurn = 0));
      ofTurnMost = Math.max(ofTurnMost, ofTurn);
    });
    const clients = await Promise.all(Array.from({ length: 20 }, () => openClient(server.port)));
    for (const { socket } of clients) socket.write(tiny.repeat(500));
    await expect.poll(() => clients.filter(({ isClosed }) => isClosed).length).toBe(clients.length);
    expect(ofTurnMost).toBeGreaterThan(limits.pipelinedOfTurnMax);
    expect(ofTurnMost).toBeLessThan(limits.pipelinedOfTurnMax + 2 + 4 * clients.length);
    expect((await server.ask(get('/')))?.status).toBe(200);
  });
});

describe('a body', () => {
  const post = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000\r\n\r\n';

  it.each([
    ['is not there in time ends its connection', { bodyWithinMs: 50 }, 'x'],
    ['is too large ends its connection', { bodyBytesMax: 1_000 }, 'x'.repeat(100_000)],
  ])('that %s, though nobody reads it', async (_what, limits, bytes) => {
    await using server = await openServer({ limits: { ...limits, lookEveryMs: 10, lingerMs: 10 } });
    const client = await openClient(server.port);
    client.socket.write(post);
    await expect.poll(() => client.received).toMatch(/^HTTP\/1\.1 200 /);
    client.socket.write(bytes);
    await expect.poll(() => client.isClosed).toBe(true);
  });

  it('within the limits leaves the connection open', async () => {
    await using server = await openServer({ limits: { bodyWithinMs: 50, lookEveryMs: 10 } });
    const client = await openClient(server.port);
    client.socket.write(`${post.replace('2000000', '2')}ok`);
    await sleep(200);
    client.socket.write(get('/after'));
    await expect.poll(() => client.received).toMatch(/\/after$/);
    client.socket.destroy();
  });
});

describe('a reader', () => {
  const large = Buffer.alloc(32 * 1024 * 1024, 'x');
  const limits = { takenWithinMs: 600, lookEveryMs: 20 };

  it('who takes nothing is cut off', async () => {
    await using server = await openServer({ serve: ({ response }) => void response.end(large), limits });
    const client = await openClient(server.port);
    client.socket.pause().write(get('/'));
    const [{ socket }] = (await once(server.server, 'request')) as [{ socket: Socket }];
    await expect.poll(() => socket.destroyed).toBe(true);
    client.socket.destroy();
  });

  it('who is slow and takes enough is kept, also of one large write', async () => {
    const takenWithinMs = 700;
    const serve: typeof echo = ({ response }) => void response.end(large);
    await using server = await openServer({ serve, limits: { ...limits, takenWithinMs } });
    const client = await openClient(server.port);
    client.socket.pause().write(get('/'));
    const startedAt = performance.now();
    while (performance.now() - startedAt < 3 * takenWithinMs) {
      await sleep(20);
      client.socket.read();
    }
    expect(client.isClosed).toBe(false);
    expect(client.received.length).toBeLessThan(large.length);
    client.socket.destroy();
  });
});

describe('a throttled connection', () => {
  const answer429: typeof echo = (arrival) => {
    arrival.response.statusCode = 429;
    return echo(arrival);
  };

  it.each([
    ['told 429', { serve: answer429 }, 1],
    ['shed', { limits: { inFlightMax: 0 } }, 1],
    ['of a flood without a known key', { serve: echo }, 20],
  ] satisfies [string, Parameters<typeof openServer>[0], number][])(
    'is one that was %s: it is left unread for a moment, and then read on',
    async (_what, changes, together) => {
      await using server = await openServer(changes);
      const connected = nextSocket(server);
      const client = await openClient(server.port);
      const paused = once(await connected, 'pause');
      client.socket.write(get('/').repeat(together));
      await paused;
      client.socket.write(get('/livez', 'X-Request-Id: last'));
      await expect.poll(() => client.received).toContain('x-request-id: last');
      client.socket.destroy();
    },
  );

  it('is none of a caller with a known key', async () => {
    await using server = await openServer({
      isKnownKey: () => true,
      serve: ({ response }) => void response.end(),
    });
    const connected = nextSocket(server);
    const client = await openClient(server.port);
    let pauses = 0;
    (await connected).on('pause', () => pauses++);
    client.socket.write(get('/', bearer('good')).repeat(20));
    await expect.poll(() => client.received.split('HTTP/1.1 200').length).toBe(21);
    await sleep(50);
    expect(pauses).toBe(0);
    client.socket.destroy();
  });
});
