import { execFileSync } from 'node:child_process';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

import { accountOf, type Answer, type Clients } from '../test/support/clients.ts';
import { crash, type Fleet, freeze, populate, startFleet, untilReplayed } from '../test/support/faults.ts';
import { administer, type PostgresServer, startPostgres } from '../test/support/postgres.ts';

/**
 * What sixteen callers of two processes see while PostgreSQL fails in every way, at full size: about two minutes.
 * Prints a line for each way, and ends with 1 where an answer was neither exactly right nor a 503 as promised.
 */

const limitMs = 600_000;
const failovers = 5;
const hungFailovers = 2;
const restartsOfEach = 5;
const haltedMs = 10_000;

interface Outcome {
  way: string;
  answers: readonly Answer[];
  firstMs: number;
  steadyMs: number;
}

const everything = new AsyncDisposableStack();
const overdue = setTimeout(() => void giveUp('it took too long'), limitMs);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void giveUp(signal));

try {
  execFileSync('npm', ['run', 'build', '--silent'], { stdio: 'inherit' });
  const outcomes: Outcome[] = [];
  for (let time = 0; time < failovers; time++) outcomes.push(await failover('primary killed', crash));
  for (let time = 0; time < hungFailovers; time++) {
    outcomes.push(await failover('primary halted', async (primary, own) => void own.use(await freeze(primary))));
  }
  outcomes.push(...(await restartsAndHalt()));
  report(outcomes);
} finally {
  clearTimeout(overdue);
  await everything.disposeAsync();
}

async function giveUp(reason: string): Promise<void> {
  console.error(`faults: given up: ${reason}`);
  await everything.disposeAsync();
  process.exit(1);
}

/** The primary fails and its standby is promoted half a second later; times are from the call of the promotion. */
async function failover(
  way: string,
  fail: (primary: PostgresServer, own: AsyncDisposableStack) => Promise<void>,
): Promise<Outcome> {
  await using own = everything.use(new AsyncDisposableStack());
  const primary = own.use(await startPostgres());
  const population = await populate(primary);
  await primary.stop();
  const standby = own.use(await primary.standby());
  await primary.start();
  await standby.start();
  const fleet = own.use(await startFleet(population, primary, standby));
  await untilReplayed(primary, standby);
  return await watch(`failover, ${way}`, fleet, async () => {
    await fail(primary, own);
    await sleep(500);
    const since = performance.now();
    await administer(standby.url, 'select pg_promote()');
    return since;
  });
}

/** Times are from when the server takes connections again, or goes on. */
async function restartsAndHalt(): Promise<Outcome[]> {
  await using own = everything.use(new AsyncDisposableStack());
  const server = own.use(await startPostgres());
  const fleet = own.use(await startFleet(await populate(server), server));
  const ways: Record<string, () => Promise<void>> = {
    'restart, fast': () => server.stop('SIGINT'),
    'restart, immediate': () => server.stop('SIGQUIT'),
    'restart, killed': () => crash(server),
    'restart, smart and after 1 s fast': async () => {
      const stopped = server.stop('SIGTERM');
      await sleep(1_000);
      server.child.kill('SIGINT');
      await stopped;
    },
  };
  const outcomes: Outcome[] = [];
  for (const [way, stop] of Object.entries(ways)) {
    for (let time = 0; time < restartsOfEach; time++) {
      outcomes.push(
        await watch(way, fleet, async () => {
          await stop();
          await server.start();
          return performance.now();
        }),
      );
    }
  }
  const halted = await watch(`halted for ${haltedMs / 1_000} s`, fleet, async () => {
    const frozen = own.use(await freeze(server));
    await sleep(haltedMs);
    frozen[Symbol.dispose]();
    return performance.now();
  });
  console.log(`peak memory of a process: ${fleet.peakMemory()?.toFixed(0) ?? 'unknown'} MB`);
  return [...outcomes, halted];
}

/** Lets callers ask while something fails, until they are served again. `fail` tells from when on that counts. */
async function watch(way: string, fleet: Fleet, fail: () => Promise<number>): Promise<Outcome> {
  await using clients: Clients = fleet.clients();
  await clients.servedAgain(performance.now());
  const again = await clients.servedAgain(await fail());
  return { way, answers: await clients.stop(), ...again };
}

function report(outcomes: Outcome[]): void {
  console.log(`load average ${loadavg()[0]?.toFixed(1)}; times in ms, the longest of all times`);
  console.table(
    Object.entries(Object.groupBy(outcomes, ({ way }) => way)).map(([way, each = []]) => {
      const { statuses, wrong, longestMs } = accountOf(each.flatMap(({ answers }) => answers));
      for (const one of wrong) console.error(one);
      if (wrong.length > 0) process.exitCode = 1;
      return {
        way,
        times: each.length,
        200: statuses['200'] ?? 0,
        503: statuses['503'] ?? 0,
        wrong: wrong.length,
        'longest request': Math.round(longestMs),
        'first good answer': longest(each.map(({ firstMs }) => firstMs)),
        'ten in a row': longest(each.map(({ steadyMs }) => steadyMs)),
      };
    }),
  );
}

function longest(values: readonly number[]): number {
  return Math.round(Math.max(...values));
}
