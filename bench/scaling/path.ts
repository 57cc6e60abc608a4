import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Client } from 'pg';

import { openDatabase, storeOn } from '../../src/database/open-store.ts';
import { createApiKey } from '../../test/support/people.ts';
import { administer } from '../../test/support/postgres.ts';
import { grow, prepare } from '../dataset.ts';
import { chatbots, placeOf, projects } from '../people.ts';
import { lookUp, median, shown } from './look-up.ts';
import { serveForLoad } from './serve.ts';

const rounds = 5;
const selection =
  'id, name, email, job_title, phone, website, company, created_at from contacts where project_id = $1 and chatbot_id = $2 and id = $3';

/** One read by every way there is to it: pgbench, a bare loop on the driver, the store, HTTP; and with row security. */
export async function measurePath(url: string, folder: string, n: number): Promise<void> {
  await using loader = await openDatabase(url);
  await prepare(loader);
  await grow(loader, 1, n);
  const store = storeOn(loader);
  const tokens: string[] = [];
  for (let i = 0; i < projects; i++) {
    tokens.push((await createApiKey(store, String(i), { name: 'measure' })).token);
  }
  const bound = await servingUser(url);
  byPgbench(url, folder, n);
  await byDriver(url, n);
  await byStore('store', url, false, n);
  await byStore('store with row security', bound, true, n);
  await byHttp({ url, bound, tokens, folder, n });
}

async function servingUser(url: string): Promise<string> {
  await administer(
    url,
    'drop role if exists measure_serving',
    'create role measure_serving login',
    'grant select on all tables in schema public to measure_serving',
    'grant update (last_used_at) on api_keys to measure_serving',
  );
  const bound = new URL(url);
  bound.username = 'measure_serving';
  return bound.href;
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

async function byStore(name: string, url: string, rowSecurity: boolean, n: number): Promise<void> {
  await using database = await openDatabase(url, { serving: true, rowSecurity });
  const store = storeOn(database);
  console.log(`${name}, 16 at once | ${shown(await lookUp(16, n, (i) => store.contacts.find(...placeOf(i))))}`);
}

interface Target {
  url: string;
  bound: string;
  tokens: string[];
  folder: string;
  n: number;
}

/** The two side by side, round by round, so that a change of the machine's mood meets both. */
async function byHttp({ bound, ...given }: Target): Promise<void> {
  const servers = {
    HTTP: await serveForLoad(given),
    'HTTP with row security': await serveForLoad({ ...given, url: bound }, { ROSTER_ROW_SECURITY: 'on' }),
  };
  const figures = Object.entries(servers).map(([name, server]) => {
    return { name, server, perSecond: [] as number[], perCpuSecond: [] as number[] };
  });
  for (let round = 0; round <= rounds; round++) {
    for (const { name, server, perSecond, perCpuSecond } of figures) {
      const served = server.measure(5);
      console.log(`${name}, round ${round} | ${JSON.stringify(served)}`);
      // The first round warms up.
      if (round === 0) continue;
      perSecond.push(served.perSecond);
      perCpuSecond.push(served.perCpuSecond);
    }
  }
  for (const { name, server, perSecond, perCpuSecond } of figures) {
    server.stop();
    console.log(`${name} | ${Math.round(median(perSecond))}/s | ${Math.round(median(perCpuSecond))}/CPU s`);
  }
}
