import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { echo, gate, get, openClient, openServer } from './support.ts';

const soonMs = 2_000;

async function timed(work: Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work;
  return performance.now() - startedAt;
}

describe('a stop', () => {
  it('takes no new connection and ends idle ones at once, also those that never sent anything', async () => {
    await using server = await openServer();
    const used = await openClient(server.port);
    used.socket.write(get('/'));
    await expect.poll(() => used.received).toMatch(/^HTTP\/1\.1 200 /);
    const silent = await openClient(server.port);
    expect(await timed(server.edge.close())).toBeLessThan(soonMs);
    await expect.poll(() => used.isClosed && silent.isClosed).toBe(true);
    const refused = connect(server.port, '127.0.0.1');
    await expect(once(refused, 'connect')).rejects.toThrow('ECONNREFUSED');
  });

  it('waits for answers under way, and ends each connection with its last', async () => {
    const { serve, arrived, open } = gate();
    await using server = await openServer({ serve });
    const idle = await openClient(server.port);
    idle.socket.write(get('/idle'));
    const client = await openClient(server.port);
    client.socket.write(get('/second') + get('/held').repeat(2));
    await expect.poll(() => arrived.length).toBe(4);
    const closed = server.edge.close();
    await sleep(50);
    open();
    expect(await timed(closed)).toBeLessThan(soonMs);
    await expect.poll(() => client.isClosed).toBe(true);
    const answers = client.received.split(/(?=HTTP\/1\.1 )/);
    expect(answers.map((answer) => /connection: (\S+)/i.exec(answer)?.[1])).toEqual(
      // What is not the last of its connection does not end it.
      ['keep-alive', 'keep-alive', 'close'],
    );
  });

  it('answers a request that was sent before, and one whose head was only begun', async () => {
    await using server = await openServer();
    const clients = await Promise.all(Array.from({ length: 20 }, () => openClient(server.port)));
    const begun = await openClient(server.port);
    begun.socket.write(get('/') + 'GET /begun HTTP/1.1\r\nHost: x\r\n');
    for (const { socket } of clients) socket.write(get('/'));
    await expect.poll(() => begun.received).toContain('200 OK');
    for (const client of clients) {
      await expect.poll(() => client.received).toContain('200 OK');
      client.received = '';
      client.socket.write(get('/sent'));
    }
    const closed = server.edge.close();
    await sleep(50);
    begun.socket.write('\r\n');
    expect(await timed(closed)).toBeLessThan(soonMs);
    for (const client of clients) {
      await expect.poll(() => client.isClosed).toBe(true);
      expect(client.received).toMatch(/\/sent/);
    }
    await expect.poll(() => begun.received).toMatch(/connection: close.*\/begun/is);
  });

  it('breaks no answer that is given and not yet read', async () => {
    const large = Buffer.alloc(32 * 1024 * 1024, 'x');
    await using server = await openServer({
      serve: (arrival) => (arrival.request.url === '/large' ? void arrival.response.end(large) : echo(arrival)),
    });
    const client = await openClient(server.port);
    client.socket.pause().write(get('/large') + get('/behind'));
    await expect.poll(() => client.socket.bytesWritten).toBeGreaterThan(0);
    await sleep(50);
    const closed = server.edge.close();
    await sleep(50);
    client.socket.resume();
    await closed;
    await expect.poll(() => client.isClosed).toBe(true);
    expect(client.received.length).toBeGreaterThan(large.length);
    expect(client.received).toMatch(/\/behind$/);
  });

  it('reads connections on that are throttled', async () => {
    await using server = await openServer({ limits: { inFlightMax: 0 } });
    const client = await openClient(server.port);
    const paused = once(server.server, 'request').then(([{ socket }]) => once(socket, 'pause'));
    client.socket.write(get('/'));
    await paused;
    client.socket.write(get('/livez'));
    expect(await timed(server.edge.close())).toBeLessThan(soonMs);
    await expect.poll(() => client.received).toContain('/livez');
  });

  it.each([
    ['a request that gets no answer', get('/held')],
    ['a head that is never finished', `${get('/')}GET / HTTP/1.1\r\n`],
    ['an answer that nobody waits for before a CONNECT', `${get('/held')}CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n`],
  ])('cuts off what is left after some seconds: %s', async (_what, bytes) => {
    const { serve, arrived, open } = gate();
    await using server = await openServer({ serve, limits: { stopWithinMs: 200 } });
    const client = await openClient(server.port);
    client.socket.write(bytes);
    await expect.poll(() => arrived.length).toBe(1);
    const tookMs = await timed(server.edge.close());
    expect(tookMs).toBeGreaterThan(150);
    expect(tookMs).toBeLessThan(soonMs);
    await expect.poll(() => client.isClosed).toBe(true);
    open();
  });
});
