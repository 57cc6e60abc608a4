import { fileURLToPath } from 'node:url';

import { startPostgres } from '../../test/support/postgres.ts';
import { serve } from '../processes.ts';
import { requestsTo } from '../questions.ts';
import { median } from '../rounds.ts';
import { chatbot, growTo, prepare } from './setting.ts';
import { load, loadCore, program, roster, sqliteIn, timed } from './trial.ts';

interface Options {
  rounds: number;
  seconds: number;
  folder: string;
}

const path = `/v2/chatbots/${chatbot}/contacts`;

/** Lua: contacts of the chatbot, few of them very often (Zipf, s = 1). */
function zipf(token: string, contacts: number): string {
  const first = 1.5 / Math.E;
  return `
wrk.headers['Authorization'] = 'Bearer ${token}'
function init() math.randomseed(os.time()) end
function request()
  local rank = math.floor(${first} * math.exp(math.random() * ${Math.log((contacts + 0.5) / first)}) + 0.5)
  local i = (rank * 15485863) % ${contacts} + 1
  return wrk.format('GET', string.format('${path}/%.0f', (i * 740737387) % 4294967296))
end`;
}

/** CPU microseconds of an answer (Zipf), at rest and while another process commits to another project (SQLite). */
export async function measureBesideCommits({ rounds, seconds, folder }: Options) {
  await using open = new AsyncDisposableStack();
  const url = sqliteIn(folder, 'commits.db');
  const token = await prepare(url);
  await prepare(url, 'other');
  const contacts = 100_000;
  await growTo(url, contacts);
  const serving = open.use(await roster(url));
  const read = async () =>
    1e6 / (await load(serving, zipf(token, contacts), folder, { connections: 64, seconds })).perCpuSecond;
  await read();
  const rest: number[] = [];
  const beside: number[] = [];
  const writer = fileURLToPath(new URL('other-writer.ts', import.meta.url));
  for (let round = 1; round <= rounds; round++) {
    rest.push(await read());
    await using _ = await serve([writer, url, 'other', chatbot], {}, loadCore);
    beside.push(await read());
  }
  const ratios = beside.map((micros, round) => micros / (rest[round] ?? Number.NaN));
  return { atRest: median(rest), beside: median(beside), ratio: median(ratios) };
}

/** The first page of 25 against a constant of that size, and pages of a chatbot of 700,000. */
export async function measureLists({ rounds, seconds, folder }: Options) {
  await using open = new AsyncDisposableStack();
  const postgres = open.use(await startPostgres());
  const results = [];
  for (const [engine, url] of [
    ['SQLite', sqliteIn(folder, 'lists.db')],
    ['PostgreSQL', postgres.url],
  ] as const) {
    const token = await prepare(url);
    const contacts = 700_000;
    await growTo(url, contacts);
    await using serving = await roster(url);
    const { address } = serving;
    const body = await (await fetch(address + path, { headers: { authorization: `Bearer ${token}` } })).text();
    await using constant = await program('node-http', body);
    const first = requestsTo(path, token);
    const ratios: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      const limit = await load(constant, first, folder, { connections: 64, seconds });
      const ours = await load(serving, first, folder, { connections: 64, seconds });
      if (round > 0) ratios.push(ours.perCpuSecond / limit.perCpuSecond);
    }
    const page = (number: number) => timed(address, token, `${path}?page=${number}`);
    const last = contacts / 25;
    const walk = async (from: number) => {
      const times: number[] = [];
      // The first of a walk jumps.
      await page(from);
      for (let number = from + 1; number <= from + 200; number++) times.push(await page(number));
      return median(times);
    };
    results.push({
      engine,
      firstOfConstant: median(ratios),
      walkFirstMs: await walk(1),
      walkMiddleMs: await walk(last / 2),
      walkLastMs: await walk(last - 201),
      jumpMs: median([await page(last / 2 + 500), await page(last / 2 - 500), await page(last / 2 + 900)]),
    });
  }
  return results;
}

/** Milliseconds from a commit in one process to the answer of a request that waits in another. */
export async function measureFeed({ folder }: Options) {
  await using open = new AsyncDisposableStack();
  const postgres = open.use(await startPostgres(200, true));
  const results = [];
  for (const [engine, url] of [
    ['SQLite', sqliteIn(folder, 'feed.db')],
    ['PostgreSQL', postgres.url],
  ] as const) {
    const token = await prepare(url);
    await using writer = await roster(url);
    await using reader = await roster(url);
    const delays: number[] = [];
    let cursor = '*';
    const next = async (wait: number) => {
      const url_ = `${reader.address}/v2/events?wait=${wait}&limit=500&after=${cursor}`;
      const answer = await fetch(url_, { headers: { authorization: `Bearer ${token}` } });
      const { data } = (await answer.json()) as { data: { events: object[]; next_cursor: string } };
      cursor = data.next_cursor;
      return data.events.length;
    };
    while ((await next(0)) > 0);
    for (let i = 0; i < 50; i++) {
      const answered = next(20).then(() => performance.now());
      await new Promise((resolve) => setTimeout(resolve, 30 + i));
      await timed(writer.address, token, path, { properties: { name: 'Person' } });
      const committed = performance.now();
      delays.push((await answered) - committed);
    }
    const sorted = delays.toSorted((a, b) => a - b);
    results.push({ engine, medianMs: median(delays), p95Ms: sorted[47] ?? 0 });
  }
  return results;
}

const itemsPerRequest = 1_000;

/** Items a second of bulk requests of 1,000 upserts, half of whom are there already. */
export async function measureBulk({ rounds, folder }: Options) {
  await using open = new AsyncDisposableStack();
  const postgres = open.use(await startPostgres(200, true));
  const results = [];
  for (const [engine, url] of [
    ['SQLite', sqliteIn(folder, 'bulk.db')],
    ['PostgreSQL', postgres.url],
  ] as const) {
    const token = await prepare(url);
    await using serving = await roster(url);
    const rates: number[] = [];
    for (let round = 0; round < rounds * 5; round++) {
      const items = Array.from({ length: itemsPerRequest }, (_, i) => ({
        op: 'upsert',
        match: { email: `bulk${round * 500 + i}@example.com` },
        properties: { name: `Person ${round}`, phone: '+1 555 0100', company_name: 'Example Ltd' },
      }));
      rates.push((itemsPerRequest / (await timed(serving.address, token, `${path}/bulk`, { items }))) * 1_000);
    }
    results.push({ engine, itemsPerSecond: median(rates.slice(3)) });
  }
  return results;
}
