import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Database } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migrate.ts';
import { storeOn } from '../../src/database/open-store.ts';
import { openSqlite } from '../../src/database/sqlite.ts';
import type { Store } from '../../src/store.ts';

export interface Opened extends AsyncDisposable {
  store: Store;
  database: Database;
}

async function opened(path: string, dispose = () => {}): Promise<Opened> {
  const database = openSqlite(path);
  await migrate(database);
  return {
    store: storeOn(database),
    database,
    [Symbol.asyncDispose]: async () => {
      await database[Symbol.asyncDispose]();
      dispose();
    },
  };
}

/** A folder of its own for a test, deleted with it. */
export function temporaryFolder(): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), 'roster-test-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** Every engine that the contract holds for: an empty, migrated store each time. */
export const engines = [
  { engine: 'SQLite in memory', open: () => opened(':memory:') },
  {
    engine: 'SQLite on disk',
    open: () => {
      const folder = temporaryFolder();
      return opened(join(folder.path, 'roster.db'), () => folder[Symbol.dispose]());
    },
  },
] as const;
