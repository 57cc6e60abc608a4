import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { openDatabase } from '../src/database/open-store.ts';
import { nodeArguments } from '../test/support/program.ts';
import { fill } from './dataset.ts';
import { ask } from './load.ts';
import { memoryOf, serve } from './processes.ts';
import { requestsFor } from './questions.ts';
import { type Row, rounds } from './rounds.ts';

/** One process and two workers on the same cores as the load, each with the limit on and off: Zipf. */
export async function measureWorkers(options: {
  contacts: number;
  rounds: number;
  seconds: number;
  folder: string;
}) {
  await using open = new AsyncDisposableStack();
  const url = `sqlite:${join(options.folder, 'workers.db')}`;
  const database = await openDatabase(url);
  const tokens = await fill(database, options.contacts);
  await database[Symbol.asyncDispose]();
  const requests = requestsFor('contact, Zipf', tokens, options.contacts);
  const rows: Row[] = [];
  for (const [workers, limit] of [
    ['1', '1000000000'],
    ['2', '1000000000'],
    ['2', '0'],
  ] as const) {
    const settings = { PORT: '0', ROSTER_METRICS_PORT: '0', DATABASE_URL: url };
    const env = { ...settings, ROSTER_WORKERS: workers, ROSTER_RATE_LIMIT: limit };
    const { address, pid } = open.use(await serve([...nodeArguments(), 'serve'], env));
    const pids = () => [pid, ...childrenOf(pid)];
    const bytes = () => pids().reduce((total, one) => total + memoryOf(one), 0);
    rows.push({
      name: `${workers === '1' ? 'one process' : 'two workers'}, limit ${limit === '0' ? 'off' : 'on'}`,
      load: (load) => ask({ address, pids, requests, folder: options.folder }, load),
      residentBytes: bytes,
    });
  }
  return await rounds(rows, options);
}

function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
}
