import { resolve } from 'node:path';

import type { Bench } from '../bench.ts';
import { checkOut, thisCheckout } from './checkout.ts';
import { summaryOf, tableOf } from './comparison.ts';
import { type AgainstOptions, type Both, compareAnswers, compareImports, compareStarts } from './measures.ts';

const measures = {
  reads: (both: Both) => compareAnswers(both, 'reads'),
  writes: (both: Both) => compareAnswers(both, 'writes'),
  start: compareStarts,
  import: compareImports,
};

/** The names of all that can be compared. */
export const comparable = Object.keys(measures);

/** Measures this checkout and an older commit in turn and prints the ratios. Removes the older checkout at the end. */
export async function against(
  { folder, open, say }: Pick<Bench, 'folder' | 'open' | 'say'>,
  commit: string,
  asked: readonly string[],
  { json, ...options }: AgainstOptions & { json?: boolean },
): Promise<void> {
  say(`build ${commit}`);
  const old = open.use(checkOut(commit, folder));
  const both = { ...options, folder, open, programs: { new: resolve('dist/main.js'), old: old.program } };
  const comparisons = [];
  for (const [name, measure] of Object.entries(measures))
    if (asked.length === 0 || asked.includes(name)) comparisons.push(...(await measure(both)));
  const head = { new: thisCheckout(), old: old.commit, node: process.versions.node, ...options };
  const full = comparisons.map((one) => Object.assign(summaryOf(one), { rounds: one.rounds }));
  if (json === true) console.log(JSON.stringify({ ...head, comparisons: full }, undefined, 2));
  else console.log(`new: ${head.new}, old: ${head.old}, Node ${head.node}\n\n${tableOf(comparisons)}`);
}
