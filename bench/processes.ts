import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

import { freePort } from '../test/support/free-port.ts';
import { nodeArguments } from '../test/support/program.ts';

export const [serverCore, loadCore] = [0, 1] as const;

const startWithinMs = 60_000;
const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** A process that ends with this one at the latest. */
export function kept(child: ChildProcess): Disposable & { process: ChildProcess } {
  children.add(child);
  child.once('exit', () => children.delete(child));
  return { process: child, [Symbol.dispose]: () => void child.kill('SIGKILL') };
}

/** The command, held to a core. */
export function pinned(core: number, command: readonly string[]): [string, ...string[]] {
  return ['taskset', '-c', String(core), ...command];
}

export interface Serving extends AsyncDisposable {
  address: string;
  pid: number;
  /** From the start of the process to its first 200. */
  startMs: number;
  /** As a loss of power would. */
  kill(): Promise<void>;
}

/** Starts Roster as in production; the rate limit is counted and never reached. */
export async function startRoster(
  url: string,
  { program, ready = '/livez', token = '' }: { program?: string; ready?: string; token?: string } = {},
): Promise<Serving> {
  const port = await freePort();
  const settings = { PORT: String(port), ROSTER_METRICS_PORT: '0', ROSTER_RATE_LIMIT: '1000000000' };
  return start([process.execPath, ...nodeArguments(program), 'serve'], {
    address: `http://127.0.0.1:${port}`,
    ready,
    headers: { authorization: `Bearer ${token}` },
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', DATABASE_URL: url, ...settings },
  });
}

/** The least that Node can do: what is left of a figure is Roster's. */
export const bare = 'a bare `node:http` server';
const hello =
  "require('node:http').createServer((_, response) => response.end('{}')).listen(process.env.PORT, '127.0.0.1')";

export async function bareServer(): Promise<Serving> {
  const port = String(await freePort());
  const env = { PATH: process.env['PATH'], PORT: port };
  return start([process.execPath, '-e', hello], { address: `http://127.0.0.1:${port}`, ready: '/', env });
}

export interface Started {
  address: string;
  /** The path that is answered with 200 once it serves. */
  ready: string;
  headers?: Record<string, string>;
  env: Record<string, string | undefined>;
  cwd?: string;
  within?: number;
}

/** Starts a server on the core of servers and waits until it answers. */
export async function start(command: readonly string[], started: Started): Promise<Serving> {
  const { address, ready, headers = {}, env, cwd, within = startWithinMs } = started;
  const startedAt = performance.now();
  const [file, ...args] = pinned(serverCore, command);
  const { process: child } = kept(spawn(file, args, { env, stdio: 'ignore', ...(cwd !== undefined && { cwd }) }));
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    const late = setTimeout(() => child.kill('SIGKILL'), 30_000);
    await ended;
    clearTimeout(late);
  };
  while (!(await isAnswered(address + ready, headers))) {
    if (child.exitCode !== null) throw new Error(`${command.join(' ')} ended with ${child.exitCode}`);
    if (performance.now() > startedAt + within) {
      await end('SIGKILL');
      throw new Error(`${command.join(' ')} did not answer within ${within} ms`);
    }
    await pause(2);
  }
  return {
    address,
    pid: child.pid ?? 0,
    startMs: performance.now() - startedAt,
    kill: () => end('SIGKILL'),
    [Symbol.asyncDispose]: () => end('SIGTERM'),
  };
}

async function isAnswered(url: string, headers: Record<string, string>): Promise<boolean> {
  try {
    const answer = await fetch(url, { headers, signal: AbortSignal.timeout(10_000) });
    await answer.arrayBuffer();
    return answer.status === 200;
  } catch {
    return false;
  }
}

const ticksPerSecond = 100;

/** CPU time of a process so far, user and system, in seconds. Linux. */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** What a process holds of the memory, in MiB. Linux. */
export function memoryOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024;
}
