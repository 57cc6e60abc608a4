import type { ApiKeyStore } from '../api-keys/api-key.ts';
import { AppError } from '../errors.ts';
import type { OnAsked, Store } from '../store.ts';
import { apiKeyStore } from './api-keys.ts';
import { chatbotStore } from './chatbots.ts';
import { contactStore } from './contacts.ts';
import type { Database } from './database.ts';
import { memberStore } from './members.ts';
import { readMigrations, requireCurrentSchema, requireServableSchema } from './migrate.ts';
import { observing } from './observing.ts';
import { projectStore } from './projects.ts';
import { rememberKeys, rememberKeysUnchanged } from './remembered-keys.ts';

export interface OpenOptions {
  /** Whether callers wait for every answer: nothing blocks the event loop or waits long for a server that is away. */
  serving?: boolean;
  readOnly?: boolean;
  /** Whether a missing SQLite file is made; else it is `unavailable`. */
  create?: boolean;
  /** Whether many rows will be written, as by an import. */
  writesMany?: boolean;
  /** See ROSTER_ROW_SECURITY. */
  rowSecurity?: boolean;
  /** Told of what the store is asked; what it remembers is not. */
  onAsked?: OnAsked | undefined;
}

/** Opens the engine that the URL names, and loads only that one. Throws `settings` or `unavailable`. */
export async function openDatabase(url: string, options: OpenOptions = {}): Promise<Database> {
  const path = sqlitePath(url);
  if (path !== undefined) {
    const { openSqlite } = await import('./sqlite/sqlite.ts');
    return openSqlite(path, options);
  }
  if (!/^postgres(ql)?:/.test(url)) {
    throw new AppError('settings', 'The URL names no engine; use sqlite:PATH or postgres://….');
  }
  const { openPostgres } = await import('./postgres/postgres.ts');
  return openPostgres(url, options);
}

/** Throws `unavailable` or `settings` unless the schema is this program's, and the user sees what it counts on. */
export async function requireUsable(database: Database, { rowSecurity = false }: OpenOptions): Promise<void> {
  await requireCurrentSchema(database);
  if (database.engine !== 'postgres') return;
  const { requireRowSecurity } = await import('./postgres/inspect.ts');
  await requireRowSecurity(database, rowSecurity);
}

/** The path in `sqlite:PATH`; undefined for another engine's URL. */
export function sqlitePath(url: string): string | undefined {
  return url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : undefined;
}

/**
 * The stores on an open database, which they close when they are disposed of. Serving on a server that is
 * across a network, they remember API keys for up to three seconds.
 */
export function storeOn(database: Database, { serving = false, onAsked }: OpenOptions = {}): Store {
  const migrations = readMigrations(database.engine);
  const asked = {
    ...projectStore(database),
    ...chatbotStore(database),
    ...memberStore(database),
    ...contactStore(database),
    ...apiKeyStore(database),
    ready: () => requireServableSchema(database, migrations),
  };
  const store = onAsked ? observing(asked, onAsked) : asked;
  return {
    ...store,
    ...remembering(database, store, serving),
    version: () => database.version(),
    state: () => database.state(),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

function remembering(database: Database, keys: ApiKeyStore, serving: boolean): ApiKeyStore {
  if (database.engine === 'sqlite') return rememberKeysUnchanged(keys, () => database.version());
  return serving ? rememberKeys(keys) : keys;
}
