/**
 * Measures this checkout against an older commit, or all that docs/performance.md says, everything side by side:
 *
 *   npm run bench                          all chapters (about 70 minutes); Linux, with wrk on the PATH
 *   npm run bench -- answers members       some of them
 *   npm run bench -- answers --peers DIR   with Directus, which it installs into DIR from the npm registry
 *   npm run bench -- report                the document again from the last figures
 *   npm run bench -- against COMMIT        the ratios new/old, printed only (about 15 minutes; bench/against/)
 *   npm run bench -- against COMMIT zipf   some of: zipf uniform members start import
 *
 * Server and load are each held to a core of their own. Figures go to docs/performance.json, tables and the plot to
 * docs/performance.md and docs/performance.svg. Those of one run may be compared with each other, not with another's.
 *
 * `against` builds the commit in a temporary git worktree and uses this Node for both programs. Each program fills its
 * own databases by its own commands. Both take turns in every round (new, old, new, old …); a ratio is the median of
 * the rounds' ratios. "Of node:http" is a bare node:http server, measured in the same rounds, divided by Roster.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';

import { Argument, Command, InvalidArgumentError } from 'commander';

import { type Engine, engines } from './against/answers.ts';
import { against, comparable } from './against/main.ts';
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
// Imported when asked for: they use modules of src/, which `against` does not depend on.
const chapters: Record<string, (folder: string, options: Options) => unknown> = {
  answers: async (folder, options) => (await import('./answers.ts')).measureAnswers({ ...options, folder }),
  contacts: async (folder, options) =>
    (await import('./growth.ts')).measureContactGrowth({ ...options, rounds: 3, sizes: growing, folder }),
  members: async (folder, options) =>
    (await import('./growth.ts')).measureMemberGrowth({ ...options, sizes: [15, 1_000, 100_000], folder }),
  writes: async (folder, options) => (await import('./writes/main.ts')).measureWrites({ ...options, folder }),
  search: async (folder, options) =>
    (await import('./search/main.ts')).measureSearch({ ...options, isInOrder: true, folder }),
  'search-unordered': async (folder, options) =>
    (await import('./search/main.ts')).measureSearch({ ...options, isInOrder: false, folder }),
  console: async (folder, options) => (await import('./console.ts')).measureConsole({ ...options, folder }),
  start: () => printed('bench/start.ts', '11'),
  import: () => printed('bench/import.ts', '300000', '3'),
  'import-growth': () => printed('bench/import.ts', 'growth'),
};

const file = 'docs/performance.json';

const program = new Command('npm run bench --')
  // An option after `against` is the option of `against`.
  .enablePositionalOptions()
  .description('Measure what docs/performance.md says, and write it there. Needs Linux, two cores and wrk.')
  .addArgument(
    new Argument('[chapters...]', 'what is measured, or "report" for the document from the last figures').choices([
      ...Object.keys(chapters),
      'report',
    ]),
  )
  .option('--peers <folder>', 'with Directus, installed there from the npm registry')
  .option('--rounds <number>', 'how often each is measured, in turn', whole, 5)
  .option('--seconds <number>', 'how long each time', whole, 4)
  .option('--contacts <number>', 'how many there are', whole, 1_000_000)
  .action(bench);
program
  .command('against')
  .description('Measure this checkout against an older commit in turn, and print the ratios.')
  .argument('<commit>', 'a commit of this repository')
  .addArgument(new Argument('[questions...]', 'what is compared (default: all)').choices(comparable))
  .option('--rounds <number>', 'how often each is measured, in turn', whole, 5)
  .option('--seconds <number>', 'how long each time', whole, 4)
  .option('--contacts <number>', 'how many there are', whole, 200_000)
  .option('--engines <list>', 'separated by commas', enginesOf, [...engines])
  .option('--json', 'print one JSON document')
  .action(against);
await program.parseAsync();

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
  if (!Number.isSafeInteger(number) || number < 1) throw new InvalidArgumentError('It is a whole number from 1.');
  return number;
}

function enginesOf(text: string): Engine[] {
  const found = engines.filter((engine) => text.split(',').includes(engine));
  if (found.length !== text.split(',').length) throw new InvalidArgumentError(`Allowed are: ${engines.join(', ')}.`);
  return found;
}

function circumstances() {
  const [cpu] = cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    node: process.versions.node,
    machine: `${cpus().length} cores (${cpu?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, shared`,
  };
}
