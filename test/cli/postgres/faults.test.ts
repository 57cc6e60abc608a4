import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { generateToken } from '../../../src/api-keys/token.ts';
import { accountOf, type Answer, ask, type Given, isUnavailable } from '../../support/clients.ts';
import { startProxy } from '../../support/cut-connections.ts';
import {
  adminUrl,
  connectionsOf,
  crash,
  type Fleet,
  freeze,
  listening,
  pauseReplay,
  type Population,
  populate,
  startFleet,
  takeAllConnections,
  terminateConnections,
  untilReplayed,
} from '../../support/faults.ts';
import { administer, type PostgresServer, startPostgres } from '../../support/postgres.ts';
import { spawnRoster, stop } from '../../support/program.ts';

/** What nobody waits longer than, with room for a busy machine. */
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
  it('when PostgreSQL ends at once and is started again', async () => {
    await using clients = fleet.clients();
    await clients.servedAgain(performance.now());
    await server.stop('SIGQUIT');
    await sleep(300);
    await server.start();
    const steadyMs = await clients.servedAgain(performance.now());
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
    const steadyMs = await clients.servedAgain(performance.now());
    expect(steadyMs).toBeLessThan(steadyWithinMs);
    expect(await connectionsOf(server)).toBeLessThanOrEqual(8 * fleet.processes.length);
    expect(fleet.peakMemory() ?? 0).toBeLessThan(300);
    expectHonest(await clients.stop(), 200, 503);
  });

  it('when the server of open connections takes no writes any more', async () => {
    await using clients = fleet.clients();
    await clients.servedAgain(performance.now());
    const setTo = (text: string) =>
      administer(server.url, `alter system ${text}`, 'select pg_reload_conf()', 'select pg_sleep(0.1)');
    await setTo('set default_transaction_read_only = on');
    for (const address of fleet.addresses) expect(isUnavailable(await ask(`${address}/readyz`))).toBe(true);
    const last = () => new Set(clients.answers.slice(-32).map(({ status }) => status));
    await expect.poll(last, { timeout: 2_000 }).toEqual(new Set([503]));
    await setTo('reset default_transaction_read_only');
    const steadyMs = await clients.servedAgain(performance.now());
    expect(steadyMs).toBeLessThan(steadyWithinMs);
    expectHonest(await clients.stop(), 200, 503);
  });

  it('when others have taken all connections', async () => {
    {
      await using others = await takeAllConnections(population.ownerUrl(server));
      const leftToPrograms = async () => {
        await terminateConnections(server);
        await others.more();
        return connectionsOf(server);
      };
      await expect.poll(leftToPrograms).toBe(0);
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
    const steadyMs = await clients.servedAgain(performance.now());
    expect(steadyMs).toBeLessThan(steadyWithinMs);
    expectHonest(await clients.stop(), 200);
  });
});

describe('a primary with a standby', () => {
  const own = new AsyncDisposableStack();
  let primary: PostgresServer;
  let standby: PostgresServer;
  let peopled: Population;

  beforeAll(async () => {
    primary = own.use(await startPostgres(200, true));
    peopled = await populate(primary);
    await primary.stop();
    standby = own.use(await primary.standby());
    await primary.start();
    await standby.start();
    await untilReplayed(primary, standby);
  });

  afterAll(() => own.disposeAsync());

  it('is what doctor calls safe only where commits wait for the standby', async () => {
    const findings = async (url = adminUrl(primary)) => {
      const doctor = spawnRoster(['doctor', '--json'], { env: { DATABASE_URL: url } });
      const { checks } = JSON.parse((await doctor.ended).stdout) as { checks: { check: string; status: string }[] };
      const statusOf = (name: string) => checks.find(({ check }) => check === name)?.status;
      return { durability: statusOf('durability'), replication: statusOf('replication') };
    };
    const setTo = (...texts: string[]) =>
      administer(primary.url, ...texts, 'select pg_reload_conf()', 'select pg_sleep(0.2)');
    await using _reset = {
      [Symbol.asyncDispose]: async () =>
        void (await setTo(
          'alter database roster reset synchronous_commit',
          'alter system reset synchronous_standby_names',
        )),
    };
    expect(await findings()).toEqual({ durability: 'ok', replication: 'warning' });
    await setTo("alter system set synchronous_standby_names = '*'");
    expect(await findings()).toEqual({ durability: 'ok', replication: 'ok' });
    // Without pg_monitor it may not see whether the standby is synchronous.
    expect(await findings(peopled.ownerUrl(primary))).toEqual({ durability: 'ok', replication: 'warning' });
    await setTo('alter database roster set synchronous_commit = local');
    expect(await findings()).toEqual({ durability: 'warning', replication: 'ok' });
  });

  it('whose one host leads to the standby for two seconds is served again within two seconds, and never stale', async () => {
    await using proxy = await startProxy(peopled.ownerUrl(primary));
    const served = await listening(fleet.start({ DATABASE_URL: proxy.url }));
    const at = api(served.address, peopled);
    // From now on the standby is behind.
    await using _resumed = await pauseReplay(standby);
    expect((await at.write('shown')).status).toBe(201);
    proxy.leadTo(standby);
    const leadsBackAt = performance.now() + 2_000;
    const during: Given[] = [];
    while (performance.now() < leadsBackAt) {
      during.push(...(await Promise.all([at.read(), at.write('lost'), ask(`${served.address}/readyz`)])));
      await sleep(20);
    }
    expect(during.length).toBeGreaterThan(20);
    expect(during.filter((answer) => !isUnavailable(answer))).toEqual([]);
    proxy.leadTo(primary);
    await expect.poll(async () => (await at.write('after')).status, { timeout: 2_000 }).toBe(201);
    expect(await at.read()).toMatchObject({ status: 200, body: expect.stringMatching(/after.*shown/) });
    await stop(served);
    written.push(served.stdout(), served.stderr());
  });

  it('that is lost with the last commits gives the right answers soon after the promotion, and 410 to every follower', async () => {
    await using two = await startFleet(peopled, primary, standby);
    await untilReplayed(primary, standby);
    await using clients = two.clients();
    await clients.servedAgain(performance.now());
    const [at, other] = two.addresses.map((address) => api(address, peopled));
    if (!at || !other) throw new Error('two processes are there');
    await administer(standby.url, "alter system set primary_conninfo = ''", 'select pg_reload_conf()');
    await expect.poll(() => administer(primary.url, 'select 1 from pg_stat_replication')).toEqual([]);
    for (const name of ['gone', 'gone too', 'gone as well']) expect((await at.write(name)).status).toBe(201);
    const cursor = await at.end();
    const waiting = [at, other].map((one) => one.eventsAfter(cursor, 20));
    await sleep(200);
    await crash(primary);
    await sleep(500);
    const promotedAt = performance.now();
    await administer(standby.url, 'select pg_promote()');
    const steadyMs = await clients.servedAgain(promotedAt);
    expect(steadyMs).toBeLessThan(steadyWithinMs);
    expectHonest(await clients.stop(), 200, 503);
    // The numbers are given out again, and one more.
    for (const name of ['new', 'newer', 'newest', 'last']) expect((await at.write(name)).status).toBe(201);
    const followers = [
      ...(await Promise.all(waiting)),
      await at.eventsAfter(cursor, 0),
      await other.eventsAfter(cursor, 20),
    ];
    expect(followers.map(({ status, body }) => [status, body])).toEqual(
      followers.map(() => [410, expect.stringContaining('"code":"cursor_expired"')]),
    );
    keep(two);
  });
});

/** What a key of the population asks of one process. */
function api(address: string, { token }: Population) {
  const authorization = `Bearer ${token}`;
  const get = (path: string) => ask(`${address}${path}`, { authorization });
  /** A caller repeats what is unavailable. */
  const eventsAfter = async (cursor: string, wait: number): ReturnType<typeof get> => {
    const answer = await get(`/v2/events?after=${cursor}&wait=${wait}`);
    if (answer.status !== 503) return answer;
    await sleep(50);
    return eventsAfter(cursor, wait);
  };
  return {
    read: () => get('/v2/chatbots'),
    write: async (name: string) => {
      const headers = { authorization, 'content-type': 'application/json' };
      const answer = await fetch(`${address}/v2/chatbots`, { method: 'POST', headers, body: JSON.stringify({ name }) });
      return { status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text() };
    },
    eventsAfter,
    end: async () => {
      const { data } = JSON.parse((await get('/v2/events')).body) as { data: { next_cursor: string } };
      return data.next_cursor;
    },
  };
}

describe('events list --follow', () => {
  it('waits while PostgreSQL is restarted, says so once, and misses nothing', async () => {
    const env = { DATABASE_URL: population.ownerUrl(server) };
    const roster = (...args: string[]) => spawnRoster(args, { env });
    const json = async (...args: string[]) =>
      JSON.parse((await roster(...args, '--json').ended).stdout) as { id: string };
    const [project] = Object.values(await json('projects', 'list')) as unknown as { id: string }[];
    const at = ['--project', project?.id ?? ''];
    const following = roster('events', 'list', ...at, '--follow', '--json');
    await following.until(/"key\.created".*\n/);
    await server.stop();
    await expect.poll(() => following.stderr()).toContain('Trying again');
    // It tries once more at least.
    await sleep(1_100);
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
