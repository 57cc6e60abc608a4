/**
 * Measures what docs/performance.md says, or this checkout against an older commit. Linux, two cores.
 *
 *   npm run bench                       everything, in at most 30 minutes; writes docs/performance.json and the page
 *   npm run bench -- search             one part, printed only
 *   npm run bench -- --short            everything with little, in a minute: shows that each part works
 *   npm run bench -- report             the page again from docs/performance.json
 *   npm run bench -- against COMMIT     the ratios new/old, printed only; some of: reads writes start import
 *
 * Server and load have a core each. PostgreSQL takes what they leave. `against` builds the commit in a temporary git
 * worktree and uses this Node for both programs, which take turns; a ratio is the median of the rounds' ratios.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { Argument, Command, InvalidArgumentError } from 'commander';

import { thisCheckout } from './against/checkout.ts';
import { against, comparable } from './against/main.ts';
import type { AgainstOptions } from './against/measures.ts';
import { type Bench, type Engine, engines, fullSize, type Setting, shortSize } from './bench.ts';
import { measureAnswers } from './parts/answers.ts';
import { measureImports } from './parts/imports.ts';
import { measurePeer } from './parts/peer.ts';
import { measureRecovery } from './parts/recovery.ts';
import { measureSearch } from './parts/search.ts';
import { measureStarts } from './parts/start.ts';
import { type Figures, pageWith, type Run, sectionsOf } from './report.ts';
import { makeSetting } from './setting.ts';

const parts: { [Name in keyof Figures]-?: (bench: Bench) => Promise<Figures[Name]> } = {
  growth: async (given) =>
    (await Promise.all(engines.map((engine) => given.setting(engine)))).flatMap(({ growth }) => growth),
  // Before the writes: whom they create has one name, and is newer than whom a search is for.
  search: measureSearch,
  answers: measureAnswers,
  recovery: measureRecovery,
  start: measureStarts,
  import: measureImports,
  peer: measurePeer,
};
const names = Object.keys(parts) as (keyof Figures)[];

const [json, page] = ['docs/performance.json', 'docs/performance.md'];
const minutesMax = 30;

const program = new Command('npm run bench --')
  // An option after `against` is the option of `against`.
  .enablePositionalOptions()
  .description('Measure what docs/performance.md says. Without a part: all of it, and write it there.')
  .addArgument(new Argument('[parts...]', 'what is measured, or "report"').choices([...names, 'report']))
  .option('--short', 'with little of everything, to see that it works')
  .action(bench);
program
  .command('against')
  .description('Measure this checkout against an older commit in turn, and print the ratios.')
  .argument('<commit>', 'a commit of this repository')
  .addArgument(new Argument('[measures...]', 'what is compared (default: all)').choices(comparable))
  .option('--rounds <number>', 'how often each is measured, in turn', whole, 5)
  .option('--seconds <number>', 'how long each time', whole, 4)
  .option('--contacts <number>', 'how many there are', whole, 200_000)
  .option('--engines <list>', 'separated by commas', enginesOf, [...engines])
  .option('--json', 'print one JSON document')
  .action(async (commit: string, asked: string[], options: AgainstOptions) => {
    await within(Infinity, (tools) => against(tools, commit, asked, options));
    process.exit();
  });
await program.parseAsync();

async function bench(asked: string[], { short: isShort = false }: { short?: boolean }): Promise<void> {
  if (asked.includes('report')) return writeReport(JSON.parse(readFileSync(json, 'utf8')) as Run);
  const startedAt = performance.now();
  const chosen = names.filter((name) => asked.length === 0 || asked.includes(name));
  const figures: Partial<Figures> = {};
  await within(minutesMax * 60_000, async (tools) => {
    const basis = { ...tools, size: isShort ? shortSize : fullSize, mayInstall: !isShort };
    const whole = { ...basis, setting: settingsOf(basis) };
    for (const name of chosen) {
      if (tools.over.aborted) return;
      tools.say(`part ${name}`);
      try {
        Object.assign(figures, { [name]: await parts[name](whole) });
      } catch (error) {
        console.error(error);
      }
    }
  });
  const missing = chosen.filter((name) => figures[name] === undefined);
  if (missing.length > 0) process.exitCode = 1;
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  const run: Run = { ...circumstances(), seconds, missing, figures };
  for (const section of Object.values(sectionsOf(run))) console.log(`\n${section}`);
  if (asked.length === 0 && !isShort) {
    writeFileSync(json, `${JSON.stringify(run, null, 2)}\n`);
    writeReport(run);
  }
  // In a short run too: the page has a place for each table.
  else pageWith(readFileSync(page, 'utf8'), run);
  // A part that took too long may still be on its way; the end of this process ends its children.
  process.exit();
}

/** One after the other: two imports at once would measure each other. */
function settingsOf(basis: Omit<Bench, 'setting'>): Bench['setting'] {
  const made = new Map<Engine, Promise<Setting>>();
  let last: Promise<unknown> = Promise.resolve();
  return (engine) => {
    const found = made.get(engine);
    if (found) return found;
    const next = last.then(() => makeSetting(basis, engine));
    last = next.catch(() => undefined);
    made.set(engine, next);
    return next;
  };
}

function writeReport(run: Run): void {
  writeFileSync(page, pageWith(readFileSync(page, 'utf8'), run));
  execFileSync('node_modules/.bin/oxfmt', [json, page]);
}

type Tools = Pick<Bench, 'folder' | 'open' | 'say'> & { over: AbortSignal };

/** Works in a folder of its own; ends what was started when the work is done, fails, takes too long or is interrupted. */
async function within(ms: number, work: (tools: Tools) => Promise<void>): Promise<void> {
  const startedAt = performance.now();
  await using open = new AsyncDisposableStack();
  const folder = open.adopt(mkdtempSync(join(tmpdir(), 'roster-bench-')), (path) =>
    rmSync(path, { recursive: true, force: true }),
  );
  const say = (text: string) => {
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    console.error(`${String(seconds).padStart(5)} s  ${text}`);
  };
  const over = new AbortController();
  const { signal } = over;
  const ends = [
    once(process, 'SIGINT', { signal }).then(() => 'interrupted'),
    once(process, 'SIGTERM', { signal }).then(() => 'interrupted'),
    ...(ms < Infinity ? [pause(ms, `took more than ${ms / 60_000} minutes`, { signal })] : []),
  ];
  try {
    const why = await Promise.race([work({ folder, open, say, over: signal }), ...ends]);
    if (why !== undefined) throw new Error(why);
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  } finally {
    for (const one of ends) one.catch(() => undefined);
    over.abort();
  }
}

function circumstances(): Omit<Run, 'seconds' | 'missing' | 'figures'> {
  const [cpu] = cpus();
  return {
    commit: thisCheckout(),
    date: new Date().toISOString().slice(0, 10),
    node: process.versions.node,
    machine: `${cpus().length} cores (${cpu?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB`,
  };
}

function whole(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) throw new InvalidArgumentError('It is a whole number from 1.');
  return number;
}

function enginesOf(text: string): Engine[] {
  const found = engines.filter((engine) => text.toLowerCase().split(',').includes(engine.toLowerCase()));
  if (found.length !== text.split(',').length) throw new InvalidArgumentError(`Allowed are: ${engines.join(', ')}.`);
  return found;
}
