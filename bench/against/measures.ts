import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { administer, databaseUrl, startPostgres } from '../../test/support/postgres.ts';
import { chatbot, type Engine, read, write } from '../bench.ts';
import { importFile, run } from '../commands.ts';
import { type Measured, measure } from '../load.ts';
import { addProject } from '../parts/imports.ts';
import { serverStart } from '../parts/start.ts';
import { writePeople } from '../people.ts';
import { startRoster } from '../processes.ts';
import { type Comparison, type OfBoth, type Side, sides } from './comparison.ts';

export interface AgainstOptions {
  rounds: number;
  /** Of each measurement of an answer. */
  seconds: number;
  contacts: number;
  engines: readonly Engine[];
}

export interface Both extends AgainstOptions {
  /** The built program of each side. */
  programs: OfBoth<string>;
  folder: string;
  open: AsyncDisposableStack;
}

/** Time for the compiler. */
const warmUpSeconds = 5;
const connections = 64;
const project = 'bench';
const asked = { reads: read, writes: write };

/** Reads or writes: both programs in turn, by a new process each time. */
export async function compareAnswers(both: Both, what: 'reads' | 'writes'): Promise<Comparison[]> {
  const { contacts: people, engines, folder, programs, rounds, seconds } = both;
  const file = join(folder, 'people.csv');
  await writePeople(file, 1, people);
  const comparisons: Comparison[] = [];
  for (const engine of engines) {
    const urls = await databases(both, engine, what);
    const tokens: OfBoth<string> = { new: '', old: '' };
    for (const side of sides) {
      console.error(`${what}, ${engine}: fill the ${side} database`);
      const installation = { program: programs[side], url: urls[side] };
      await run(installation, ['migrate']);
      await addProject(urls[side], project, programs[side]);
      const key = await run(installation, [
        'keys',
        'create',
        '--project',
        project,
        '--name',
        'bench',
        '--scope',
        'all',
        '--json',
      ]);
      tokens[side] = (JSON.parse(key.stdout) as { token: string }).token;
      await importFile(installation, [project, chatbot], file, { created: people });
      // The statistics now, so that autovacuum does not make them during a round.
      if (engine === 'PostgreSQL') await administer(urls[side], 'vacuum analyze', 'checkpoint');
    }
    const found = await inTurn(rounds, `${what}, ${engine}`, async (side) => {
      // V8 compiles the same program better or worse by a tenth, and stays with it as long as the process lives.
      await using server = await startRoster(urls[side], { program: programs[side] });
      const load = { address: server.address, connections, ...asked[what], tokens: [tokens[side]], people };
      await measure([server.pid], { ...load, seconds: warmUpSeconds });
      return await measure([server.pid], { ...load, seconds });
    });
    const series = (of: keyof Measured) => seriesOf(found, (one) => one[of]);
    comparisons.push({ what: `${what}, ${engine}`, unit: 'CPU µs', rounds: series('cpuMicros') });
    comparisons.push({ what: `${what}, ${engine}`, unit: 'a second', rounds: series('perSecond') });
  }
  return comparisons;
}

export async function compareStarts({ folder, programs, rounds }: Both): Promise<Comparison[]> {
  const url = (side: Side) => `sqlite:${join(folder, `start-${side}.db`)}`;
  for (const side of sides) await run({ program: programs[side], url: url(side) }, ['migrate']);
  // Starts are short and vary most, so they get more rounds.
  const found = await inTurn(2 * rounds + 1, 'start', async (side) =>
    serverStart(await startRoster(url(side), { program: programs[side] })),
  );
  return [
    { what: 'start to the first 200', unit: 'ms', rounds: seriesOf(found, ({ ms }) => ms) },
    { what: 'idle memory', unit: 'MiB', rounds: seriesOf(found, ({ idleMiB }) => idleMiB ?? 0) },
  ];
}

export async function compareImports({ contacts, folder, programs, rounds }: Both): Promise<Comparison[]> {
  const file = join(folder, 'import.csv');
  await writePeople(file, 1, contacts);
  const found = await inTurn(rounds, 'import', async (side) => {
    const path = join(folder, `import-${side}.db`);
    const installation = { program: programs[side], url: `sqlite:${path}` };
    await run(installation, ['migrate']);
    await addProject(installation.url, project, programs[side]);
    const cost = await importFile(installation, [project, chatbot], file, { created: contacts });
    rmSync(path);
    return cost;
  });
  return [
    { what: 'import', unit: 'rows a second', rounds: seriesOf(found, ({ seconds }) => contacts / seconds) },
    { what: 'import', unit: 'CPU s', rounds: seriesOf(found, ({ cpuSeconds }) => cpuSeconds) },
  ];
}

/** Whoever comes second may find the machine otherwise, so the sides change places. */
async function inTurn<T>(rounds: number, what: string, once: (side: Side) => Promise<T>): Promise<OfBoth<T[]>> {
  const found: OfBoth<T[]> = { new: [], old: [] };
  for (let round = 1; round <= rounds; round++) {
    for (const side of round % 2 === 0 ? sides.toReversed() : sides) found[side].push(await once(side));
    console.error(`${what}: round ${round} of ${rounds}`);
  }
  return found;
}

function seriesOf<T>(found: OfBoth<T[]>, of: (one: T) => number): OfBoth<number[]> {
  return { new: found.new.map(of), old: found.old.map(of) };
}

/** A database for each side; on PostgreSQL on one server that commits durably. */
async function databases({ folder, open }: Both, engine: Engine, what: string): Promise<OfBoth<string>> {
  if (engine === 'SQLite') {
    const url = (side: Side) => `sqlite:${join(folder, `${what}-${side}.db`)}`;
    return { new: url('new'), old: url('old') };
  }
  const { url } = open.use(await startPostgres(200, true));
  await administer(url, 'create database bench_new', 'create database bench_old');
  return { new: databaseUrl(url, 'bench_new'), old: databaseUrl(url, 'bench_old') };
}
