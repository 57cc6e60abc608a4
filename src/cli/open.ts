import { type Config, readConfig } from '../config.ts';
import { migrate } from '../database/migrate.ts';
import { openDatabase, storeOn } from '../database/open-store.ts';
import type { Store } from '../store.ts';

/** Reads the settings, opens the store, brings an SQLite file up to date, and closes it after `work`. */
export async function withStore<T>(work: (store: Store, config: Config) => Promise<T>): Promise<T> {
  const config = readConfig(process.env);
  await using store = await openCurrentStore(config.databaseUrl);
  return await work(store, config);
}

/**
 * The store at `url`, created and migrated as needed. `busyTimeoutMs` is how long its statements wait for
 * another process's lock; the migration before them always waits as long as a command does.
 */
export async function openCurrentStore(url: string, busyTimeoutMs?: number): Promise<Store> {
  const database = openDatabase(url);
  try {
    await migrate(database);
    if (busyTimeoutMs === undefined) return storeOn(database);
  } catch (error) {
    await database[Symbol.asyncDispose]();
    throw error;
  }
  await database[Symbol.asyncDispose]();
  return storeOn(openDatabase(url, { busyTimeoutMs }));
}
