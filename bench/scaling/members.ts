/**
 * Measures what a page of members costs as a project grows and as pages go on, without HTTP, on SQLite and on
 * PostgreSQL (MEASURE_DATABASE_URL, an empty database; default: a server that is started for it):
 *
 *   node bench/scaling/members.ts
 *
 * CPU time of the asking process in microseconds, then time until the answer; the median of interleaved rounds.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { operator } from '../../src/actor.ts';
import { openDatabase, storeOn } from '../../src/database/open-store.ts';
import { migrate } from '../../src/database/upkeep/migrate.ts';
import { listMembers } from '../../src/members/list.ts';
import { run } from '../../src/operation.ts';
import type { Store } from '../../src/store.ts';
import { createProject, storeMembers } from '../../test/support/people.ts';
import { startPostgres } from '../../test/support/postgres.ts';
import { median } from './look-up.ts';

const sizes = [15, 1_000, 100_000];
const perPage = 15;
const rounds = 21;
const batchMs = 20;

type Input = Parameters<typeof listMembers.run>[2];

interface Case {
  name: string;
  ask: () => Promise<unknown>;
  cpu: number[];
  wall: number[];
}

async function fill(store: Store, size: number): Promise<string> {
  const { id } = await createProject(store, { name: `With ${size}` });
  for (let at = 0; at < size; at += 5_000) {
    const members = Array.from({ length: Math.min(5_000, size - at) }, (_, i) => ({
      email: `Member${at + i}@example.com`,
      status: (at + i) % 10 === 9 ? ('Pending' as const) : ('Active' as const),
      roles: at + i === 0 ? ['Owner' as const] : ['Editor' as const, 'Billing' as const],
    }));
    await storeMembers(store, id, members);
  }
  return id;
}

async function casesOf(store: Store, size: number): Promise<Case[]> {
  const projectId = await fill(store, size);
  const last = Math.ceil(size / perPage);
  const pages = { first: 1, middle: Math.ceil(last / 2), last, 'past the end': last + 1 };
  const filters: [string, Input][] = [
    ['by address', { email: `member${size - 1}@example.com` }],
    ['Pending', { status: 'Pending' }],
  ];
  const asked = (input: Input) => () => run(listMembers, store, operator(projectId), { ...input, per_page: perPage });
  const all: [string, () => Promise<unknown>][] = [
    ...Object.entries(pages).map(([name, page]): [string, () => Promise<unknown>] => [name, asked({ page })]),
    ...filters.map(([name, filter]): [string, () => Promise<unknown>] => [name, asked(filter)]),
  ];
  return all.map(([name, ask]) => ({ name: `${size} | ${name}`, ask, cpu: [], wall: [] }));
}

/** Asks one after the other for a while; the first round warms up. */
async function measure({ ask, cpu, wall }: Case, round: number): Promise<void> {
  const [cpuAt, startedAt] = [process.cpuUsage(), performance.now()];
  let asked = 0;
  for (; performance.now() - startedAt < batchMs || asked < 3; asked++) await ask();
  const { user, system } = process.cpuUsage(cpuAt);
  if (round === 0) return;
  cpu.push((user + system) / asked);
  wall.push(((performance.now() - startedAt) * 1_000) / asked);
}

async function report(engine: string, store: Store): Promise<void> {
  // Among three projects alone PostgreSQL would take the middle one for large, and plan each statement anew.
  for (let i = 0; i < 300; i++) await fill(store, perPage);
  const cases = (await Promise.all(sizes.map((size) => casesOf(store, size)))).flat();
  for (let round = 0; round <= rounds; round++) {
    for (const one of cases) await measure(one, round);
  }
  for (const { name, cpu, wall } of cases) {
    console.log(`${engine} | ${name} | ${median(cpu).toFixed(0)} µs | ${median(wall).toFixed(0)} µs`);
  }
}

const folder = mkdtempSync(join(tmpdir(), 'roster-measure-'));
const given = process.env['MEASURE_DATABASE_URL'];
const server = given === undefined ? await startPostgres() : undefined;
try {
  for (const [engine, url] of [
    ['SQLite', `sqlite:${join(folder, 'roster.db')}`],
    ['PostgreSQL', given ?? server?.url ?? ''],
  ] as const) {
    await using database = await openDatabase(url);
    await migrate(database);
    await report(engine, storeOn(database, { serving: true }));
  }
} finally {
  await server?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
}
