import { join } from 'node:path';

import { freePort } from '../../test/support/free-port.ts';
import { administer, databaseUrl, startPostgres } from '../../test/support/postgres.ts';
import { nodeArguments } from '../../test/support/program.ts';
import { ask, type Target } from '../load.ts';
import { serve } from '../processes.ts';
import { type Question, requestsFor } from '../questions.ts';
import type { Comparison, OfBoth, Side } from './comparison.ts';
import { fillByCommands, layout, type People, writePeople } from './fill.ts';

export const engines = ['sqlite', 'postgres'] as const;
export type Engine = (typeof engines)[number];

export interface AgainstOptions {
  rounds: number;
  /** Of each measurement of an answer. */
  seconds: number;
  contacts: number;
  engines: readonly Engine[];
}

const [serverCore, loadCore] = [0, 1];
const connections = 64;
/** Time for the compiler, and for older programs, which believe for ten seconds what they read before the first job. */
const warmUpSeconds = 14;
/** As in production; the limit is counted and never reached. */
const settings = { PORT: '0', ROSTER_RATE_LIMIT: '1000000000' };

/** CPU microseconds of the serving process for each answer: both programs in turn, after a constant of node:http. */
export async function compareAnswers(
  programs: OfBoth<string>,
  questions: readonly Question[],
  { contacts, engines, rounds, seconds }: AgainstOptions,
  folder: string,
  open: AsyncDisposableStack,
): Promise<Comparison[]> {
  const rows: { start: () => ReturnType<typeof serve>; requests: string; micros: number[] }[] = [];
  const add = (args: string[], env: Record<string, string>, requests: string) => {
    const micros: number[] = [];
    rows.push({ start: () => serve(args, env, serverCore), requests, micros });
    return micros;
  };
  const people = writePeople(folder, contacts);
  const constant = new URL('../servers/node-http.ts', import.meta.url).pathname;
  const nodeHttp = add([constant], {}, requestsFor('members', ['none'], contacts));
  const comparisons: Comparison[] = [];
  for (const engine of engines) {
    const urls = engine === 'sqlite' ? sqliteUrls(folder) : await postgresUrls(open);
    const tokens = await fillBoth(programs, urls, people);
    const roster = async (side: Side, question: Question) =>
      add(
        [...nodeArguments(programs[side]), 'serve'],
        { ...settings, DATABASE_URL: urls[side], ROSTER_METRICS_PORT: String(await freePort()) },
        requestsFor(question, tokens[side], contacts, layout),
      );
    // A process for each question: the memory that one question leaves would change the next.
    for (const question of questions) {
      const measured = { new: await roster('new', question), old: await roster('old', question), nodeHttp };
      comparisons.push({ what: `${question}, ${engine}`, unit: 'CPU µs', rounds: measured });
    }
  }
  const load = { connections, core: loadCore };
  for (let round = 1; round <= rounds; round++) {
    // Whoever comes second may find the machine otherwise.
    const inTurn = round % 2 === 0 ? rows.toReversed() : rows;
    for (const { start, requests, micros } of inTurn) {
      // V8 compiles the same program better or worse by a tenth, and stays with it as long as the process lives.
      await using server = await start();
      const target: Target = { address: server.address, pids: () => [server.pid], requests, folder };
      await ask(target, { ...load, seconds: warmUpSeconds });
      micros.push(1e6 / (await ask(target, { ...load, seconds })).perCpuSecond);
    }
    console.error(`answers: round ${round} of ${rounds}`);
  }
  return comparisons;
}

function sqliteUrls(folder: string): OfBoth<string> {
  const url = (side: Side) => `sqlite:${join(folder, `${side}.db`)}`;
  return { new: url('new'), old: url('old') };
}

/** A database for each, on one server. */
async function postgresUrls(open: AsyncDisposableStack): Promise<OfBoth<string>> {
  const { url } = open.use(await startPostgres());
  await administer(url, 'create database bench_new', 'create database bench_old');
  return { new: databaseUrl(url, 'bench_new'), old: databaseUrl(url, 'bench_old') };
}

async function fillBoth(programs: OfBoth<string>, urls: OfBoth<string>, people: People): Promise<OfBoth<string[]>> {
  const fill = async (side: Side) => {
    console.error(`answers: fill ${side} database`);
    const tokens = await fillByCommands({ program: programs[side], url: urls[side] }, people);
    // The statistics now, so that autovacuum does not make them during a round.
    if (urls[side].startsWith('postgres:')) await administer(urls[side], 'vacuum analyze', 'checkpoint');
    return tokens;
  };
  const [ours, old] = await Promise.all([fill('new'), fill('old')]);
  return { new: ours, old };
}
