import { closeSync, fdatasync, openSync } from 'node:fs';

/** Makes commits durable off the event loop: one sync serves all commits before it. */
export interface GroupCommit extends Disposable {
  /** Resolves once every commit so far is durable; `isDirty`: one came since the last call. */
  durable(isDirty: boolean): Promise<void>;
}

/** Opens the write-ahead log. After a failed sync all callers get the error that `toFailure` makes. */
export function openGroupCommit(
  path: string,
  { onSynced, toFailure }: { onSynced?: () => void; toFailure: (cause: Error) => Error },
): GroupCommit {
  const file = openSync(path, 'r+');
  let running = Promise.resolve();
  let next: Promise<void> | undefined;
  const sync = async () => {
    await running;
    running = next ?? running;
    // A later commit may miss this sync.
    next = undefined;
    await syncData(file, toFailure);
    onSynced?.();
  };
  return {
    // A transaction without changes may have read a commit that is not durable yet.
    durable: (isDirty) => (isDirty ? (next ??= sync()) : (next ?? running)),
    [Symbol.dispose]: () => closeSync(file),
  };
}

function syncData(file: number, toFailure: (cause: Error) => Error): Promise<void> {
  return new Promise((resolve, reject) => {
    fdatasync(file, (error) => (error ? reject(toFailure(error)) : resolve()));
  });
}
