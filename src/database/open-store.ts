import { AppError } from '../errors.ts';
import type { Store } from '../store.ts';
import { apiKeyStore } from './api-keys.ts';
import { chatbotStore } from './chatbots.ts';
import { contactStore } from './contacts.ts';
import type { Database } from './database.ts';
import { memberStore } from './members.ts';
import { readMigrations, requireCurrentSchema } from './migrate.ts';
import { projectStore } from './projects.ts';
import { openSqlite, type SqliteOptions } from './sqlite.ts';

/** Opens the engine that the URL names; `sqlite:PATH` so far. Throws `settings` or `unavailable`. */
export function openDatabase(url: string, options: SqliteOptions = {}): Database {
  return openSqlite(sqlitePath(url), options);
}

/** The path in `sqlite:PATH`; throws `settings` for another engine's URL. */
export function sqlitePath(url: string): string {
  if (url.startsWith('sqlite:')) return url.slice('sqlite:'.length);
  throw new AppError('settings', 'DATABASE_URL names an engine that is not built in; use sqlite:PATH.');
}

/** The stores on an open database, which they close when they are disposed of. */
export function storeOn(database: Database): Store {
  const migrations = readMigrations(database.engine);
  return {
    ...projectStore(database),
    ...chatbotStore(database),
    ...memberStore(database),
    ...contactStore(database),
    ...apiKeyStore(database),
    ready: () => requireCurrentSchema(database, migrations),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}
