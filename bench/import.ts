/**
 * What an import and an export cost on SQLite, beside bare inserts of the same rows (needs `npm run build`):
 *
 *   node bench/import.ts [ROWS] [ROUNDS]       each in a process of its own, in turn; default 100000 3
 *   node bench/import.ts growth [ROWS] [STEP]  one file, the rate of each step; default 10000000 1000000
 *
 * One JSON document on stdout: medians of the rounds, and how much of the rate of bare inserts each has, once for a
 * file in the order of its addresses and once for one in none. Seconds of a command are those of all of it, its
 * start included. Figures of one run may be compared with each other only.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { bareInserts, type Cost, exportCommand, importCommand, installed } from './import/commands.ts';
import { growth } from './import/growth.ts';
import { type Order, writePeople } from './import/people.ts';

/** Everything once, in databases of its own. */
async function round(folder: string, rows: number, order: Order): Promise<Record<string, Cost>> {
  const databaseOf = (name: string) => installed(join(folder, `${name}.db`));
  const [fromCsv, fromNdjson] = [await databaseOf('csv'), await databaseOf('ndjson')];
  const [csv, ndjson] = [join(folder, 'people.csv'), join(folder, 'people.ndjson')];
  const bare = { order, rows, step: rows };
  const costs = {
    'bare inserts': await bareInserts(await databaseOf('bare'), bare),
    'bare inserts, default cache and checkpoints': await bareInserts(await databaseOf('default'), {
      ...bare,
      pragmas: '',
    }),
    'import of CSV': await importCommand(fromCsv, csv, { created: rows }),
    'import of NDJSON': await importCommand(fromNdjson, ndjson, { created: rows }),
    'the same CSV again': await importCommand(fromCsv, csv, { unchanged: rows }),
    'export to CSV': await exportCommand(fromCsv, join(folder, 'export.csv')),
  };
  for (const file of ['csv.db', 'ndjson.db', 'bare.db', 'default.db', 'export.csv']) rmSync(join(folder, file));
  return costs;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

function rounded(number: number): number {
  return Number(number.toPrecision(3));
}

async function measure(folder: string, rows: number, rounds: number, order: Order): Promise<object> {
  for (const format of ['csv', 'ndjson'] as const)
    await writePeople(join(folder, `people.${format}`), { format, n: rows, order });
  const costs: Record<string, Cost>[] = [];
  for (let i = 0; i < rounds; i++) costs.push(await round(folder, rows, order));
  const medianOf = (what: string, cost: keyof Cost) => median(costs.map((one) => one[what]?.[cost] ?? Number.NaN));
  const limit = { seconds: medianOf('bare inserts', 'seconds'), cpu: medianOf('bare inserts', 'cpuSeconds') };
  const results = Object.keys(costs[0] ?? {}).map((what) => {
    const [seconds, cpuSeconds] = [medianOf(what, 'seconds'), medianOf(what, 'cpuSeconds')];
    return {
      what,
      seconds: rounded(seconds),
      cpuSeconds: rounded(cpuSeconds),
      peakMiB: medianOf(what, 'peakMiB') || undefined,
      rowsPerSecond: Math.round(rows / seconds),
      ofBareRate: rounded(limit.seconds / seconds),
      ofBareRatePerCpuSecond: rounded(limit.cpu / cpuSeconds),
    };
  });
  return { rows, rounds, addresses: order, results };
}

const args = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'roster-import-'));
try {
  const results: object[] = [];
  for (const order of ['in order', 'in no order'] as const) {
    results.push(
      args[0] === 'growth'
        ? await growth(folder, Number(args[1] ?? 10_000_000), Number(args[2] ?? 1_000_000), order)
        : await measure(folder, Number(args[0] ?? 100_000), Number(args[1] ?? 3), order),
    );
  }
  console.log(JSON.stringify(results, undefined, 2));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
