import type { Writer } from './writer.ts';

/** A commit can be read before its sync, and another process may be killed in between: syncs what has been read. */
export function durableReads(version: () => number, { sync, requireSound }: Pick<Writer, 'sync' | 'requireSound'>) {
  let synced: number | undefined;
  return async (): Promise<void> => {
    requireSound();
    // Asked before the sync, which a later commit may miss.
    const current = version();
    if (current === synced) return;
    await sync();
    synced = current;
  };
}
