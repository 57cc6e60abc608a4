import type { DatabaseSync } from 'node:sqlite';

import { reporting } from './failures.ts';

/**
 * The `version` of a database: SQLite tells a connection of every commit but its own, so one that only reads is
 * told of all, and one that writes adds what it has changed itself.
 */
export function versionOf(db: DatabaseSync, use: 'reads' | 'writes'): () => number {
  const others = db.prepare('pragma data_version');
  const own = use === 'writes' ? db.prepare('select total_changes() as changed') : undefined;
  const ask = () => {
    const changed = own ? Number(own.get()?.['changed']) : 0;
    return changed * 2 ** 32 + Number(others.get()?.['data_version']);
  };
  return onceInAStretch(() => reporting(ask));
}

/**
 * Asks once (2 µs) for all who ask without waiting in between: no request can arrive in that time, so none of them
 * can have come after what the first was told.
 */
function onceInAStretch(ask: () => number): () => number {
  let known: number | undefined;
  const forget = () => {
    known = undefined;
  };
  return () => {
    if (known === undefined) {
      known = ask();
      queueMicrotask(forget);
    }
    return known;
  };
}
