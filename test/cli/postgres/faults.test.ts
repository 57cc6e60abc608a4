import { setTimeout as sleep } from 'node:timers/promises';

import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { generateToken } from '../../../src/api-keys/token.ts';
import { accountOf, type Answer, ask, isUnavailable } from '../../support/clients.ts';
import {
  adminUrl,
  connectionsOf,
  crash,
  type Fleet,
  freeze,
  type Population,
  populate,
  startFleet,
  takeAllConnections,
  terminateConnections,
  untilReplayed,
} from '../../support/faults.ts';
import { administer, type PostgresServer, startPostgres } from '../../support/postgres.ts';
import { nodeArguments, spawnProgram } from '../../support/program.ts';

/** What nobody waits longer than, with room for a busy machine; `scripts/faults.ts` measures what it is. */
const longestMs = 3_500;
const steadyWithinMs = 4_000;

// Servers and programs start and end in each: twenty seconds are too few on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

let server: PostgresServer;
let population: Population;
let fleet: Fleet;
/** All that the programs have written. */
const written: string[] = [];

beforeAll(async () => {
  server = await startPostgres(40);
  population = await populate(server);
  fleet = await startFleet(population, server);
});

afterAll(async () => {
  await fleet[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

function keep(one: Fleet): void {
  for (const running of one.processes) written.push(running.stdout(), running.stderr());
}

/** Every answer is exactly right or the 503 that is promised, and none comes late; there were some of the given. */
function expectHonest(answers: readonly Answer[], ...some: (200 | 503)[]): void {
  const account = accountOf(answers);
  expect(account.wrong).toEqual([]);
  expect(Object.keys(account.statuses)).toEqual(expect.arrayContaining(some.map(String)));
  expect(account.longestMs).toBeLessThan(longestMs);
}

describe('callers get the right answer or 503, and are soon served again,', () => {
  it.each([
    ['fast', ['SIGINT']],
    ['immediate', ['SIGQUIT']],
    ['smart, which waits for sessions to end, and then fast', ['SIGTERM', 'SIGINT']],
  ] as const)('when PostgreSQL is restarted: %s', async (_mode, signals) => {
    await using clients = fleet.clients();
    await clients.servedAgain(performance.now());
    const [first, second] = signals;
    const stopped = server.stop(first);
    if (second) {
      await sleep(500);
      server.child.kill(second);
    }
    await stopped;
    await sleep(300);
    await server.start();
    const { steadyMs } = await clients.servedAgain(performance.now());
    expect(steadyMs).toBeLessThan(steadyWithinMs);
    expectHonest(await clients.stop(), 200, 503);
  });

  it('when all connections are ended, twenty times', async () => {
    await using clients = fleet.clients();
    for (let time = 0; time < 20; time++) {
      await sleep(75);
      await terminateConnections(server);
    }
    const { steadyMs } = await clients.servedAgain(performance.now());
    expect(steadyMs).toBeLessThan(steadyWithinMs);
    expectHonest(await clients.stop(), 200, 503);
  });

  it('when PostgreSQL does not move for four seconds', async () => {
    await using clients = fleet.clients();
    await clients.servedAgain(performance.now());
    {
      using _frozen = await freeze(server);
      const frozenAt = performance.now();
      await Promise.all(
        fleet.addresses.map(async (address) => {
          const live = await ask(`${address}/livez`);
          expect([live.status, performance.now() - frozenAt < 1_500]).toEqual([200, true]);
          expect(isUnavailable(await ask(`${address}/readyz`))).toBe(true);
          expect(performance.now() - frozenAt).toBeLessThan(3_500);
          // A key that nobody could look up is not one that is refused.
          expect(
            isUnavailable(await ask(`${address}/v2/members`, { authorization: `Bearer ${generateToken()}` })),
          ).toBe(true);
        }),
      );
      await sleep(4_000 - (performance.now() - frozenAt));
    }
    const { steadyMs } = await clients.servedAgain(performance.now());
    expect(steadyMs).toBeLessThan(steadyWithinMs);
    expect(await connectionsOf(server)).toBeLessThanOrEqual(8 * fleet.processes.length);
    expect(fleet.peakMemory() ?? 0).toBeLessThan(300);
    expectHonest(await clients.stop(), 200, 503);
  });

  it('when a table is locked for three seconds', async () => {
    await using clients = fleet.clients();
    await clients.servedAgain(performance.now());
    const holder = new Client({ connectionString: adminUrl(server) });
    await holder.connect();
    await holder.query('begin; lock table contacts in access exclusive mode');
    const lockedAt = performance.now();
    await sleep(3_000);
    const releasedAt = performance.now();
    await holder.end();
    const { steadyMs } = await clients.servedAgain(performance.now());
    expect(steadyMs).toBeLessThan(steadyWithinMs);
    const answers = await clients.stop();
    const during = answers.filter(({ sentAt, ms }) => sentAt > lockedAt && sentAt + ms < releasedAt);
    expectHonest(answers, 200, 503);
    expectHonest(
      during.filter(({ kind }) => kind === 'members'),
      200,
    );
  });

  it('when others have taken all connections', async () => {
    {
      await using others = await takeAllConnections(population.ownerUrl(server));
      await terminateConnections(server);
      await others.more();
      const { code, stdout, stderr } = await fleet.start().ended;
      expect([code, stderr]).toEqual([
        69,
        expect.stringMatching(
          /^roster: The postgres database .* cannot be used: PostgreSQL has no connection left; raise max_connections or run fewer processes\.\n$/,
        ),
      ]);
      written.push(stdout);
      await using clients = fleet.clients();
      await sleep(500);
      const answers = await clients.stop();
      expectHonest(answers, 503);
      expect(accountOf(answers).statuses).not.toHaveProperty('200');
    }
    await using clients = fleet.clients();
    const { steadyMs } = await clients.servedAgain(performance.now());
    expect(steadyMs).toBeLessThan(steadyWithinMs);
    expectHonest(await clients.stop(), 200);
  });

  it('when the primary is lost and its standby promoted', async () => {
    await using primary = await startPostgres();
    const peopled = await populate(primary);
    await primary.stop();
    await using standby = await primary.standby();
    await primary.start();
    await standby.start();
    await using two = await startFleet(peopled, primary, standby);
    await untilReplayed(primary, standby);
    await using clients = two.clients();
    await clients.servedAgain(performance.now());
    await crash(primary);
    await sleep(500);
    const promotedAt = performance.now();
    await administer(standby.url, 'select pg_promote()');
    const { steadyMs } = await clients.servedAgain(promotedAt);
    expect(steadyMs).toBeLessThan(steadyWithinMs);
    expectHonest(await clients.stop(), 200, 503);
    keep(two);
  });
});

describe('events list --follow', () => {
  it('waits while PostgreSQL is restarted, says so once, and misses nothing', async () => {
    const env = { DATABASE_URL: population.ownerUrl(server) };
    const roster = (...args: string[]) => spawnProgram(process.execPath, [...nodeArguments(), ...args], { env });
    const json = async (...args: string[]) =>
      JSON.parse((await roster(...args, '--json').ended).stdout) as { id: string };
    const [project] = Object.values(await json('projects', 'list')) as unknown as { id: string }[];
    const at = ['--project', project?.id ?? ''];
    const following = roster('events', 'list', ...at, '--follow', '--json');
    await following.until(/"key\.created".*\n/);
    await server.stop();
    await sleep(2_500);
    await server.start();
    const { id } = await json('keys', 'create', ...at, '--name', 'after');
    await following.until(new RegExp(`"key_id":"${id}".*\n`));
    following.child.kill('SIGINT');
    const { code, stderr } = await following.ended;
    const waited = /^The store cannot be used: [^\n]+ Trying again each second, until Ctrl-C\.\nnext: --after \S+\n$/;
    expect([code, stderr]).toEqual([0, expect.stringMatching(waited)]);
  });
});

describe('a program', () => {
  it('that is told to stop while PostgreSQL does not move ends within ten seconds', async () => {
    await using clients = fleet.clients();
    await clients.servedAgain(performance.now());
    using _frozen = await freeze(server);
    await sleep(100);
    const toldAt = performance.now();
    for (const { child } of fleet.processes) child.kill('SIGTERM');
    const ended = await Promise.all(fleet.processes.map(({ ended }) => ended));
    expect(ended.map(({ code }) => code)).toEqual([0, 0]);
    expect(performance.now() - toldAt).toBeLessThan(10_000);
  });

  it('has written nothing of people, keys, passwords or statements in all this', () => {
    keep(fleet);
    for (const text of written) {
      for (const secret of population.secrets) expect(text).not.toContain(secret);
      expect(text).not.toMatch(/select |insert |update |\$1|contact-\d/);
    }
    expect(written.join('')).toContain('The store cannot be used');
  });
});
