import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

import { AppError } from '../../errors.ts';
import type { Database } from '../database.ts';
import { sql } from '../sql.ts';
import { connectionOn } from './connection.ts';
import { reporting } from './failures.ts';
import { isThere, makeFile, requireFile, requireWritable } from './file.ts';
import { versionOf } from './version.ts';
import { type Writer, writerOn } from './writer.ts';

/** Marks a file as ours: `Rstr` in ASCII. */
const applicationId = 0x52737472;

export interface SqliteOptions {
  /** How long to wait for another process's lock. */
  busyTimeoutMs?: number;
  readOnly?: boolean;
  /** Makes a missing file; else it is `unavailable`. */
  create?: boolean;
  /**
   * Keeps locks and syncs off the event loop: reads outside transactions use a connection of their own, and one sync
   * serves many commits. Durability is that of `synchronous=FULL`.
   */
  serving?: boolean;
  /** For many rows: takes up to 16 MiB of memory, and lets the log grow to 64 MiB. */
  writesMany?: boolean;
}

/** Opens (creating file and folder when missing) the database at `path`; throws `unavailable`. */
export function openSqlite(
  path: string,
  {
    busyTimeoutMs = 5_000,
    readOnly = false,
    create = !readOnly,
    serving = false,
    writesMany = false,
  }: SqliteOptions = {},
): Database {
  return reporting(() => {
    if (!create && !isThere(path)) {
      throw new AppError('unavailable', 'There is no database at this path yet; "roster migrate" makes one.');
    }
    if (path !== ':memory:') {
      if (create) makeFile(path);
      requireFile(path);
      if (!readOnly) requireWritable(path);
    }
    const db = new DatabaseSync(path, { readOnly, timeout: busyTimeoutMs });
    try {
      // Reports a damaged page when it is read, before anything is answered from it.
      db.exec('pragma cell_size_check = on');
      requireOurs(db);
      if (!readOnly) db.exec('pragma journal_mode = wal');
      // With NORMAL a power cut would lose the last commits.
      db.exec('pragma synchronous = full; pragma foreign_keys = on; pragma trusted_schema = off;');
      if (writesMany) db.exec(manyWritten);
      if (!serving || path === ':memory:') return sqliteDatabase(path, db, writerOn(db, {}));
      db.exec(leftToWriter);
      const reader = openReader(path);
      return sqliteDatabase(
        path,
        db,
        writerOn(db, { log: `${path}-wal`, lockWaitMs: busyTimeoutMs }),
        reader,
      );
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

/**
 * In an index with random keys every row of a batch changes a page of its own. The log gets each of them with every
 * batch; a large log passes them on to the file only once in some twenty batches.
 */
const manyWritten = 'pragma cache_size = -16384; pragma wal_autocheckpoint = 16384';

/** A connection that has read keeps the log where it is until it is closed. */
const keptLog = 'select count(*) from sqlite_schema';

/** Waiting for locks, syncs and checkpoints. */
const leftToWriter = `pragma busy_timeout = 0; pragma synchronous = normal; pragma wal_autocheckpoint = 0; ${keptLog}`;

/** Readers wait for no writer, only for a process that restores the log after a crash. */
const readerTimeoutMs = 100;

function openReader(path: string): DatabaseSync {
  const reader = new DatabaseSync(path, { readOnly: true, timeout: readerTimeoutMs });
  reader.exec(`pragma trusted_schema = off; pragma cell_size_check = on; ${keptLog}`);
  return reader;
}

function requireOurs(db: DatabaseSync): void {
  const read = (text: string) => Object.values(db.prepare(text).get() ?? {})[0];
  const isMarked = () => read('pragma application_id') === applicationId;
  if (isMarked() || read('select count(*) from sqlite_schema') === 0) return;
  // Another process may have made the tables, and with them the mark, in the meantime.
  if (isMarked()) return;
  throw new AppError(
    'unavailable',
    'The store cannot be used: the file is a SQLite database, but not one of Roster; set DATABASE_URL to another.',
  );
}

function sqliteDatabase(path: string, db: DatabaseSync, writer: Writer, reader?: DatabaseSync): Database {
  const reading = reader && connectionOn(reader, reporting);
  const database: Database = {
    engine: 'sqlite',
    version: versionOf(reader ?? db, reader ? 'reads' : 'writes'),
    identity: async () => {
      const { dev, ino } = statSync(path);
      return `${dev} ${ino}`;
    },
    state: () => ({
      files:
        path === ':memory:' ? undefined : { databaseBytes: sizeOf(path), walBytes: sizeOf(`${path}-wal`) },
      pools: [],
    }),
    of: () => database,
    usingIndex: (name) => ({ pieces: [`indexed by ${name}`], values: [] }),
    insertAll: (insertion, rows) => writer.transaction((connection) => connection.insertAll(insertion, rows)),
    all: (query) => (reading ? reading.all(query) : writer.read((connection) => connection.all(query))),
    first: (query) => (reading ? reading.first(query) : writer.read((connection) => connection.first(query))),
    run: writer.run,
    script: writer.script,
    hasTable: async (name) => {
      // A process that writes no more is not ready.
      writer.requireSound();
      const query = sql`select 1 from sqlite_schema where type = 'table' and name = ${name}`;
      return (await database.first(query)) !== undefined;
    },
    transaction: writer.transaction,
    snapshot: writer.snapshot,
    [Symbol.asyncDispose]: () =>
      writer.end((isSound) => {
        // The last connection to close copies the log into the file: after a failed sync let it be one that cannot.
        const connections = isSound ? [reader, db] : [db, reader];
        for (const connection of connections) connection?.close();
      }),
  };
  return database;
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
