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
import { parseArgs } from 'node:util';

import { measureAnswers } from './answers.ts';
import { measureContactGrowth, measureMemberGrowth } from './growth.ts';
import { type Figures, report } from './report.ts';
import { measureWorkers } from './workers.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    peers: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    contacts: { type: 'string', default: '1000000' },
  },
});
const options = {
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
  contacts: Number(values.contacts),
  peers: values.peers,
};

function printed(...args: string[]): never {
  return JSON.parse(
    execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }),
  ) as never;
}

const growing = [10_000, 100_000, 1_000_000, 10_000_000];
const chapters: Record<string, (folder: string) => unknown> = {
  answers: (folder) => measureAnswers({ ...options, folder }),
  contacts: (folder) => measureContactGrowth({ ...options, rounds: 3, sizes: growing, folder }),
  members: (folder) => measureMemberGrowth({ ...options, sizes: [15, 1_000, 100_000], folder }),
  workers: (folder) => measureWorkers({ ...options, folder }),
  start: () => printed('bench/start.ts', '11'),
  import: () => printed('bench/import.ts', '300000', '3'),
  'import-growth': () => printed('bench/import.ts', 'growth'),
};

const file = 'docs/performance.json';
const figures = JSON.parse(readFileSync(file, 'utf8')) as Figures;
const asked = positionals.length > 0 ? positionals : Object.keys(chapters);
for (const name of asked.filter((one) => one !== 'report')) {
  const chapter = chapters[name];
  if (!chapter)
    throw new Error(`There is no chapter ${name}, only ${Object.keys(chapters).join(', ')}, report.`);
  const folder = mkdtempSync(join(tmpdir(), 'roster-bench-'));
  try {
    console.error(name);
    const measured = await chapter(folder);
    Object.assign(figures, { [name]: { ...circumstances(), figures: measured } });
    writeFileSync(file, `${JSON.stringify(figures, null, 2)}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
report(figures);

function circumstances() {
  const [cpu] = cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    node: process.versions.node,
    machine: `${cpus().length} cores (${cpu?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, shared`,
  };
}
