import type { DatabaseSync } from 'node:sqlite';

import { giveWay } from '../../values/give-way.ts';
import { type Connection, type Database, type Transaction, TransactionLost } from '../database.ts';
import type { Checkpoints } from './checkpoints.ts';
import { connectionOn } from './connection.ts';
import { guardWrites, reporting, type WriteGuard } from './failures.ts';
import { type GroupCommit, openGroupCommit } from './group-commit.ts';
import { inOrder } from './in-order.ts';
import { statementsOf } from './statements.ts';
import { whenUnlocked, type WriteQueue, writeQueue } from './write-queue.ts';

type Work<T> = (connection: Transaction) => Promise<T>;

/** The one connection that writes, one piece of work at a time. */
export interface Writer {
  transaction: Database['transaction'];
  run: Connection['run'];
  script: Transaction['script'];
  read: <T>(work: (connection: Connection) => Promise<T>) => Promise<T>;
  snapshot: <T>(work: Work<T>) => Promise<T>;
  /** Moves the log into the file and empties it. False where somebody is reading it. */
  cutLog(): Promise<boolean>;
  requireSound(): void;
  /** Makes all commits so far durable, those of other processes too. Throws `unavailable` after a failed sync. */
  sync(): Promise<void>;
  end(close: (isSound: boolean) => void | Promise<void>): Promise<void>;
}

interface WriterOptions {
  /** The path of the write-ahead log; a database in memory has none. */
  log?: string;
  serving?: boolean;
  checkpoints?: Checkpoints | undefined;
  lockWaitMs?: number;
}

export function writerOn(
  db: DatabaseSync,
  { log: path, serving = false, checkpoints, lockWaitMs = 0 }: WriterOptions = {},
): Writer {
  const inTurn = writeQueue();
  const guard = guardWrites();
  const prepare = statementsOf(db);
  let scripts = 0;
  const connection = (report: typeof reporting) => connectionOn(db, report, { prepare, onScript: () => scripts++ });
  const inside = connection(guard.report);
  const statements = inOrder();
  // A full disk may end a transaction; what follows would be stored without it.
  const within: typeof reporting = (work) =>
    guard.report(() => {
      if (!db.isTransaction) throw new TransactionLost('the transaction has ended');
      return statements.unlessStopped(work);
    });
  const open = statements.connection(connection(within));
  const committing = connection(guard.commit);
  const log = path !== undefined && serving ? openLog(db, { path, checkpoints }, guard, inTurn) : undefined;
  let othersLog = log;
  // SQLite does not count schema changes.
  const changes = () => scripts + Number(prepare(totalChanges).get()?.['total']);
  const durably = syncing(inTurn, changes, log);
  const transact = transacting(db, guard, statements, open);
  const requireSound = () => guard.report(() => undefined);
  const exec = (text: string) => guard.report(() => db.exec(text));

  return {
    transaction: (work) => {
      const deadline = performance.now() + lockWaitMs;
      const begin = () => whenUnlocked(() => exec('begin immediate'), deadline);
      return durably(() => transact(begin, work));
    },
    run: (statement) => {
      const deadline = performance.now() + lockWaitMs;
      return durably(() => whenUnlocked(() => committing.run(statement), deadline));
    },
    script: (text) => durably(() => committing.script(text)),
    read: (work) => inTurn(() => work(inside)),
    snapshot: (work) => inTurn(() => transact(() => exec('begin'), work)),
    cutLog: () =>
      durably(async () => {
        if (checkpoints) return guard.report(await settled(checkpoints.make('truncate')));
        return Number(guard.report(() => withoutWaiting(db, () => prepare(cut).get()))?.['busy']) === 0;
      }),
    requireSound,
    sync: async () => {
      requireSound();
      if (path !== undefined) othersLog ??= reporting(() => openGroupCommit(path, { toFailure: guard.lose }));
      await othersLog?.durable(true).catch(requireSound);
    },
    end: (close) =>
      inTurn(async () => {
        await log?.durable(false).catch(() => undefined);
        othersLog?.[Symbol.dispose]();
        await close(!guard.isLost());
      }),
  };
}

function syncing(inTurn: WriteQueue, changes: () => number, log: GroupCommit | undefined) {
  return async <T>(work: () => Promise<T>): Promise<T> => {
    const { result, durable } = await inTurn(async () => {
      const before = changes();
      const result = await work();
      return { result, durable: log?.durable(changes() !== before) };
    });
    await durable;
    return result;
  };
}

function transacting(
  db: DatabaseSync,
  guard: WriteGuard,
  statements: ReturnType<typeof inOrder>,
  open: Omit<Transaction, 'beforeCommit'>,
) {
  const rollBack = () => {
    try {
      if (db.isTransaction) db.exec('rollback');
    } catch (error) {
      guard.lose(error);
    }
  };
  return async <T>(begin: () => unknown, work: Work<T>): Promise<T> => {
    await begin();
    try {
      const unawaited: Promise<unknown>[] = [];
      const beforeCommit = (statement: Promise<unknown>) => {
        statement.catch(() => undefined);
        unawaited.push(statement);
      };
      const result = await work({ ...open, beforeCommit });
      await Promise.all(unawaited);
      await giveWay();
      guard.commit(() => db.exec('commit'));
      return result;
    } catch (error) {
      await statements.stop();
      rollBack();
      throw error;
    }
  };
}

/** For a checkpoint: while it waits for readers, it keeps the write lock. */
function withoutWaiting<T>(db: DatabaseSync, work: () => T): T {
  const { timeout } = db.prepare('pragma busy_timeout').get() ?? {};
  db.exec('pragma busy_timeout = 0');
  try {
    return work();
  } finally {
    db.exec(`pragma busy_timeout = ${Number(timeout)}`);
  }
}

const cut = { pieces: ['pragma wal_checkpoint(truncate)'] };
const totalChanges = { pieces: ['select total_changes() as total'] };

/** SQLite's own checkpoints hide a failed sync of the log. */
function openLog(
  db: DatabaseSync,
  { path, checkpoints }: { path: string; checkpoints: Checkpoints | undefined },
  { report, lose }: WriteGuard,
  inTurn: WriteQueue,
): GroupCommit {
  const checkpoint = () =>
    inTurn(async () => {
      if (checkpoints && hasGrown(db)) report(await settled(checkpoints.make('passive')));
    });
  return openGroupCommit(path, {
    toFailure: lose,
    onSynced: () => void checkpoint().catch(() => undefined),
  });
}

const checkpointFrames = 1_000;

function hasGrown(db: DatabaseSync): boolean {
  if (!db.isOpen) return false;
  const size = db.prepare('pragma wal_checkpoint(noop)').get();
  return Number(size?.['log']) >= checkpointFrames;
}

function settled<T>(work: Promise<T>): Promise<() => T> {
  return work.then(
    (value) => () => value,
    (error: unknown) => () => {
      throw error;
    },
  );
}
