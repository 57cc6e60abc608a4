import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { createClient } from '@redis/client';

import { temporaryFolder } from './engines.ts';
import { freePort } from './free-port.ts';
import { type StandIn, startStandIn } from './redis-stand-in.ts';

const password = 'made-up-password';

/**
 * A Redis of the test's own on the loopback: the real one where `redis-server` or `valkey-server` is on the PATH,
 * else a stand-in, as the tests need nothing but npm.
 */
interface TestRedis extends AsyncDisposable {
  url: string;
  password: string;
  /** Every key that is there. */
  keys(): Promise<string[]>;
  /** Refuses connections from now on and forgets everything. */
  stop(): Promise<void>;
  /** At the same address again, empty. */
  start(): Promise<void>;
  /** Accepts connections and says nothing, until `resume`. */
  hang(): void;
  resume(): void;
  /** Refuses to write, as one without memory or a replica does, or writes again. */
  refuseWrites(reason: 'OOM' | 'READONLY' | null): Promise<void>;
}

type Server = Omit<TestRedis, 'start' | 'url' | 'password' | typeof Symbol.asyncDispose>;

export async function aRedis(given: { isThere?: boolean } = {}): Promise<TestRedis> {
  const program = ['redis-server', 'valkey-server']
    .flatMap((name) => (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
  const port = await freePort();
  const url = `redis://:${password}@127.0.0.1:${port}`;
  let server: Server | undefined;
  const start = async () => {
    server = program === undefined ? await standIn(port) : await realServer(program, port, url);
  };
  const running = () => {
    if (server) return server;
    throw new Error('this Redis was stopped');
  };
  const stop = async () => {
    await server?.stop();
    server = undefined;
  };
  if (given.isThere !== false) await start();
  return {
    url,
    password,
    start,
    stop,
    keys: () => running().keys(),
    hang: () => running().hang(),
    resume: () => running().resume(),
    refuseWrites: (reason) => running().refuseWrites(reason),
    [Symbol.asyncDispose]: stop,
  };
}

async function realServer(program: string, port: number, url: string): Promise<Server> {
  const folder = temporaryFolder();
  const settings = { port, bind: '127.0.0.1', requirepass: password, dir: folder.path, save: '' };
  const child = spawn(
    program,
    Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]),
  );
  const ended = once(child, 'exit');
  let log = '';
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    log += String(chunk);
    if (log.includes('Ready to accept connections')) break;
  }
  if (child.exitCode !== null) throw new Error(`${program} did not start: ${log}`);
  child.stdout.resume();
  const ask = async (...command: string[]) => {
    const client = createClient({ url, RESP: 2 });
    await client.connect();
    const answer = await client.sendCommand(command);
    client.destroy();
    return answer;
  };
  return {
    keys: async () => (await ask('KEYS', '*')) as unknown as string[],
    hang: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
    refuseWrites: async (reason) => {
      await ask('CONFIG', 'SET', 'maxmemory', reason === 'OOM' ? '1' : '0');
      await ask('REPLICAOF', ...(reason === 'READONLY' ? ['127.0.0.1', '1'] : ['NO', 'ONE']));
    },
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
      folder[Symbol.dispose]();
    },
  };
}

async function standIn(port: number): Promise<Server> {
  const server: StandIn = await startStandIn(port, password);
  return {
    ...server,
    keys: async () => server.keys(),
    refuseWrites: async (reason) => server.refuse(reason && `${reason} no writing now`),
  };
}
