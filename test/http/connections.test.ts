import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { openApp, portOf } from '../support/app.ts';
import { openStoreOfRun } from '../support/engines.ts';
import { exchange } from '../support/raw.ts';

async function listening(...given: Parameters<typeof openApp>) {
  const app = await openApp(...given);
  return { ...app, server: app.app.server, port: await portOf(app.app) };
}

// The edge's own tests hold the limits of connections; these hold what the app tells it.
describe('a connection', () => {
  it('of a trusted proxy is always read at once, because other callers share it', async () => {
    await using server = await listening({ rateLimit: 300, trustProxy: ['2001:db8::/32', '127.0.0.0/8'] });
    const connected = once(server.server, 'connection');
    const answers = exchange(server.port, 'GET /v2/members HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(70), 2_000, 1_000);
    const [ofServer] = (await connected) as [Socket];
    let pauses = 0;
    ofServer.on('pause', () => pauses++);
    const statuses = (await answers).map(({ status }) => status);
    expect(statuses).toEqual([...Array<number>(60).fill(401), ...Array<number>(10).fill(429)]);
    expect(pauses).toBe(0);
  });

  it('that awaits large answers before its CONNECT is refused holds up no stop', async () => {
    const server = await listening({}, undefined, { limits: { stopWithinMs: 1_000 } });
    const reader = connect(server.port, '127.0.0.1').pause();
    const many = 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(100);
    reader.write(`${many}CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n`);
    reader.on('error', () => undefined);
    const reading = setInterval(() => reader.read(), 250);
    await once(server.server, 'connect');
    // Until all of them are answered, as far as the system takes it.
    await sleep(1_000);
    const stoppedAt = performance.now();
    await server[Symbol.asyncDispose]();
    expect(performance.now() - stoppedAt).toBeLessThan(5_000);
    clearInterval(reading);
    reader.destroy();
  });

  it('that is reset while its key is looked up is nobody to count, and no error', async () => {
    const asked = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<undefined>();
    const findByHash = () => {
      asked.resolve();
      return gate.promise;
    };
    const errors: unknown[] = [];
    const log = { debug() {}, info() {}, warn() {}, error: (fields: unknown) => void errors.push(fields) };
    await using opened = await openStoreOfRun();
    const apiKeys = { ...opened.store.apiKeys, findByHash };
    await using server = await listening({ rateLimit: 300 }, { ...opened.store, apiKeys }, { log });
    const socket = connect(server.port, '127.0.0.1');
    socket.write(`GET /v2/members HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${'x'.repeat(20)}\r\n\r\n`);
    await asked.promise;
    socket.resetAndDestroy();
    await sleep(100);
    gate.resolve(undefined);
    await sleep(100);
    expect(errors).toEqual([]);
  });
});
