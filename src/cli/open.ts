import { userInfo } from 'node:os';
import { resolve } from 'node:path';

import { nameOperator } from '../actor.ts';
import { SourceError } from '../chatling/requests.ts';
import { readConfig } from '../config/read-config.ts';
import type { Config } from '../config/settings.ts';
import type { Database, OpenOptions } from '../database/database.ts';
import { engineOf, openDatabase, sqlitePath, storeOn } from '../database/open-store.ts';
import { isDamaged } from '../database/sqlite/failures.ts';
import { isThere, orStrayLog } from '../database/sqlite/file.ts';
import { type AppliedMigration, migrate, migrationStatus, requireCurrentSchema } from '../database/upkeep/migrate.ts';
import { AppError } from '../errors.ts';
import type { Store } from '../store.ts';
import { isStorable } from '../values/text.ts';
import { note } from './output.ts';

type CommandOptions = Pick<OpenOptions, 'create' | 'writesMany'>;

/** Opens the store of the settings, and closes it after `work`. Makes a database only where `create` says so. */
export async function withStore<T>(
  work: (store: Store, config: Config) => Promise<T>,
  options: CommandOptions = {},
): Promise<T> {
  const config = readConfig(process.env);
  nameUser();
  return naming(config.databaseUrl, async () => {
    await using store = await openCurrentStore(config.databaseUrl, {
      create: false,
      binDays: config.binDays,
      ...options,
    });
    return await work(store, config);
  });
}

function nameUser(): void {
  try {
    const { username } = userInfo();
    if (username !== '' && isStorable(username)) nameOperator(username);
  } catch {
    // Containers may have no entry for the user; the events then say `cli`.
  }
}

export async function openCurrentStore(url: string, options: UsableOptions = {}): Promise<Store> {
  return storeOn(await openUsable(url, options), options);
}

interface UsableOptions extends OpenOptions {
  /** Migrates an SQLite file. An empty file is always migrated. */
  migrates?: boolean;
}

/** Creates an SQLite file unless `create` is false. Throws `unavailable` if the schema is older or newer than this program. */
export async function openUsable(url: string, { migrates = false, ...options }: UsableOptions = {}): Promise<Database> {
  const attempt = async (migrating: boolean): Promise<Database> => {
    await using unlessUsable = new AsyncDisposableStack();
    const database = unlessUsable.use(await openDatabase(url, { ...options, hold: 'shared' }));
    const { applied, pending } = await migrationStatus(database);
    const path = migrates || applied.length === 0 ? sqlitePath(url) : undefined;
    if (pending.length > 0 && path !== undefined && migrating) {
      await unlessUsable.disposeAsync();
      const failure = await migrateAlone(url, path, applied).catch((error: unknown) => ({ error }));
      try {
        // Another process may have migrated while this one waited for the lock.
        return await attempt(false);
      } catch (error) {
        throw failure?.error ?? error;
      }
    }
    await requireCurrentSchema(database);
    unlessUsable.move();
    return database;
  };
  return attempt(true);
}

/** Migrates an SQLite file that no other process has open; one with a project is first backed up beside itself. */
async function migrateAlone(url: string, path: string, before: readonly AppliedMigration[]): Promise<undefined> {
  const hold = before.length === 0 || before.some(({ name }) => name > lastWithoutHold) ? 'alone' : 'whole';
  // The migration may block the event loop: nothing is served yet.
  await using database = await openDatabase(url, { hold, writesMany: true });
  const { applied, pending } = await migrationStatus(database);
  if (applied.length > 0 && pending.length > 0) {
    const { backUpBefore } = await import('../database/upkeep/before-migration.ts');
    const file = await backUpBefore(database, path, pending);
    if (file !== undefined) note(`Before the migration the database was backed up to ${file}.`);
  }
  await migrate(database);
}

/** The last migration of programs that take no lock on the file. */
const lastWithoutHold = '0013-events-need-project';

/** Like `openUsable`, but migrates on both engines. */
export async function openMigrated(url: string): Promise<Database> {
  if (engineOf(url) === 'sqlite') return openUsable(url, { migrates: true });
  await using unlessMigrated = new AsyncDisposableStack();
  const database = unlessMigrated.use(await openDatabase(url));
  await migrate(database);
  unlessMigrated.move();
  return database;
}

/** The files of an SQLite database, which no output may replace. */
export function databaseFiles({ databaseUrl }: Config): string[] {
  const path = sqlitePath(databaseUrl);
  return path === undefined
    ? []
    : ['', '-wal', '-shm', '-journal', '-lock', '-backup-lock'].map((suffix) => `${path}${suffix}`);
}

/** The kind and place of a database, with neither user nor password. */
export function databaseAt(url: string): string {
  const path = sqlitePath(url);
  if (path !== undefined) return `sqlite database ${resolve(path)}`;
  const [, hosts = '', name = ''] = /^\w+:\/\/(?:[^@/]*@)?([^@/?]*)\/([^/?]+)/.exec(url) ?? [];
  return `${engineOf(url)} database ${name}${hosts === '' ? '' : ` on ${hosts}`}`;
}

/** Whether opening it makes a database, which may be a slip in its path. */
export function isNew(url: string): boolean {
  const path = sqlitePath(url);
  return path !== undefined && !isThere(path);
}

/** Names the database where it refuses, or lacks what was asked for. */
export async function naming<T>(url: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SourceError) throw error;
    if (!(error instanceof AppError) || !['unavailable', 'not_found'].includes(error.code)) throw error;
    error.message = named(error, url);
    throw error;
  }
}

function named(error: AppError, url: string): string {
  const path = sqlitePath(url);
  const place = databaseAt(url);
  if (error.message.includes(path === undefined ? place : resolve(path))) return error.message;
  const message =
    path !== undefined && isDamaged(error)
      ? error.message.replace('is damaged', `is damaged${orStrayLog(path)}`)
      : error.message;
  const inside = message.replace(/\b(the|this) (store|database)\b(?! file)/i, (_, article: string) =>
    article === 'The' ? `The ${place}` : `the ${place}`,
  );
  return inside === message ? message.replace(/(?=;)|\.?$/, (end) => ` in ${place}${end}`) : inside;
}
