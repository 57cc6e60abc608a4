import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { afterEach, describe, expect, it } from 'vitest';

import { freePort } from './support/free-port.ts';

const main = fileURLToPath(new URL('../acceptance/main.ts', import.meta.url));
const run = promisify(execFile);
let server: Server | undefined;

function accept(port: number) {
  const args = [main, 'smoke', '--url', `http://127.0.0.1:${port}`, '--token', 'not-a-key'];
  return run(process.execPath, args).catch((error: unknown) => error as { code: number; stderr: string });
}

describe('the acceptance suite, against an instance of an operator', () => {
  afterEach(() => server?.close());

  it('says in a sentence that nothing answers there, and tries nothing', async () => {
    expect(await accept(await freePort())).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: nothing answers at http:[^\n]+\n$/),
    });
  });

  it('says in a sentence that its key is refused there, and tries nothing', async () => {
    let asked = 0;
    server = createServer((_request, response) => {
      asked++;
      response.writeHead(401).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect(await accept(port)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: .* 401; give a key/),
    });
    expect(asked).toBe(1);
  });
});
