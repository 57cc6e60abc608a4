import { AppError } from '../errors.ts';
import type { Store } from '../store.ts';
import { acknowledgedCommits } from './acknowledged.ts';
import { touchApiKeys } from './api-keys.ts';
import type { Database, Engine, OpenOptions } from './database.ts';
import { eventWatch } from './event-watch.ts';
import { instrumented } from './instrumented.ts';
import { newestOnly } from './newest-only.ts';
import { touchSession } from './sign-in.ts';
import { readsOn, unitsOfWork } from './unit-of-work.ts';
import { upkeepOf } from './upkeep/jobs.ts';
import { readMigrations, requireCurrentSchema } from './upkeep/migrate.ts';

/** Loads only the engine that the URL names. Throws `settings` or `unavailable`. */
export async function openDatabase(url: string, options: OpenOptions = {}): Promise<Database> {
  const open = {
    sqlite: async () => (await import('./sqlite/sqlite.ts')).openSqlite(sqlitePath(url) ?? '', options),
    postgres: async () => (await import('./postgres/postgres.ts')).openPostgres(url, options),
  };
  return open[engineOf(url)]();
}

export function engineOf(url: string): Engine {
  if (sqlitePath(url) !== undefined) return 'sqlite';
  if (/^postgres(ql)?:/.test(url)) return 'postgres';
  throw new AppError('settings', 'The URL names no engine; use sqlite:PATH or postgres://….');
}

export function sqlitePath(url: string): string | undefined {
  return url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : undefined;
}

/** Takes over the database, and writes only while its schema is that of this program. */
export function storeOn(opened: Database, { onAsked = () => {}, binDays = 30 }: OpenOptions = {}): Store {
  const migrations = readMigrations(opened.engine);
  const database = newestOnly(opened, migrations.at(-1)?.name ?? '');
  const reads = instrumented(readsOn(database, binDays), onAsked);
  const commits = acknowledgedCommits(database);
  const units = unitsOfWork(database, onAsked, binDays, commits.note);
  const { write } = instrumented({ store: { write: units } }, onAsked).store;
  const keys = database.rememberKeys?.(reads.apiKeys);
  return {
    ...reads,
    ...(keys && { apiKeys: keys.apiKeys }),
    write: keys ? keys.forgettingAfter(write) : write,
    touchApiKeys: touchApiKeys(database),
    touchSession: touchSession(database),
    ready: async () => {
      await database.requireWritable();
      await requireCurrentSchema(database, migrations);
    },
    watch: eventWatch(database),
    upkeep: upkeepOf(database),
    lostEvents: commits.lostEvents,
    state: () => database.state(),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}
