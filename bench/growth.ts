import { statSync } from 'node:fs';
import { join } from 'node:path';

import { openDatabase, storeOn } from '../src/database/open-store.ts';
import { migrate } from '../src/database/upkeep/migrate.ts';
import { createApiKey, createProject, storeMembers } from '../test/support/people.ts';
import { nodeArguments } from '../test/support/program.ts';
import { fill, grow } from './dataset.ts';
import { ask } from './load.ts';
import { memoryOf, serve } from './processes.ts';
import { requestsFor, requestsTo } from './questions.ts';
import { median, megabytes } from './rounds.ts';

interface GrowthOptions {
  sizes: readonly number[];
  rounds: number;
  seconds: number;
  folder: string;
}

const load = { connections: 64, core: 1 };
const settings = { PORT: '0', ROSTER_RATE_LIMIT: '1000000000', ROSTER_METRICS_PORT: '0' };
const warmUpSeconds = 10;

async function measure(path: string, requests: readonly string[], { rounds, seconds, folder }: GrowthOptions) {
  await using serving = await serve([...nodeArguments(), 'serve'], { ...settings, DATABASE_URL: `sqlite:${path}` }, 0);
  const { address, pid } = serving;
  const targets = requests.map((one) => ({ address, pids: () => [pid], requests: one, folder }));
  const micros = requests.map((): number[] => []);
  for (const target of targets) await ask(target, { ...load, seconds: warmUpSeconds });
  for (let round = 0; round < rounds; round++) {
    for (const [index, target] of targets.entries()) {
      micros[index]?.push(1e6 / (await ask(target, { ...load, seconds })).perCpuSecond);
    }
  }
  return { micros: micros.map(median), loadedMb: megabytes(memoryOf(pid)) };
}

/** CPU microseconds of an answer over HTTP, contacts at random, as their number grows. */
export async function measureContactGrowth(options: GrowthOptions) {
  const path = join(options.folder, 'growing.db');
  const rows = [];
  let tokens: string[] = [];
  let before = 0;
  for (const size of options.sizes) {
    await using database = await openDatabase(`sqlite:${path}`);
    if (before === 0) tokens = await fill(database, size);
    else await grow(database, before + 1, size);
    before = size;
    const { micros, loadedMb } = await measure(path, [requestsFor('contact, uniform', tokens, size)], options);
    rows.push({ contacts: size, micros: micros[0] ?? 0, bytes: statSync(path).size / size, loadedMb });
    console.error(`${size} contacts`);
  }
  return rows;
}

const perPage = 15;

/** The same for the first, a middle and the last page of a project's members. */
export async function measureMemberGrowth(options: GrowthOptions) {
  const path = join(options.folder, 'members.db');
  const rows = [];
  for (const size of options.sizes) {
    const token = await projectWith(`sqlite:${path}`, size);
    const last = Math.ceil(size / perPage);
    const pages = [1, Math.ceil(last / 2), last];
    // By `per_page` past what is known at once: each page is looked up each time.
    const asked = pages.map((page) => requestsTo(`/v2/members?page=${page}&per_page=${perPage}`, token));
    const { micros, loadedMb } = await measure(path, asked, options);
    rows.push({
      members: size,
      first: micros[0] ?? 0,
      middle: micros[1] ?? 0,
      last: micros[2] ?? 0,
      loadedMb,
    });
    console.error(`${size} members`);
  }
  return rows;
}

async function projectWith(url: string, size: number): Promise<string> {
  await using database = await openDatabase(url);
  await migrate(database);
  const store = storeOn(database);
  const { id } = await createProject(store, { name: `With ${size}` });
  for (let at = 0; at < size; at += 5_000) {
    const count = Math.min(5_000, size - at);
    const members = Array.from({ length: count }, (_, i) => ({
      email: `member${at + i}@example.com`,
      status: 'Active' as const,
      roles: at + i === 0 ? ['Owner' as const] : ['Editor' as const],
    }));
    await storeMembers(store, id, members);
  }
  return (await createApiKey(store, id, { name: 'bench' })).token;
}
