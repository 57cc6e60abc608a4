import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { Client } from 'pg';

import { viewOf } from '../../src/contacts/view.ts';
import { storeOn } from '../../src/database/open-store.ts';
import { openPostgres } from '../../src/database/postgres/postgres.ts';
import { migrate } from '../../src/database/upkeep/migrate.ts';
import { scopes } from '../../src/rights.ts';
import { type Clients, type Question, startClients } from './clients.ts';
import { aContact, aMember, aProject } from './people.ts';
import { administer, databaseUrl, type PostgresServer } from './postgres.ts';
import { addressOf, type Running, spawnRoster } from './program.ts';

/** Every name, address and password of the population holds this; no output of a program may. */
export const planted = 'planted';
const password = `${planted}-password`;

/** A database `roster` with known people in it, and two roles that use it. */
export interface Population {
  token: string;
  questions: Question[];
  /** What no output may hold. */
  secrets: string[];
  /** For the owner of the tables. */
  ownerUrl(...servers: PostgresServer[]): string;
  /** For a role that owns no table. */
  servingUrl(...servers: PostgresServer[]): string;
}

/** Makes the database and its people on a new server. */
export async function populate(server: PostgresServer): Promise<Population> {
  await administer(
    server.url,
    'create role roster_owner login',
    'create role roster_serving login',
    'create database roster owner roster_owner',
  );
  const urlFor =
    (role: string) =>
    (...servers: PostgresServer[]) =>
      `postgres://${role}:${password}@${servers.map(({ port }) => `127.0.0.1:${port}`).join()}/roster`;
  const population = await people(urlFor('roster_owner')(server));
  await administer(
    adminUrl(server),
    'grant select, insert, update, delete on all tables in schema public to roster_serving',
    'revoke insert, update, delete on schema_migrations, sign_in_secret from roster_serving',
    'revoke delete on projects from roster_serving',
  );
  return { ...population, ownerUrl: urlFor('roster_owner'), servingUrl: urlFor('roster_serving') };
}

async function people(url: string): Promise<Pick<Population, 'token' | 'questions' | 'secrets'>> {
  const database = openPostgres(url);
  await migrate(database);
  await using store = storeOn(database);
  const contacts = Array.from({ length: 20 }, (_, index) =>
    aContact({
      id: `contact-${index}`,
      name: `${planted} ${index}`,
      email: `${planted}${index}@example.com`,
    }),
  );
  const members = Array.from({ length: 20 }, (_, index) => aMember({ email: `${planted}-m${index}@example.com` }));
  const { token, chatbotId } = await aProject(store, { members, contacts, scopes: [...scopes] });
  const success = (data: object) => JSON.stringify({ status: 'success', data });
  const pages = { current_page: 1, last_page: 1, per_page: 20 };
  const questions = contacts.flatMap((stored, index) => {
    const contact = viewOf(stored);
    const member = members[index];
    return [
      { kind: 'contact', path: `/v2/chatbots/${chatbotId}/contacts/${stored.id}`, body: success(contact) },
      index % 2 === 0
        ? { kind: 'members', path: '/v2/members?per_page=20', body: success({ pages, members }) }
        : {
            kind: 'members',
            path: `/v2/members?per_page=20&email=${member?.email}`,
            body: success({ pages, members: [member] }),
          },
    ];
  });
  return { token, questions, secrets: [planted, token, '555 0100'] };
}

/** The superuser's way to the database of the population. */
export function adminUrl(server: PostgresServer): string {
  return databaseUrl(server.url, 'roster');
}

export interface Served extends Running {
  address: string;
}

/** Two processes that serve, one for each role, and what they have said. Disposing of them kills what still runs. */
export interface Fleet extends AsyncDisposable {
  processes: Served[];
  addresses: string[];
  clients(): Clients;
  /** Another process, however it ends. */
  start(env?: Record<string, string>): Running;
  /** The most memory that a process has ever had, in MB; undefined where the system does not tell. */
  peakMemory(): number | undefined;
}

/** Serves the population from these servers. */
export async function startFleet(population: Population, ...servers: PostgresServer[]): Promise<Fleet> {
  const started: Running[] = [];
  const start = (env: Record<string, string> = {}) => {
    const running = spawnRoster(['serve'], {
      env: { DATABASE_URL: population.ownerUrl(...servers), ROSTER_RATE_LIMIT: '0', ...env },
    });
    started.push(running);
    return running;
  };
  const other = start({ DATABASE_URL: population.servingUrl(...servers) });
  const processes = await Promise.all([start(), other].map(listening));
  const addresses = processes.map(({ address }) => address);
  return {
    processes,
    addresses,
    start,
    clients: () => startClients(addresses, population.token, population.questions),
    peakMemory: () => {
      const peaks = processes.map(({ child }) => peakMemoryOf(child.pid ?? 0));
      return peaks.includes(undefined) ? undefined : Math.max(...peaks.map(Number));
    },
    [Symbol.asyncDispose]: async () => {
      for (const { child } of started) child.kill('SIGKILL');
      await Promise.all(started.map(({ ended }) => ended));
    },
  };
}

/** Waits until it listens. */
export async function listening(running: Running): Promise<Served> {
  const address = await addressOf(running);
  return { ...running, address };
}

function peakMemoryOf(pid: number): number | undefined {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return undefined;
  }
}

/** A server whose processes are all halted: it neither answers nor refuses. Disposing of it lets it go on. */
export async function freeze(server: PostgresServer): Promise<Disposable> {
  const pids = await haltedPids(server);
  return {
    [Symbol.dispose]: () => signal(pids, 'SIGCONT'),
  };
}

/** What the loss of the machine is to a server: all its processes end at once, and nothing is written. */
export async function crash(server: PostgresServer): Promise<void> {
  const pids = await haltedPids(server);
  signal(pids, 'SIGKILL');
  await server.stop('SIGKILL');
}

// The one that starts the others is halted before they are counted, so that none is missed.
async function haltedPids(server: PostgresServer): Promise<number[]> {
  const client = new Client({ connectionString: server.url });
  client.on('error', () => undefined);
  await client.connect();
  const first = server.child.pid ?? 0;
  signal([first], 'SIGSTOP');
  const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_activity');
  const pids = [...rows.map(({ pid }) => pid), first];
  signal(pids, 'SIGSTOP');
  void client.end();
  return pids;
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // It has ended meanwhile.
    }
  }
}

/** Waits until the standby has everything that the primary has. */
export async function untilReplayed(primary: PostgresServer, standby: PostgresServer): Promise<void> {
  const [row] = await administer(primary.url, 'select pg_current_wal_lsn()::text as lsn');
  for (;;) {
    const [replayed] = await administer(
      standby.url,
      `select pg_last_wal_replay_lsn() >= '${String(row?.['lsn'])}'::pg_lsn as done`,
    );
    if (replayed?.['done'] === true) return;
    await sleep(20);
  }
}

/** From now on the standby falls behind, until this is disposed of. */
export async function pauseReplay(standby: PostgresServer): Promise<AsyncDisposable> {
  await administer(standby.url, 'select pg_wal_replay_pause()');
  return {
    [Symbol.asyncDispose]: async () => void (await administer(standby.url, 'select pg_wal_replay_resume()')),
  };
}

/** Takes every connection that the server has left for others than a superuser, until it is disposed of. */
export async function takeAllConnections(url: string): Promise<AsyncDisposable & { more(): Promise<void> }> {
  const taken: Client[] = [];
  const more = async () => {
    for (;;) {
      const client = new Client({ connectionString: url, application_name: 'others' });
      client.on('error', () => undefined);
      try {
        await client.connect();
        taken.push(client);
      } catch {
        return;
      }
    }
  };
  await more();
  return { more, [Symbol.asyncDispose]: async () => void (await Promise.all(taken.map((one) => one.end()))) };
}

/** How many connections the programs have. */
export async function connectionsOf(server: PostgresServer): Promise<number> {
  const [row] = await administer(
    server.url,
    "select count(*)::int as n from pg_stat_activity where application_name = 'roster'",
  );
  return Number(row?.['n']);
}

/** Ends the programs' connections as an administrator does. */
export async function terminateConnections(server: PostgresServer): Promise<void> {
  await administer(
    server.url,
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'roster'",
  );
}
