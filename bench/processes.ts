import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** A server of a benchmark: a process, where it listens, and what it has cost so far. */
export interface Serving extends AsyncDisposable {
  address: string;
  pid: number;
  /** From the start of the process to the line that says that it listens. */
  secondsToListen: number;
}

const startWithinMs = 60_000;

/** Starts a program of Node that says `listening at URL"` on stdout; on `core` where that is given and can be had. */
export async function serve(
  args: readonly string[],
  env: Record<string, string> = {},
  core?: number,
): Promise<Serving> {
  const command = [process.execPath, ...args];
  const pinned = core === undefined ? command : ['taskset', '-c', String(core), ...command];
  const startedAt = performance.now();
  const child = spawn(pinned[0] ?? '', pinned.slice(1), {
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const address = await within(startWithinMs, listeningAt(child));
  // As an operator would: its log goes somewhere, and nobody waits for it.
  child.stdout?.resume();
  return {
    address,
    pid: child.pid ?? 0,
    secondsToListen: (performance.now() - startedAt) / 1_000,
    [Symbol.asyncDispose]: () => end(child),
  };
}

function listeningAt(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the server ended with ${code} before it listened`)));
    const onData = (chunk: Buffer) => {
      const address = /listening at (http[^"]+)"/.exec(chunk.toString())?.[1];
      if (address === undefined) return;
      child.stdout?.off('data', onData);
      resolve(address);
    };
    child.stdout?.on('data', onData);
  });
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const timer = new AbortController();
  const late = pause(ms, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`nothing within ${ms} ms`);
  });
  late.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    timer.abort();
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  child.kill('SIGTERM');
  await gone;
}

const ticksPerSecond = 100;

/** CPU time of a process so far, user and system, in seconds. Linux. */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** What a process holds of the memory, in bytes: `VmRSS`, or the most it ever held: `VmHWM`. Linux. */
export function memoryOf(pid: number, what: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${what}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1_024;
}
