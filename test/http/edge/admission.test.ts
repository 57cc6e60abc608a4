import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { hashToken } from '../../../src/api-keys/token.ts';
import { exchange } from '../../support/raw.ts';
import { bearer, echo, gate, get, openClient, openServer } from './support.ts';

const held = (...headers: string[]) => get('/held', ...headers);

/** An edge to which these tokens are known. */
async function openKnowing(tokens: readonly string[], limits: Record<string, number>) {
  const { serve, ...rest } = gate();
  const known = new Set(tokens.map(hashToken));
  const server = await openServer({ serve, limits, isKnownKey: (hash) => known.has(hash) });
  return { ...server, ...rest };
}

describe('requests under way', () => {
  it('are half of the maximum of one caller, and another with a known key is still answered', async () => {
    await using server = await openKnowing(['good1', 'good2'], { inFlightMax: 20 });
    const flood = await openClient(server.port);
    flood.socket.write(held(bearer('good1')).repeat(10));
    await expect.poll(server.edge.inFlight).toBe(10);
    const answer = await server.ask(get('/', bearer('good1'), 'X-Request-Id: mine'));
    expect(answer).toMatchObject({
      status: 503,
      headers: {
        'retry-after': '1',
        'x-request-id': 'mine',
        'cache-control': 'private, no-store',
        'content-type': 'application/json; charset=utf-8',
      },
    });
    expect(JSON.parse(answer?.body ?? '')).toMatchObject({ code: 'unavailable', request_id: 'mine' });
    expect(server.answered.at(-1)).toMatchObject({ status: 503, shed: 'in_flight', method: 'GET' });
    expect((await server.ask(get('/', bearer('good2'))))?.status).toBe(200);
    server.open();
    await expect.poll(server.edge.inFlight).toBe(0);
    expect((await server.ask(get('/', bearer('good1'))))?.status).toBe(200);
    flood.socket.destroy();
  });

  it('are half of the maximum of all callers without a known key, whatever tokens they make up', async () => {
    await using server = await openKnowing(['good'], { inFlightMax: 20 });
    const flood = await openClient(server.port);
    flood.socket.write(Array.from({ length: 10 }, (_, i) => held(bearer(`made up ${i}`))).join(''));
    await expect.poll(server.edge.inFlight).toBe(10);
    expect((await server.ask(get('/', bearer('another'))))?.status).toBe(503);
    expect((await server.ask(get('/')))?.status).toBe(503);
    expect((await server.ask(get('/', bearer('good'))))?.status).toBe(200);
    server.open();
    flood.socket.destroy();
  });

  it('are not more than the maximum of all callers, and probes are answered beyond it', async () => {
    await using server = await openKnowing(['good1', 'good2', 'good3'], { inFlightMax: 4 });
    const flood = await openClient(server.port);
    flood.socket.write(['good1', 'good1', 'good2', 'good2'].map((token) => held(bearer(token))).join(''));
    await expect.poll(server.edge.inFlight).toBe(4);
    expect((await server.ask(get('/', bearer('good3'))))?.status).toBe(503);
    for (const probe of ['/livez', '/readyz']) expect((await server.ask(get(probe)))?.status).toBe(200);
    server.open();
    flood.socket.destroy();
  });

  it('of probes take no place of others, and probes are answered however late', async () => {
    await using server = await openServer({
      isKnownKey: () => true,
      limits: { inFlightMax: 4, waitMaxMs: 150 },
      serve: async (arrival) => {
        const until = performance.now() + 30;
        while (performance.now() < until);
        await sleep(100);
        return echo(arrival);
      },
    });
    const [flood, other] = [await openClient(server.port), await openClient(server.port)];
    flood.socket.write(get('/readyz').repeat(10));
    await expect.poll(server.edge.inFlight).toBe(10);
    other.socket.write(get('/', bearer('good')));
    await expect.poll(() => server.edge.inFlight()).toBe(0);
    expect(server.answered).toEqual([]);
    for (const { socket } of [flood, other]) socket.destroy();
  });

  it('leave no place taken once their answers are given, though nobody reads them', async () => {
    const body = 'x'.repeat(16 * 1024 * 1024);
    await using server = await openServer({
      serve: ({ response }) => void response.end(body),
      limits: { inFlightMax: 4 },
    });
    const readers = await Promise.all(Array.from({ length: 4 }, () => openClient(server.port)));
    for (const { socket } of readers) socket.pause().write(get('/'));
    await expect.poll(server.edge.inFlight).toBe(0);
    expect((await server.ask(get('/')))?.status).toBe(200);
    for (const { socket } of readers) socket.destroy();
  });

  it('are not begun for a caller that has hung up', async () => {
    const { serve, arrived, open } = gate();
    await using server = await openServer({ serve, limits: { begunTogetherMax: 1 } });
    const client = await openClient(server.port);
    server.server.once('request', (request) => request.socket.destroy());
    client.socket.write(get('/gone'));
    await expect.poll(() => client.isClosed).toBe(true);
    expect((await server.ask(get('/here')))?.status).toBe(200);
    expect(arrived.map(({ request }) => request.url)).toEqual(['/here']);
    expect(server.edge.inFlight()).toBe(0);
    open();
  });
});

it('a request that has waited too long for its turn is shed', async () => {
  const serve: typeof echo = (arrival) => {
    const until = performance.now() + 40;
    while (performance.now() < until);
    return echo(arrival);
  };
  await using server = await openServer({ serve, limits: { waitMaxMs: 20 } });
  const answers = await exchange(server.port, get('/').repeat(3));
  expect(answers.map(({ status }) => status)).toEqual([200, 503, 503]);
  expect(server.answered.at(-1)).toMatchObject({ shed: 'event_loop' });
});

it('a request that is under way for too long is told once', async () => {
  const late: (string | undefined)[] = [];
  const { serve, open } = gate();
  await using server = await openServer({
    serve: (arrival) => {
      const { request, response } = arrival;
      arrival.exchange = {
        giveUp: () => {
          late.push(request.url);
          response.writeHead(503).end();
        },
      };
      return serve(arrival);
    },
    limits: { answerWithinMs: 50, lookEveryMs: 10 },
  });
  expect((await server.ask(held()))?.status).toBe(503);
  await sleep(100);
  expect(late).toEqual(['/held']);
  // Its place is free though the work has not ended.
  await expect.poll(server.edge.inFlight).toBe(0);
  open();
});

it('a request whose connection is gone is told too, so that it leaves no place taken', async () => {
  const opened = Promise.withResolvers<void>();
  await using server = await openServer({
    serve: (arrival) => {
      arrival.exchange = { giveUp: () => opened.resolve() };
      return opened.promise;
    },
    limits: { lookEveryMs: 10 },
  });
  const client = await openClient(server.port);
  client.socket.write(held());
  await expect.poll(() => server.edge.inFlight()).toBe(1);
  await sleep(50);
  expect(server.edge.inFlight()).toBe(1);
  client.socket.destroy();
  await expect.poll(() => server.edge.inFlight()).toBe(0);
});
