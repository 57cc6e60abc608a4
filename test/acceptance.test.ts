import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { describe, expect, it } from 'vitest';

import { freePort } from './support/free-port.ts';
import { scriptedServer } from './support/scripted-server.ts';

const main = fileURLToPath(new URL('../acceptance/main.ts', import.meta.url));
const run = promisify(execFile);

function accept(port: number) {
  const args = [main, 'smoke', '--url', `http://127.0.0.1:${port}`, '--token', 'not-a-key'];
  return run(process.execPath, args).catch((error: unknown) => error as { code: number; stderr: string });
}

describe('the acceptance suite, against an instance of an operator', () => {
  it('says in a sentence that nothing answers there, and tries nothing', async () => {
    expect(await accept(await freePort())).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: nothing answers at http:[^\n]+\n$/),
    });
  });

  it('says in a sentence that its key is refused there, and tries nothing', async () => {
    using server = await scriptedServer({ status: 401 });
    expect(await accept(server.port)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: .* 401; give a key/),
    });
    expect(server.asked).toHaveLength(1);
  });
});
