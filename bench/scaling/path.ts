import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Client } from 'pg';

import { openDatabase, storeOn } from '../../src/database/open-store.ts';
import { createApiKey } from '../../test/support/people.ts';
import { grow, prepare } from '../dataset.ts';
import { chatbots, placeOf, projects } from '../people.ts';
import { lookUp, median, shown } from './look-up.ts';
import { serveForLoad } from './serve.ts';

const rounds = 5;
const selection =
  'id, name, email, job_title, phone, website, company, created_at from contacts where project_id = $1 and chatbot_id = $2 and id = $3';

/** One read by every way there is to it: pgbench, a bare loop on the driver, the store, HTTP. */
export async function measurePath(url: string, folder: string, n: number): Promise<void> {
  await using loader = await openDatabase(url);
  await prepare(loader);
  await grow(loader, 1, n);
  const store = storeOn(loader);
  const tokens: string[] = [];
  for (let i = 0; i < projects; i++) {
    tokens.push((await createApiKey(store, String(i), { name: 'measure' })).token);
  }
  byPgbench(url, folder, n);
  await byDriver(url, n);
  await byStore(url, n);
  await byHttp({ url, tokens, folder, n });
}

function byPgbench(url: string, folder: string, n: number): void {
  const file = join(folder, 'look-up.sql');
  const statement = selection.replace('$1', ':p::text').replace('$2', ':c::text').replace('$3', ':k::text');
  writeFileSync(
    file,
    `\\set i random(1, ${n})
\\set p :i % ${projects}
\\set c :i % ${chatbots}
\\set k (:i * 740737387) % 4294967296
select ${statement};
`,
  );
  for (const clients of ['1', '4', '16']) {
    const args = ['-n', '-M', 'prepared', '-c', clients, '-j', '1', '-T', '10', '-f', file, url];
    const out = execFileSync('pgbench', args, { encoding: 'utf8' });
    console.log(`pgbench, ${clients} clients | ${/tps = ([\d.]+)/.exec(out)?.[1]}/s`);
  }
}

async function byDriver(url: string, n: number): Promise<void> {
  for (const connections of [1, 2, 4]) {
    const clients = Array.from({ length: connections }, () => new Client({ connectionString: url, pipeline: true }));
    await Promise.all(clients.map((client) => client.connect()));
    let turn = 0;
    const found = await lookUp(16, n, async (i) => {
      const query = { name: 'look_up', text: `select ${selection}`, values: placeOf(i) };
      return (await clients[turn++ % connections]?.query<object>(query))?.rows[0];
    });
    console.log(`bare loop of 16 on ${connections} connections | ${shown(found)}`);
    await Promise.all(clients.map((client) => client.end()));
  }
}

async function byStore(url: string, n: number): Promise<void> {
  await using database = await openDatabase(url, { serving: true });
  const store = storeOn(database);
  console.log(`store, 16 at once | ${shown(await lookUp(16, n, (i) => store.contacts.find(...placeOf(i))))}`);
}

interface Target {
  url: string;
  tokens: string[];
  folder: string;
  n: number;
}

async function byHttp(target: Target): Promise<void> {
  const server = await serveForLoad(target);
  const perSecond: number[] = [];
  const perCpuSecond: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const served = server.measure(5);
    console.log(`HTTP, round ${round} | ${JSON.stringify(served)}`);
    // The first round warms up.
    if (round === 0) continue;
    perSecond.push(served.perSecond);
    perCpuSecond.push(served.perCpuSecond);
  }
  server.stop();
  console.log(`HTTP | ${Math.round(median(perSecond))}/s | ${Math.round(median(perCpuSecond))}/CPU s`);
}
