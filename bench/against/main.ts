import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { importCommand, installed } from '../import/commands.ts';
import { writePeople } from '../import/people.ts';
import { requireLoadTools } from '../load.ts';
import type { Question } from '../questions.ts';
import { measureStarts } from '../start.ts';
import { type AgainstOptions, compareAnswers } from './answers.ts';
import { checkOut, thisCheckout } from './checkout.ts';
import { type Comparison, type OfBoth, sides, summaryOf, tableOf } from './comparison.ts';

const answers: Record<string, Question> = {
  zipf: 'contact, Zipf',
  uniform: 'contact, uniform',
  members: 'members',
};

/** The names of all that can be compared. */
export const comparable = [...Object.keys(answers), 'start', 'import'];

const importedRows = 300_000;

/** Measures this checkout and an older commit in turn and prints the ratios. Removes the older checkout at the end. */
export async function against(
  commit: string,
  asked: readonly string[],
  options: AgainstOptions & { json?: boolean },
): Promise<void> {
  await using open = new AsyncDisposableStack();
  const folder = open.adopt(mkdtempSync(join(tmpdir(), 'roster-against-')), (path) =>
    rmSync(path, { recursive: true, force: true }),
  );
  const named = asked.length > 0 ? asked : comparable;
  const questions = named.flatMap((name) => answers[name] ?? []);
  if (questions.length > 0) requireLoadTools();
  const signalled = interrupted();
  signalled.catch(() => undefined);
  console.error(`build ${commit}`);
  const old = open.use(checkOut(commit, folder));
  const programs = { new: resolve('dist/main.js'), old: old.program };
  const measure = async () => [
    ...(questions.length > 0 ? await compareAnswers(programs, questions, options, folder, open) : []),
    ...(named.includes('start') ? await compareStarts(programs, options) : []),
    ...(named.includes('import') ? await compareImports(programs, options, folder) : []),
  ];
  const comparisons = await Promise.race([measure(), signalled]);
  const { json, ...settings } = options;
  const head = { new: thisCheckout(), old: old.commit, node: process.versions.node, ...settings };
  const full = comparisons.map((one) => Object.assign(summaryOf(one), { rounds: one.rounds }));
  if (json === true) console.log(JSON.stringify({ ...head, comparisons: full }, undefined, 2));
  else console.log(`new: ${head.new}, old: ${head.old}, Node ${head.node}\n\n${tableOf(comparisons)}`);
}

/** Rejects on a signal, so that everything is closed and removed as after an error. */
async function interrupted(): Promise<never> {
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  throw new Error('interrupted');
}

async function compareStarts(programs: OfBoth<string>, { rounds }: { rounds: number }): Promise<Comparison[]> {
  // Starts are short and vary most, so they get more rounds.
  const [bare, ours, old] = await measureStarts([programs.new, programs.old], 2 * rounds + 1, ['serve']);
  const series = (of: 'ms' | 'rssMb') => {
    const [nodeHttp = [], ...both] = [bare, ours, old].map((row) => row?.starts.map((one) => one[of] ?? 0));
    return { new: both[0] ?? [], old: both[1] ?? [], nodeHttp };
  };
  return [
    { what: 'start to the first 200', unit: 'ms', rounds: series('ms') },
    { what: 'idle memory', unit: 'MiB', rounds: series('rssMb') },
  ];
}

async function compareImports(
  programs: OfBoth<string>,
  { rounds }: { rounds: number },
  folder: string,
): Promise<Comparison[]> {
  const csv = join(folder, 'import.csv');
  await writePeople(csv, { format: 'csv', n: importedRows, order: 'in no order' });
  const rates: OfBoth<number[]> = { new: [], old: [] };
  const cpu: OfBoth<number[]> = { new: [], old: [] };
  for (let round = 1; round <= rounds; round++) {
    for (const side of sides) {
      const database = await installed(join(folder, `import-${side}-${round}.db`), programs[side]);
      const cost = await importCommand(database, csv, { created: importedRows }, programs[side]);
      rates[side].push(importedRows / cost.seconds);
      cpu[side].push(cost.cpuSeconds);
      rmSync(database);
    }
    console.error(`import: round ${round} of ${rounds}`);
  }
  return [
    { what: 'import', unit: 'rows a second', rounds: rates },
    { what: 'import', unit: 'CPU s', rounds: cpu },
  ];
}
