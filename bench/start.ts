/**
 * Measures what it costs to start, round by round, so that a change of the machine's mood meets every row:
 *
 *   node bench/start.ts [ROUNDS [MAIN.JS…]]       (after npm run build; default: 11 rounds of dist/main.js)
 *
 * Prints one JSON document: for each row the median in milliseconds from the start of the process to its first 200, or
 * to its end, and for servers their resident memory in MB, a second after that (on Linux only). Several programs are
 * compared with one another in one run. Figures of one run may be compared with each other, not with another's.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

interface Row {
  name: string;
  args: readonly string[];
  /** Whether it serves until it is told to stop; else it ends by itself. */
  serves: boolean;
}

interface Measured {
  ms: number;
  rssMb?: number;
}

const askedEveryMs = 2;
const idleAfterMs = 1_000;
const hello =
  "require('node:http').createServer((_, response) => response.end('{}')).listen(process.env.PORT, '127.0.0.1')";

const [rounds = '11', ...given] = process.argv.slice(2);
const programs = (given.length > 0 ? given : ['dist/main.js']).map((path) => resolve(path));
const folder = mkdtempSync(join(tmpdir(), 'roster-start-'));
const environment = {
  PATH: process.env['PATH'],
  DATABASE_URL: `sqlite:${join(folder, 'roster.db')}`,
};
try {
  const rows = [{ name: 'node:http', args: ['-e', hello], serves: true }, ...programs.flatMap(rowsOf)];
  run(programs[0] ?? '', 'projects', 'create', 'Bench', '--id', 'bench');
  const measured = rows.map((row) => ({ row, times: [] as Measured[] }));
  for (let round = 0; round <= Number(rounds); round++) {
    for (const { row, times } of measured) {
      const one = await measure(row);
      // The first round fills the caches.
      if (round > 0) times.push(one);
    }
  }
  console.log(
    JSON.stringify(
      {
        node: process.versions.node,
        cores: availableParallelism(),
        rounds: Number(rounds),
        rows: measured.map(({ row: { name }, times }) => summary(name, times)),
      },
      null,
      2,
    ),
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function rowsOf(program: string): Row[] {
  const label = programs.length > 1 ? ` of ${program}` : '';
  return [
    { name: `serve${label}`, args: [program, 'serve'], serves: true },
    { name: `--version${label}`, args: [program, '--version'], serves: false },
    { name: `--help${label}`, args: [program, '--help'], serves: false },
    {
      name: `keys create${label}`,
      args: [program, 'keys', 'create', '--project', 'bench', '--name', 'bench'],
      serves: false,
    },
  ];
}

function run(...args: string[]): void {
  execFileSync(process.execPath, args, { env: environment, stdio: ['ignore', 'ignore', 'inherit'] });
}

async function measure({ name, args, serves }: Row): Promise<Measured> {
  const ports = { PORT: String(await freePort()), ROSTER_METRICS_PORT: String(await freePort()) };
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...args], {
    env: { ...environment, ...ports },
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

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (typeof address !== 'object' || address === null) throw new Error('no port is free');
  return address.port;
}

function residentMemory({ pid }: ChildProcess): { rssMb?: number } {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return {};
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(file, 'utf8')) ?? [];
  return { rssMb: Number(kilobytes) / 1_024 };
}

function summary(name: string, times: readonly Measured[]) {
  const ms = times.map((one) => one.ms);
  const memory = times.flatMap(({ rssMb }) => (rssMb === undefined ? [] : [rssMb]));
  return {
    name,
    ms: Math.round(median(ms)),
    leastMs: Math.round(Math.min(...ms)),
    ...(memory.length > 0 && { rssMb: Math.round(median(memory)) }),
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
