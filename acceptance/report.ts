import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';

import type { Profile } from './guarantee.ts';
import type { Result } from './trial.ts';

/** What a reader has to know of the machine to judge the figures. */
interface Environment {
  date: string;
  node: string;
  cpu: string;
  cores: number;
  memoryGiB: number;
}

export function environment(): Environment {
  return {
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
  };
}

interface Run extends Environment {
  profile: Profile;
  seed: number;
  seconds: number;
}

/** The results as a table of Markdown, with what was run above it. */
export function table(run: Run, results: readonly Result[]): string {
  const { profile, seed, seconds, date, node, cpu, cores, memoryGiB } = run;
  const rows = results.map(({ name, engine, tried, measured, seconds: took, failures, notShown, skipped }) => [
    name,
    engine,
    tried.toLocaleString('en'),
    verdictOf(failures, notShown, skipped),
    `${Math.round(took)} s`,
    // A bar would end the cell.
    measured.replaceAll('|', '\\|'),
  ]);
  const head = ['Guarantee', 'Engine', 'Tried', 'Result', 'Took', 'Measured'];
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  const about = `Profile ${profile}, seed ${seed}, ${seconds} s on ${date}: Node ${node}, ${cores} cores (${cpu}), ${memoryGiB} GiB.`;
  return `${about}\n\n${lines.join('\n')}\n`;
}

function verdictOf(failures: readonly string[], notShown: readonly string[], skipped?: string): string {
  if (skipped !== undefined) return `skipped: ${skipped}`;
  if (failures.length > 0) return `**${failures.length} wrong**`;
  return notShown.length === 0 ? 'holds' : `holds; not shown here: ${notShown.join('; ')}`;
}

/** Puts the text between `<!-- results -->` and `<!-- end -->`; throws where the document has no such place. */
export function writeInto(file: string, text: string): void {
  const before = readFileSync(file, 'utf8');
  const place = /(<!-- results -->).*?(<!-- end -->)/s;
  if (!place.test(before)) throw new Error(`${file} has no place for the results`);
  writeFileSync(file, before.replace(place, `$1\n\n${text}\n$2`));
}
