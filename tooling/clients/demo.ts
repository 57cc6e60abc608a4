import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

import { limitMs, root } from './settings.ts';

export interface Demo {
  address: string;
  token: string;
  chatbot_id: string;
  contact_id: string;
}

/** Starts the built demo on a port of the system's choice; stops it, when disposed of, as an operator would. */
export async function startDemo(): Promise<Demo & AsyncDisposable> {
  const server = spawn(process.execPath, [join(root, 'dist/main.js'), 'demo', '--json'], {
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: limitMs,
  });
  const exit = once(server, 'exit');
  const complaints = text(server.stderr);
  for await (const line of createInterface({ input: server.stdout })) {
    return {
      ...(JSON.parse(line) as Demo),
      [Symbol.asyncDispose]: async () => {
        server.kill('SIGTERM');
        const [code, signal] = (await exit) as [number | null, string | null];
        if (code !== 0) throw new Error(`the demo ended with ${code ?? signal}:\n${await complaints}`);
      },
    };
  }
  throw new Error(`the demo did not start (is dist/ built?):\n${await complaints}`);
}
