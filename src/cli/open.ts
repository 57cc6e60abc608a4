import { type Config, readConfig } from '../config/settings.ts';
import type { Database, OpenOptions } from '../database/database.ts';
import { openDatabase, sqlitePath, storeOn } from '../database/open-store.ts';
import { type AppliedMigration, migrate, migrationStatus, requireCurrentSchema } from '../database/upkeep/migrate.ts';
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

/** Opens a store whose schema is that of this program; see `openUsable`. */
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
    const mayMigrate = sqlitePath(url) !== undefined && (migrates || applied.length === 0);
    if (pending.length > 0 && mayMigrate && migrating) {
      await unlessUsable.disposeAsync();
      const failure = await migrateAlone(url, applied).catch((error: unknown) => ({ error }));
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

/** Migrates an SQLite file that no other process of Roster has open. */
async function migrateAlone(url: string, applied: readonly AppliedMigration[]): Promise<undefined> {
  const hold = applied.length === 0 || applied.some(({ name }) => name > lastWithoutHold) ? 'alone' : 'whole';
  // The migration may block the event loop: nothing is served yet.
  await using database = await openDatabase(url, { hold, writesMany: true });
  await migrateSafely(database, url);
}

/** The last migration of programs that take no lock on the file. */
const lastWithoutHold = '0013-events-need-project';

/** Migrates; an SQLite file that holds a project is first backed up beside itself, and the backup noted. */
async function migrateSafely(database: Database, url: string): Promise<void> {
  const path = sqlitePath(url);
  const { applied, pending } = await migrationStatus(database);
  if (path !== undefined && applied.length > 0 && pending.length > 0) {
    const { backUpBefore } = await import('../database/upkeep/before-migration.ts');
    const file = await backUpBefore(database, path, pending);
    if (file !== undefined) note(`Before the migration the database was backed up to ${file}.`);
  }
  await migrate(database);
}

/** Like `openUsable`, but migrates on both engines. */
export async function openMigrated(url: string): Promise<Database> {
  if (sqlitePath(url) !== undefined) return openUsable(url, { migrates: true });
  await using unlessMigrated = new AsyncDisposableStack();
  const database = unlessMigrated.use(await openDatabase(url));
  await migrate(database);
  unlessMigrated.move();
  return database;
}

/** The files of an SQLite database, which no output may replace. */
export function databaseFiles({ databaseUrl }: Config): string[] {
  const path = sqlitePath(databaseUrl);
  return path === undefined ? [] : ['', '-wal', '-shm', '-journal', '-lock'].map((suffix) => `${path}${suffix}`);
}
