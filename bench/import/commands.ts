import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';

import { nodeArguments } from '../../test/support/program.ts';
import type { Order } from './people.ts';

export interface Cost {
  seconds: number;
  cpuSeconds: number;
  peakMiB?: number;
}

const bare = fileURLToPath(new URL('bare.ts', import.meta.url));
const target = ['--chatbot', '8839210412', '--project', 'acme'] as const;

/** Those of an import, so that it is the inserting that is compared (`manyWritten` of the SQLite engine). */
const importPragmas = 'pragma cache_size = -65536; pragma wal_autocheckpoint = 32768';

/** Loaded into a command to tell what it used, on a channel of its own. */
const usage = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from 'node:fs';
  import { isMainThread } from 'node:worker_threads';
  if (isMainThread) process.on('exit', () => writeSync(3, JSON.stringify(process.resourceUsage())));`)}`;

/** A built program and the database that it works on. */
export interface Installation {
  /** Missing: this checkout's. */
  program?: string | undefined;
  url: string;
}

/** Runs a command to its end and throws where it fails. */
export async function run(
  { program, url }: Installation,
  args: readonly string[],
  input?: Readable,
): Promise<{ stdout: string; cost: Cost }> {
  const start = performance.now();
  const child = spawn(process.execPath, ['--import', usage, ...nodeArguments(program), ...args], {
    env: { ...process.env, DATABASE_URL: url },
    stdio: [input ? 'pipe' : 'ignore', 'pipe', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [stdout, stderr, used] = await Promise.all([
    text(child.stdio[1] as Readable),
    text(child.stdio[2] as Readable),
    text(child.stdio[3] as Readable),
    input && child.stdin ? pipeline(input, child.stdin) : undefined,
  ]);
  if ((await ended) !== 0) throw new Error(`roster ${args.join(' ')} failed: ${stderr}`);
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(used) as NodeJS.ResourceUsage;
  return {
    stdout,
    cost: {
      seconds: (performance.now() - start) / 1_000,
      cpuSeconds: (userCPUTime + systemCPUTime) / 1_000_000,
      peakMiB: Math.round(maxRSS / 1_024),
    },
  };
}

/** A new database with a project and a chatbot; returns its path. */
export async function installed(database: string, program?: string): Promise<string> {
  const on = { program, url: `sqlite:${database}` };
  await run(on, ['projects', 'create', 'Example Ltd', '--id', 'acme']);
  await run(on, ['chatbots', 'create', '--project', 'acme', '--name', 'Front desk', '--id', target[1]]);
  return database;
}

/** Imports a file, or a CSV that comes on stdin, and throws unless the account says what is expected. */
export async function importCommand(
  database: string,
  source: string | Readable,
  expected: Record<string, number>,
  program?: string,
): Promise<Cost> {
  const isFile = typeof source === 'string';
  const args = ['contacts', 'import', ...(isFile ? [source] : ['-', '--format', 'csv']), ...target, '--json'];
  const { stdout, cost } = await run({ program, url: `sqlite:${database}` }, args, isFile ? undefined : source);
  const account = JSON.parse(stdout) as Record<string, unknown>;
  for (const [outcome, count] of Object.entries(expected))
    if (account[outcome] !== count) throw new Error(`not ${count} were ${outcome}: ${stdout}`);
  return cost;
}

export async function exportCommand(database: string, output: string): Promise<Cost> {
  return (await run({ url: `sqlite:${database}` }, ['contacts', 'export', ...target, '--output', output])).cost;
}

/** Bare inserts in a process of their own; `steps` are the seconds after each step of the rows. */
export async function bareInserts(
  database: string,
  { order, rows, step, pragmas = importPragmas }: { order: Order; rows: number; step: number; pragmas?: string },
): Promise<Cost & { steps: number[] }> {
  const args = [bare, database, 'acme', target[1], order, String(rows), String(step), pragmas];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  return JSON.parse(await text(child.stdout)) as Cost & { steps: number[] };
}
