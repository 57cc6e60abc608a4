/**
 * Measures what docs/performance.md says, everything side by side:
 *
 *   npm run bench                          all chapters (about 70 minutes); Linux, with wrk on the PATH
 *   npm run bench -- answers members       some of them
 *   npm run bench -- answers --peers DIR   with Directus, which it installs into DIR from the npm registry
 *   npm run bench -- report                the document again from the last figures
 *
 * Server and load are each held to a core of their own. Figures go to docs/performance.json, tables and the plot to
 * docs/performance.md and docs/performance.svg. Those of one run may be compared with each other, not with another's.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';

import { Argument, Command, InvalidArgumentError } from 'commander';

import { measureAnswers } from './answers.ts';
import { measureContactGrowth, measureMemberGrowth } from './growth.ts';
import { type Figures, report } from './report.ts';

interface Options {
  rounds: number;
  seconds: number;
  contacts: number;
  peers?: string;
}

function printed(...args: string[]): never {
  return JSON.parse(
    execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }),
  ) as never;
}

const growing = [10_000, 100_000, 1_000_000, 10_000_000];
const chapters: Record<string, (folder: string, options: Options) => unknown> = {
  answers: (folder, options) => measureAnswers({ ...options, folder }),
  contacts: (folder, options) => measureContactGrowth({ ...options, rounds: 3, sizes: growing, folder }),
  members: (folder, options) => measureMemberGrowth({ ...options, sizes: [15, 1_000, 100_000], folder }),
  start: () => printed('bench/start.ts', '11'),
  import: () => printed('bench/import.ts', '300000', '3'),
  'import-growth': () => printed('bench/import.ts', 'growth'),
};

const file = 'docs/performance.json';

await new Command('npm run bench --')
  .description('Measure what docs/performance.md says, and write it there. Needs Linux, two cores and wrk.')
  .addArgument(
    new Argument(
      '[chapters...]',
      'what is measured, or "report" for the document from the last figures',
    ).choices([...Object.keys(chapters), 'report']),
  )
  .option('--peers <folder>', 'with Directus, installed there from the npm registry')
  .option('--rounds <number>', 'how often each is measured, in turn', whole, 5)
  .option('--seconds <number>', 'how long each time', whole, 4)
  .option('--contacts <number>', 'how many there are', whole, 1_000_000)
  .action(bench)
  .parseAsync();

async function bench(asked: string[], options: Options): Promise<void> {
  const figures = JSON.parse(readFileSync(file, 'utf8')) as Figures;
  for (const [name, chapter] of Object.entries(chapters)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    const folder = mkdtempSync(join(tmpdir(), 'roster-bench-'));
    try {
      console.error(name);
      const measured = await chapter(folder, options);
      Object.assign(figures, { [name]: { ...circumstances(), figures: measured } });
      writeFileSync(file, `${JSON.stringify(figures, null, 2)}\n`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  report(figures);
}

function whole(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1)
    throw new InvalidArgumentError('It is a whole number from 1.');
  return number;
}

function circumstances() {
  const [cpu] = cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    node: process.versions.node,
    machine: `${cpus().length} cores (${cpu?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, shared`,
  };
}
