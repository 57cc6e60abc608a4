import { operator } from '../actor.ts';
import { type Config, readConfig } from '../config.ts';
import type { Database, OpenOptions } from '../database/database.ts';
import { migrate, migrationStatus, requireCurrentSchema } from '../database/migrate.ts';
import { openDatabase, sqlitePath, storeOn } from '../database/open-store.ts';
import { type Operation, run } from '../operation.ts';
import type { Store } from '../store.ts';
import { naming } from './naming.ts';
import { note } from './output.ts';

type CommandOptions = Pick<OpenOptions, 'create' | 'writesMany'>;

/** Opens the store of the settings, and closes it after `work`. Makes a database only where `create` says so. */
export async function withStore<T>(
  work: (store: Store, config: Config) => Promise<T>,
  options: CommandOptions = {},
): Promise<T> {
  const config = readConfig(process.env);
  return naming(config.databaseUrl, async () => {
    await using store = await openCurrentStore(config.databaseUrl, {
      create: false,
      binDays: config.binDays,
      ...options,
    });
    return await work(store, config);
  });
}

export async function runOnStore<Input, Output>(
  operation: Operation<Input, Output>,
  projectId: string,
  input: Input,
  options?: CommandOptions,
): Promise<Output> {
  const { output } = await withStore((store) => run(operation, store, operator(projectId), input), options);
  return output;
}

/** Creates an SQLite file unless told not to, and migrates it; on PostgreSQL an older or newer schema is `unavailable`. */
export async function openCurrentStore(url: string, options: OpenOptions = {}): Promise<Store> {
  if (sqlitePath(url) !== undefined) {
    // Nothing is served yet, so the migration may block the event loop.
    const { writesMany = false, create = true } = options;
    const patient = await opened(url, { writesMany, create }, (database) => migrateSafely(database, url));
    if (options.serving !== true) return storeOn(patient, options);
    await patient[Symbol.asyncDispose]();
  }
  return storeOn(await opened(url, options, requireCurrentSchema), options);
}

async function opened(
  url: string,
  options: OpenOptions,
  prepare: (database: Database) => Promise<void>,
): Promise<Database> {
  const database = await openDatabase(url, options);
  try {
    await prepare(database);
    return database;
  } catch (error) {
    await database[Symbol.asyncDispose]();
    throw error;
  }
}

/** Migrates; an SQLite file that holds a project is first backed up beside itself, and the backup noted. */
export async function migrateSafely(database: Database, url: string): Promise<void> {
  const path = sqlitePath(url);
  const { applied, pending } = await migrationStatus(database);
  if (path !== undefined && applied.length > 0 && pending.length > 0) {
    const { backUpBefore } = await import('../database/sqlite/before-migration.ts');
    const file = await backUpBefore(database, path, pending);
    if (file !== undefined) note(`Before the migration the database was backed up to ${file}.`);
  }
  await migrate(database);
}

/** The files of an SQLite database, which no output may replace. */
export function databaseFiles({ databaseUrl }: Config): string[] {
  const path = sqlitePath(databaseUrl);
  return path === undefined ? [] : [path, `${path}-wal`, `${path}-shm`, `${path}-journal`];
}
