import { createServer } from 'node:http';

import { describe, expect, it } from 'vitest';

import { listen } from '../../../src/cli/listen.ts';

describe('where a server listens', () => {
  it.each([
    ['127.0.0.1', 'http://127.0.0.1', false],
    ['localhost', 'http://127.0.0.1', false],
    ['::1', 'http://[::1]', false],
    ['0.0.0.0', 'http://0.0.0.0', true],
    ['::', 'http://[::]', true],
  ])('is told as it was bound for HOST=%s, with a warning beyond the loopback', async (host, url, isWarned) => {
    const server = createServer();
    const { address, warning } = await listen(server, { host, port: 0 });
    server.close();
    expect([address.replace(/:\d+$/, ''), warning !== undefined]).toEqual([url, isWarned]);
  });
});
