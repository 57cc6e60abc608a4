import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { describe, expect, it } from 'vitest';

import type { Log } from '../../src/http/access-log.ts';
import { buildApp } from '../../src/http/app.ts';
import { requestsOfConnectionMax } from '../../src/http/arrivals/connections.ts';
import { noLimit } from '../support/app.ts';
import { openStoreOfRun } from '../support/engines.ts';
import { exchange } from '../support/raw.ts';

async function listening() {
  const opened = await openStoreOfRun();
  const warnings: string[] = [];
  const log: Log = {
    debug() {},
    info() {},
    warn: (_fields: unknown, text?: string) => void warnings.push(text ?? ''),
    error() {},
  };
  const app = buildApp(opened.store, noLimit, { log });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as { port: number };
  return {
    server: app.server,
    port,
    warnings,
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
});
