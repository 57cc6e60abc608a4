import { closeSync, fdatasync, openSync } from 'node:fs';

/** Makes commits durable off the event loop: one sync of the write-ahead log serves all commits before it. */
export interface GroupCommit extends Disposable {
  /** Resolves once every commit so far is durable; `isDirty` says whether one came since the last call. */
  durable(isDirty: boolean): Promise<void>;
}

/**
 * Opens the log at `path`, which exists and keeps its inode while a connection to its database is open. `onSynced` runs
 * after every sync. After a failed sync no other is tried: `toFailure` makes of its error what all callers get.
 */
export function openGroupCommit(
  path: string,
  { onSynced, toFailure }: { onSynced: () => void; toFailure: (cause: Error) => Error },
): GroupCommit {
  const file = openSync(path, 'r+');
  let running = Promise.resolve();
  let next: Promise<void> | undefined;
  const sync = async () => {
    await running;
    running = next ?? running;
    // A commit from here on may come too late for this sync.
    next = undefined;
    await syncData(file, toFailure);
    onSynced();
  };
  return {
    // A transaction that changed nothing may have read a commit that is not durable yet.
    durable: (isDirty) => (isDirty ? (next ??= sync()) : (next ?? running)),
    [Symbol.dispose]: () => closeSync(file),
  };
}

function syncData(file: number, toFailure: (cause: Error) => Error): Promise<void> {
  return new Promise((resolve, reject) => {
    fdatasync(file, (error) => (error ? reject(toFailure(error)) : resolve()));
  });
}
