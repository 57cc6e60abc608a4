/**
 * Measures what it costs to start, round by round, so that a change of the machine's load meets every row:
 *
 *   node bench/start.ts [ROUNDS [MAIN.JS…]]       (after npm run build; default: 11 rounds of dist/main.js)
 *
 * Prints one JSON document: for each row the median in milliseconds from the start of the process to its first 200, or
 * to its end, and for servers their resident memory in MB, a second after that (on Linux only). Several programs are
 * compared with one another in one run, each on a database of its own. Figures of one run may be compared with each
 * other, not with another's.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { freePort } from '../test/support/free-port.ts';
import { nodeArguments } from '../test/support/program.ts';
import { memoryOf } from './processes.ts';
import { median } from './rounds.ts';

interface Row {
  name: string;
  args: readonly string[];
  /** Whether it serves until it is told to stop; otherwise it ends by itself. */
  serves: boolean;
  env: Record<string, string | undefined>;
}

interface Start {
  ms: number;
  rssMb?: number;
}

const askedEveryMs = 2;
const idleAfterMs = 1_000;
const hello =
  "require('node:http').createServer((_, response) => response.end('{}')).listen(process.env.PORT, '127.0.0.1')";

const commands = {
  serve: ['serve'],
  '--version': ['--version'],
  '--help': ['--help'],
  'keys create': ['keys', 'create', '--project', 'bench', '--name', 'bench'],
};

if (import.meta.main) {
  const [rounds = '11', ...given] = process.argv.slice(2);
  const programs = (given.length > 0 ? given : ['dist/main.js']).map((path) => resolve(path));
  const measured = await measureStarts(programs, Number(rounds));
  const rows = measured.map(({ name, starts }) => summary(name, starts));
  const { node } = process.versions;
  console.log(JSON.stringify({ node, cores: availableParallelism(), rounds: Number(rounds), rows }, null, 2));
}

/** Starts a bare `node:http` server and then each command of each program, in turn; one list of starts a row. */
export async function measureStarts(
  programs: readonly string[],
  rounds: number,
  names: readonly (keyof typeof commands)[] = ['serve', '--version', '--help', 'keys create'],
): Promise<{ name: string; starts: Start[] }[]> {
  const folder = mkdtempSync(join(tmpdir(), 'roster-start-'));
  try {
    const bare = { name: 'node:http', args: ['-e', hello], serves: true, env: environment(folder, 'none') };
    const own = names.flatMap((name) =>
      programs.map((program, index) => ({
        name: programs.length > 1 ? `${name} of ${program}` : name,
        args: [...nodeArguments(program), ...commands[name]],
        serves: name === 'serve',
        env: environment(folder, String(index)),
      })),
    );
    for (const [index, program] of programs.entries()) prepare(program, environment(folder, String(index)));
    const rows = [bare, ...own].map((row) => ({ row, starts: [] as Start[] }));
    for (let round = 0; round <= rounds; round++) {
      for (const { row, starts } of rows) {
        const start = await measure(row);
        // The first round fills the caches.
        if (round > 0) starts.push(start);
      }
    }
    return rows.map(({ row: { name }, starts }) => ({ name, starts }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function environment(folder: string, name: string) {
  return { PATH: process.env['PATH'], DATABASE_URL: `sqlite:${join(folder, `${name}.db`)}` };
}

function prepare(program: string, env: Row['env']): void {
  execFileSync(process.execPath, [program, 'projects', 'create', 'Bench', '--id', 'bench'], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

async function measure({ name, args, serves, env }: Row): Promise<Start> {
  const ports = { PORT: String(await freePort()), ROSTER_METRICS_PORT: String(await freePort()) };
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...args], {
    env: { ...env, ...ports },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  try {
    if (serves) await untilServed(child, ports.PORT);
    else await ended;
    const ms = performance.now() - startedAt;
    if (!serves && child.exitCode !== 0) throw new Error(`${name} ended with ${child.exitCode}`);
    if (!serves) return { ms };
    await sleep(idleAfterMs);
    return { ms, ...residentMemory(child) };
  } finally {
    child.kill();
    await ended;
  }
}

async function untilServed(child: ChildProcess, port: string): Promise<void> {
  while ((await statusOf(`http://127.0.0.1:${port}/livez`)) !== 200) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
    await sleep(askedEveryMs);
  }
}

/** Undefined while nobody listens. */
function statusOf(url: string): Promise<number | undefined> {
  return new Promise((answered) => {
    get(url, { agent: false }, (response) => answered(response.resume().statusCode)).on('error', () =>
      answered(undefined),
    );
  });
}

function residentMemory({ pid = 0 }: ChildProcess): { rssMb?: number } {
  return existsSync(`/proc/${pid}/status`) ? { rssMb: memoryOf(pid) / 2 ** 20 } : {};
}

function summary(name: string, starts: readonly Start[]) {
  const ms = starts.map((one) => one.ms);
  const memory = starts.flatMap(({ rssMb }) => (rssMb === undefined ? [] : [rssMb]));
  return {
    name,
    ms: Math.round(median(ms)),
    leastMs: Math.round(Math.min(...ms)),
    ...(memory.length > 0 && { rssMb: Math.round(median(memory)) }),
  };
}
