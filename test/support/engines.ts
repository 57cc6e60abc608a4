import { randomUUID } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, inject } from 'vitest';

import type { Database } from '../../src/database/database.ts';
import { openDatabase, sqlitePath, storeOn } from '../../src/database/open-store.ts';
import { sql } from '../../src/database/sql.ts';
import { migrate } from '../../src/database/upkeep/migrate.ts';
import type { Store } from '../../src/store.ts';
import { administer, aSession, databaseUrl, type Session } from './postgres.ts';

export interface Opened extends AsyncDisposable {
  url: string;
  store: Store;
  database: Database;
  /** A store on a connection of its own, as another process has it: on SQLite one that serves, as others wait in place. */
  another(serving?: boolean): Promise<Store>;
}

const idle: IdlePlace[] = [];

/** A database that is not there before the test nor after it. */
export interface Place extends AsyncDisposable {
  url: string;
}

/** Empty, with a session that stays open to empty it again: a session costs as much as a short test. */
interface IdlePlace {
  url: string;
  session: Session;
}

async function opened(place: Place): Promise<Opened> {
  const { url } = place;
  const stack = new AsyncDisposableStack();
  stack.use(place);
  const database = stack.use(await openDatabase(url));
  await migrate(database);
  return {
    url,
    store: storeOn(database),
    database,
    another: async (serving = database.engine === 'sqlite') => stack.use(storeOn(await openDatabase(url, { serving }))),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** The columns of all tables but the engine's own. */
export function columnsIn(database: Database): Promise<{ table: string; column: string }[]> {
  return database.all(
    database.engine === 'sqlite'
      ? sql`select tables.name as "table", columns.name as "column"
          from pragma_table_list as tables, pragma_table_info(tables.name) as columns
          where tables.schema = 'main' and tables.type <> 'view' and tables.name not like 'sqlite\\_%' escape '\\'`
      : sql`select columns.table_name as "table", columns.column_name as "column"
          from information_schema.columns as columns
          join information_schema.tables as tables using (table_schema, table_name)
          where table_schema = current_schema() and table_type = 'BASE TABLE'`,
  );
}

/** A folder of its own for a test, deleted with it. */
export function temporaryFolder(): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), 'roster-test-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

function sqliteFileIn(folder: string): Place {
  return { url: `sqlite:${join(folder, 'roster.db')}`, [Symbol.asyncDispose]: async () => undefined };
}

/** `roster.db` in a folder of its own; not there before it is opened. */
export function sqliteFile(): Place {
  const folder = temporaryFolder();
  return { ...sqliteFileIn(folder.path), [Symbol.asyncDispose]: async () => folder[Symbol.dispose]() };
}

/** A database on the server of the run: migrated, or with nothing in it. */
export async function postgresDatabase(template = inject('postgres').template): Promise<Place> {
  const { url: server, strategy } = inject('postgres');
  const name = `${inject('postgres').template}_${randomUUID().slice(0, 8)}`;
  await administer(server, `create database ${name} template ${template} ${strategy}`);
  return {
    url: databaseUrl(server, name),
    [Symbol.asyncDispose]: async () => void (await administer(server, `drop database ${name} with (force)`)),
  };
}

/** A copy of a migrated file: to migrate another takes ten times as long. */
async function onDisk(): Promise<Opened> {
  const place = sqliteFile();
  cpSync(inject('sqlite').template, sqlitePath(place.url) ?? '');
  return opened(place);
}

/**
 * Every engine that the contract holds for, and how to open an empty, migrated store on it: for a test that leaves the
 * schema as it is, and for one that does not.
 */
export const engines = [
  { engine: 'SQLite', open: onDisk, openOwn: onDisk },
  { engine: 'PostgreSQL', open: emptied, openOwn: async () => opened(await postgresDatabase()) },
] as const;

/** One store for all tests of a `describe`, each of which makes a project of its own. */
export function shared(open: () => Promise<Opened>): Opened {
  const opened = {} as Opened;
  beforeAll(async () => void Object.assign(opened, await open()));
  afterAll(() => opened[Symbol.asyncDispose]());
  return opened;
}

/** The engine of this run of the HTTP and command line tests, which are run on each; see vitest.config.ts. */
export const engineOfRun = inject('engine');

/** An empty, migrated store on the engine of this run, for a test that leaves the schema as it is. */
export function openStoreOfRun(): Promise<Opened> {
  return engineOfRun === 'PostgreSQL' ? emptied() : onDisk();
}

async function emptied(): Promise<Opened> {
  return opened(await emptyPostgres());
}

const tables =
  'projects chatbots members invitations contacts deleted_contacts merged_contacts merges import_walks duplicate_keys duplicate_pairs dismissed_duplicates duplicate_progress api_keys event_marks events idempotency_keys webhooks webhook_deliveries'.split(
    ' ',
  );

/** A migrated database on the server of the run, for a test that leaves the schema as it is: to make one takes ten times as long. */
async function emptyPostgres(): Promise<Place> {
  const place = idle.pop() ?? (await idlePlace());
  return {
    url: place.url,
    [Symbol.asyncDispose]: async () => {
      await empty(place.session);
      idle.push(place);
    },
  };
}

async function idlePlace(): Promise<IdlePlace> {
  const { url } = await postgresDatabase();
  return { url, session: await aSession(url) };
}

async function empty(session: Session): Promise<void> {
  const [size] = await session.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
    // Nobody holds the lease of the sender.
    `update jobs set due_at = to_char(now() at time zone 'UTC' + interval '10 minutes' * (name <> 'send-webhooks')::integer,
      'YYYY-MM-DD"T"HH24:MI:SS"+00:00"')`,
    `select pg_relation_size('contacts') + pg_relation_size('events') > 1000000 as is_large`,
  );
  const isLarge = size?.['is_large'] === true;
  const emptying = isLarge
    ? [`truncate ${tables.join(', ')}`]
    : tables.toReversed().map((name) => `delete from ${name}`);
  // The Owner of a project that is deleted may go.
  await session.query(['update projects set is_deleted = 1', ...emptying].join('; '));
}

/**
 * A place for a whole program on the engine of this run, given to it by URL; on SQLite `roster.db` in the folder. A test
 * that changes the schema needs its own.
 */
export async function placeOfRun(folder: string, isOwn = false): Promise<Place> {
  if (engineOfRun === 'SQLite') return sqliteFileIn(folder);
  return isOwn ? postgresDatabase() : emptyPostgres();
}
