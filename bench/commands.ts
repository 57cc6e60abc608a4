import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

import { nodeArguments } from '../test/support/program.ts';
import { kept } from './processes.ts';

/** A built program and the database that it works on. */
export interface Installation {
  /** Missing: this checkout's. */
  program?: string | undefined;
  url: string;
}

export interface Cost {
  seconds: number;
  cpuSeconds: number;
  /** The most memory that it held. */
  peakMiB: number;
}

/** Loaded into a command to tell what it used, on a channel of its own. */
const usage = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from 'node:fs';
  import { isMainThread } from 'node:worker_threads';
  if (isMainThread) process.on('exit', () => writeSync(3, JSON.stringify(process.resourceUsage())));`)}`;

/** Runs a command of Roster to its end and throws where it fails. */
export async function run({ program, url }: Installation, args: readonly string[]): Promise<Cost & { stdout: string }> {
  const start = performance.now();
  using child = kept(
    spawn(process.execPath, ['--import', usage, ...nodeArguments(program), ...args], {
      env: { PATH: process.env['PATH'], DATABASE_URL: url },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    }),
  );
  const ended = new Promise<number | null>((resolve) => child.process.once('exit', resolve));
  const [, ...channels] = child.process.stdio as Readable[];
  const [stdout = '', stderr = '', used = '{}'] = await Promise.all(channels.map(text));
  if ((await ended) !== 0) throw new Error(`roster ${args.join(' ')} failed: ${stderr}`);
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(used) as NodeJS.ResourceUsage;
  return {
    stdout,
    seconds: (performance.now() - start) / 1_000,
    cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
    peakMiB: maxRSS / 1_024,
  };
}

/** Imports a file of contacts and throws unless the account counts `expected`. */
export async function importFile(
  installation: Installation,
  [project, chatbot]: readonly [string, string],
  file: string,
  expected: Record<string, number>,
): Promise<Cost> {
  const args = ['contacts', 'import', file, '--project', project, '--chatbot', chatbot, '--json'];
  const { stdout, ...cost } = await run(installation, args);
  const account = JSON.parse(stdout) as Record<string, unknown>;
  for (const [outcome, count] of Object.entries(expected))
    if (account[outcome] !== count) throw new Error(`not ${count} were ${outcome}: ${stdout}`);
  return cost;
}
