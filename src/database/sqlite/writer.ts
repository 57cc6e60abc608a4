import type { DatabaseSync } from 'node:sqlite';

import { unlessAborted } from '../abort.ts';
import type { Connection, Scope, Transaction } from '../database.ts';
import { connectionOn } from './connection.ts';
import { guardWrites, type reporting, type WriteGuard } from './failures.ts';
import { type GroupCommit, openGroupCommit } from './group-commit.ts';
import { statementsOf } from './statements.ts';
import { whenUnlocked, type WriteQueue, writeQueue } from './write-queue.ts';

export interface WriterOptions {
  /** The write-ahead log, if commits are made durable off the event loop and not by SQLite. */
  log?: string | undefined;
  /** How long to retry, off the event loop, while another process holds the write lock. */
  lockWaitMs?: number;
}

type Work<T> = (connection: Transaction) => Promise<T>;

/** The one connection that writes; everything on it runs one after the other. */
export interface Writer {
  transaction: Scope['transaction'];
  run: Connection['run'];
  script: Transaction['script'];
  read: <T>(work: Work<T>) => Promise<T>;
  /** Reads one state throughout. */
  snapshot: <T>(work: Work<T>) => Promise<T>;
  /** Throws `unavailable` after a failed sync. */
  requireSound(): void;
  /** Runs `close` after everything else; `isSound` is false after a failed sync. */
  end(close: (isSound: boolean) => void): Promise<void>;
}

export function writerOn(db: DatabaseSync, { log: path, lockWaitMs = 0 }: WriterOptions): Writer {
  const inTurn = writeQueue();
  const guard = guardWrites();
  const prepare = statementsOf(db);
  let scripts = 0;
  const connection = (report: typeof reporting) =>
    connectionOn(db, report, { prepare, onScript: () => scripts++ });
  const inside = connection(guard.report);
  const committing = connection(guard.commit);
  const log = path === undefined ? undefined : openLog(db, path, guard, inTurn);
  // SQLite does not count changes of the schema.
  const changes = () => scripts + Number(prepare(totalChanges).get()?.['total']);

  const durably = async <T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    const { result, durable } = await inTurn(async () => {
      const before = changes();
      const result = await work();
      return { result, durable: log?.durable(changes() !== before) };
    }, signal);
    await durable;
    return result;
  };

  const transact = async <T>(begin: () => unknown, work: Work<T>, signal?: AbortSignal): Promise<T> => {
    await begin();
    try {
      const own = signal ? connection(unlessGivenUp(guard.report, signal)) : inside;
      const result = await unlessAborted(work(own), signal);
      signal?.throwIfAborted();
      guard.commit(() => db.exec('commit'));
      return result;
    } catch (error) {
      rollBack(db);
      throw error;
    }
  };
  const exec = (text: string) => guard.report(() => db.exec(text));

  return {
    transaction: (work, { signal } = {}) => {
      const deadline = performance.now() + lockWaitMs;
      const begin = () => whenUnlocked(() => exec('begin immediate'), deadline, signal);
      return durably(() => transact(begin, work, signal), signal);
    },
    run: (statement) => {
      const deadline = performance.now() + lockWaitMs;
      return durably(() => whenUnlocked(() => committing.run(statement), deadline));
    },
    script: (text) => durably(() => committing.script(text)),
    read: (work) => inTurn(() => work(inside)),
    snapshot: (work) => inTurn(() => transact(() => exec('begin'), work)),
    requireSound: () => guard.report(() => undefined),
    end: (close) =>
      inTurn(async () => {
        await log?.durable(false).catch(() => undefined);
        log?.[Symbol.dispose]();
        close(!guard.isLost());
      }),
  };
}

const totalChanges = { pieces: ['select total_changes() as total'], values: [] };

/** Refuses statements of work that was given up, whose transaction is rolled back. */
function unlessGivenUp(report: typeof reporting, signal: AbortSignal): typeof reporting {
  return (work) => {
    signal.throwIfAborted();
    return report(work);
  };
}

/** With checkpoints of our own, in turn: SQLite's would hide that it could not sync the log. */
function openLog(
  db: DatabaseSync,
  path: string,
  { report, lose }: WriteGuard,
  inTurn: WriteQueue,
): GroupCommit {
  const checkpoint = () => inTurn(async () => report(() => checkpointGrown(db)));
  return openGroupCommit(path, {
    toFailure: lose,
    onSynced: () => void checkpoint().catch(() => undefined),
  });
}

const checkpointFrames = 1_000;

/** Copies the log into the database, as SQLite does by itself, once it has grown. */
function checkpointGrown(db: DatabaseSync): void {
  if (!db.isOpen) return;
  const size = db.prepare('pragma wal_checkpoint(noop)').get();
  if (Number(size?.['log']) >= checkpointFrames) db.exec('pragma wal_checkpoint(passive)');
}

// The first error is the one to report; on a file that cannot be read the rollback fails as well.
function rollBack(db: DatabaseSync): void {
  try {
    if (db.isTransaction) db.exec('rollback');
  } catch {}
}
