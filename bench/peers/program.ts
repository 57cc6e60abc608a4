import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const answerWithinMs = 180_000;
const endWithinMs = 15_000;

export interface Command {
  node: string;
  args: readonly string[];
  /** Its working folder, where its output goes into `output.log`. */
  folder: string;
  /** All of its environment but the path. */
  env: Record<string, string>;
  core?: number | undefined;
}

export interface Program extends AsyncDisposable {
  pids(): number[];
  /** Waits until a GET is answered with 200. */
  answers(url: string, headers: Record<string, string>): Promise<void>;
  /** Waits until it has ended by itself; throws when not with 0. */
  ended(): Promise<void>;
}

/** Starts a program that knows nothing of this process's environment or home. */
export function start({ node, args, folder, env, core }: Command): Program {
  const command = [...(core === undefined ? [] : ['taskset', '-c', String(core)]), node, ...args];
  const log = openSync(join(folder, 'output.log'), 'w');
  const child = spawn(command[0] ?? '', command.slice(1), {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, NODE_ENV: 'production', ...env },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const failure = (what: string) =>
    new Error(`${args.join(' ')} ${what}: ${readFileSync(join(folder, 'output.log'), 'utf8').slice(-2_000)}`);
  return {
    pids: () => withDescendants(child.pid ?? 0),
    answers: async (url, headers) => {
      const until = performance.now() + answerWithinMs;
      while (!(await isAnswered(url, headers))) {
        if (hasEnded(child)) throw failure('ended early');
        if (performance.now() > until) throw failure('did not answer in time');
        await pause(20);
      }
    },
    ended: async () => {
      if (!(await endsWithin(child, answerWithinMs))) throw failure('did not end in time');
      if (child.exitCode !== 0) throw failure(`ended with ${child.exitCode ?? child.signalCode}`);
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      if (!(await endsWithin(child, endWithinMs))) child.kill('SIGKILL');
      await endsWithin(child, endWithinMs);
    },
  };
}

async function isAnswered(url: string, headers: Record<string, string>): Promise<boolean> {
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(10_000) });
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    return false;
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function endsWithin(child: ChildProcess, ms: number): Promise<boolean> {
  if (hasEnded(child)) return true;
  try {
    await once(child, 'exit', { signal: AbortSignal.timeout(ms) });
  } catch {
    return false;
  }
  return true;
}

function withDescendants(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return [pid, ...children.filter(Boolean).flatMap((child) => withDescendants(Number(child)))];
}
