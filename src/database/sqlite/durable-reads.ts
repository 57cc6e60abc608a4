import type { DatabaseSync } from 'node:sqlite';

import { reporting } from './failures.ts';
import type { Writer } from './writer.ts';

/** A commit can be read before its sync, and another process may be killed in between: syncs what has been read. */
export function durableReads(db: DatabaseSync, isWriter: boolean, writer: Writer) {
  // SQLite reports every commit but those of the same connection.
  const others = db.prepare('pragma data_version');
  const own = isWriter ? db.prepare('select total_changes() as changed') : undefined;
  const version = () => reporting(() => `${String(own?.get()?.['changed'])} ${String(others.get()?.['data_version'])}`);
  let synced: string | undefined;
  return async (): Promise<void> => {
    writer.requireSound();
    // Asked before the sync, which a later commit may miss.
    const current = version();
    if (current === synced) return;
    await writer.sync();
    synced = current;
  };
}
