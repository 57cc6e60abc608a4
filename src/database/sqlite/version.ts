import type { DatabaseSync } from 'node:sqlite';

import { reporting } from './failures.ts';

/** SQLite reports every commit but those of the same connection; a writer adds its own changes. */
export function versionOf(db: DatabaseSync, use: 'reads' | 'writes'): () => number {
  const others = db.prepare('pragma data_version');
  const own = use === 'writes' ? db.prepare('select total_changes() as changed') : undefined;
  const ask = () => {
    const changed = own ? Number(own.get()?.['changed']) : 0;
    return changed * 2 ** 32 + Number(others.get()?.['data_version']);
  };
  return () => reporting(ask);
}
