import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { addressOf, type Ended, nodeArguments, spawnProgram } from '../../test/support/program.ts';
import type { Installation } from '../installation.ts';

/** A system call that fails: the n-th of its name, or from the n-th on. */
export interface Fault {
  call: string;
  error: 'EIO' | 'ENOSPC' | 'EROFS';
  n: number;
  andAfter: boolean;
  /** Only on files of these paths; on all without. */
  paths: readonly string[];
}

interface Faulty extends Ended {
  /** How many calls failed by this; 0 where the program makes fewer than n. */
  injected: number;
}

/** Why faults cannot be injected here; undefined where they can. */
export function straceObjection(): string | undefined {
  if (process.platform !== 'linux') return 'this is not Linux';
  const { error, status } = spawnSync('strace', ['-e', 'inject=fsync:error=EIO', 'true'], {
    stdio: 'ignore',
  });
  if (error) return 'strace is not installed ("apt-get install strace")';
  return status === 0 ? undefined : 'strace may not trace here (ptrace is forbidden)';
}

/** Runs a command line of the installation to its end, with one of its system calls failing. */
export async function runWithFault(
  at: Place,
  args: readonly string[],
  { call, error, n, andAfter, paths }: Fault,
): Promise<Faulty> {
  const when = `${n}${andAfter ? '+' : ''}`;
  const { log, ...ended } = await traced(at, args, call, paths, ['-e', `inject=${call}:error=${error}:when=${when}`]);
  return { ...ended, injected: occurrences(log, '(INJECTED)') };
}

/** Runs it with nothing that fails, and counts its calls of one name. */
export async function runCounting(
  at: Place,
  args: readonly string[],
  { call, paths }: Pick<Fault, 'call' | 'paths'>,
): Promise<Ended & { calls: number }> {
  const { log, ...ended } = await traced(at, args, call, paths, []);
  return { ...ended, calls: occurrences(log, ` ${call}(`) };
}

type Place = Pick<Installation, 'folder' | 'databaseUrl'>;

let runs = 0;

async function traced(
  at: Place,
  args: readonly string[],
  call: string,
  paths: readonly string[],
  more: readonly string[],
): Promise<Ended & { log: string }> {
  const file = join(at.folder, `strace-${++runs}.txt`);
  // Only the calls in question stop the program, so that it runs nearly as fast as without.
  const flags = ['-f', '--seccomp-bpf', '-qq', '-o', file, '-e', `trace=${call}`].concat(
    more,
    paths.flatMap((path) => ['-P', path]),
  );
  const { child, ended } = spawnProgram('strace', [...flags, process.execPath, ...nodeArguments(), ...args], {
    cwd: at.folder,
    env: { DATABASE_URL: at.databaseUrl, TMPDIR: at.folder },
  });
  child.stdin?.end();
  const end = await ended;
  const log = existsSync(file) ? readFileSync(file, 'utf8') : '';
  rmSync(file, { force: true });
  return { ...end, log };
}

function occurrences(text: string, part: string): number {
  return text.split(part).length - 1;
}

/** What a failure looks like that is said as it should be: one sentence with a next step, and its exit code. */
export function objectionToFailure({ code, stderr }: Ended): string | undefined {
  const sentences = stderr.split('\n').filter((line) => line.startsWith('roster: '));
  if (code !== 69 && code !== 74) return `ended with ${code}: ${stderr}`;
  if (sentences.length !== 1) return `said ${sentences.length} sentences: ${stderr}`;
  if (!/^roster: [A-Z][^\n]*[;,] [^\n]*\.$/.test(sentences[0] ?? '')) return `says no next step: ${stderr}`;
  return /\n\s+at |node:|Error:|example\.com/.test(stderr) ? `says too much: ${stderr}` : undefined;
}

interface TracedService {
  address: string;
  port: number;
  /** A SIGTERM to the service itself: one to strace would leave it running. */
  stop: () => Promise<Ended>;
}

/** A service under strace, which makes system calls on the log of the database fail as `inject` says. */
export async function serveTraced(at: Installation, calls: string, inject: string): Promise<TracedService> {
  const running = spawnProgram(
    'strace',
    ['-f', '--seccomp-bpf', '-qq', '-o', '/dev/null', '-P', `${at.file}-wal`].concat(
      ['-e', `trace=${calls}`, '-e', `inject=${calls}:${inject}`],
      [process.execPath, ...nodeArguments(), 'serve'],
    ),
    { cwd: at.folder, env: { DATABASE_URL: at.databaseUrl, TMPDIR: at.folder, ROSTER_RATE_LIMIT: '0' } },
  );
  const address = await addressOf(running);
  return {
    address,
    port: Number(new URL(address).port),
    stop: () => {
      const pid = running.child.pid ?? 0;
      const traced = Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim());
      process.kill(traced, 'SIGTERM');
      return running.ended;
    },
  };
}
