import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

import { AppError } from '../../errors.ts';
import type { Connection, Database, OpenOptions } from '../database.ts';
import { sql } from '../sql.ts';
import { type Checkpoints, openCheckpoints } from './checkpoints.ts';
import { connectionOn, usingIndex } from './connection.ts';
import { durableReads } from './durable-reads.ts';
import { reporting } from './failures.ts';
import { isThere, makeFile, noDatabase, requireFile, requireNothingLeft, requireWritable } from './file.ts';
import { holdFile } from './hold.ts';
import { mergeIndex } from './merge-index.ts';
import { type FileIdentity, identityOf, inMemory, keptLog, openReader, requireSame } from './reader.ts';
import { openSearchThreads } from './search-threads.ts';
import { type Writer, writerOn } from './writer.ts';

const applicationId = 0x52737472;

export function openSqlite(
  path: string,
  {
    busyTimeoutMs = 5_000,
    readOnly = false,
    create = !readOnly,
    serving = false,
    writesMany = false,
    hold,
  }: OpenOptions & { busyTimeoutMs?: number } = {},
): Database {
  return reporting(() => {
    if (!create && !isThere(path)) {
      requireNothingLeft(path);
      throw new AppError(
        'unavailable',
        `${noDatabase(path)}; set DATABASE_URL to another, or make one there with "roster migrate".`,
      );
    }
    if (path !== inMemory) {
      if (create) makeFile(path);
      requireFile(path);
      if (!readOnly) requireWritable(path);
    }
    // Follow links, like SQLite: the log is beside the file itself.
    const identity = identityOf(path);
    const [file] = identity;
    using opened = new DisposableStack();
    const held = hold && path !== inMemory ? opened.use(holdFile(file, hold)) : undefined;
    const db = opened.use(new DatabaseSync(path, { readOnly, timeout: busyTimeoutMs }));
    // Detects a damaged page before anything is answered from it.
    db.exec('pragma cell_size_check = on');
    requireOurs(db);
    if (!readOnly) db.exec('pragma journal_mode = wal');
    // NORMAL can lose the last commits in a power cut.
    db.exec('pragma synchronous = full; pragma foreign_keys = on; pragma trusted_schema = off;');
    if (!readOnly) db.exec('pragma secure_delete = on');
    if (writesMany) db.exec(manyWritten);
    let reader: DatabaseSync | undefined;
    if (serving && path !== inMemory) {
      db.exec(leftToWriter);
      reader = opened.use(openReader(path));
    }
    requireSame(path, identity);
    const log = path === inMemory ? {} : { log: `${file}-wal` };
    const checkpoints = reader && openCheckpoints(identity);
    const serves = { ...log, serving: true, checkpoints, lockWaitMs: busyTimeoutMs };
    const writer = writerOn(db, reader ? serves : log);
    const database = sqliteDatabase(identity, db, writer, { reader, held, checkpoints });
    opened.move();
    return database;
  });
}

/** Each batch changes pages all over the indexes; a large log writes them to the file once in ten batches. */
const manyWritten = 'pragma cache_size = -65536; pragma wal_autocheckpoint = 32768';

const leftToWriter = `pragma busy_timeout = 0; pragma synchronous = normal; pragma wal_autocheckpoint = 0; ${keptLog}`;

function requireOurs(db: DatabaseSync): void {
  const read = (text: string) => Object.values(db.prepare(text).get() ?? {})[0];
  const isMarked = () => read('pragma application_id') === applicationId;
  // Asked twice: another process may create tables and mark in between.
  if (isMarked() || read('select count(*) from sqlite_schema') === 0 || isMarked()) return;
  throw new AppError(
    'unavailable',
    'The store cannot be used: the file is a SQLite database, but not one of Roster; set DATABASE_URL to another.',
  );
}

function sqliteDatabase(
  identity: FileIdentity,
  db: DatabaseSync,
  writer: Writer,
  {
    reader,
    held,
    checkpoints,
  }: { reader: DatabaseSync | undefined; held: Disposable | undefined; checkpoints: Checkpoints | undefined },
): Database {
  const [path] = identity;
  const threads = reader && openSearchThreads(identity);
  const reading = reader && connectionOn(reader, reporting);
  const ask = <T>(work: (connection: Connection) => Promise<T>) => (reading ? work(reading) : writer.read(work));
  const database: Database = {
    engine: 'sqlite',
    queueOf: () => 'all',
    durable: durableReads(reader ?? db, reader === undefined, writer),
    identity: async () => {
      const { dev, ino } = statSync(path);
      return `${dev} ${ino}`;
    },
    connections: () => 0,
    state: () => ({
      files: path === inMemory ? undefined : { databaseBytes: sizeOf(path), walBytes: sizeOf(`${path}-wal`) },
      pools: [],
    }),
    usingIndex,
    insertAll: (insertion, rows) => writer.transaction((connection) => connection.insertAll(insertion, rows)),
    all: (query) => ask((connection) => connection.all(query)),
    first: (query) => ask((connection) => connection.first(query)),
    // One snapshot: the index may be emptied meanwhile.
    search: (...given) => threads?.search(...given) ?? writer.snapshot((connection) => connection.search(...given)),
    run: writer.run,
    script: writer.script,
    hasTable: async (name) => {
      writer.requireSound();
      const query = sql`select 1 from sqlite_schema where type = 'table' and name = ${name}`;
      return (await database.first(query)) !== undefined;
    },
    requireWritable: async () => undefined,
    transaction: writer.transaction,
    snapshot: writer.snapshot,
    mergeIndex: () => mergeIndex(writer),
    [Symbol.asyncDispose]: async () => {
      await threads?.[Symbol.asyncDispose]();
      await writer.end(async (isSound) => {
        await checkpoints?.[Symbol.asyncDispose]();
        // The last to close checkpoints the log, which must not happen after a failed sync.
        const connections = isSound ? [reader, db] : [db, reader];
        for (const connection of connections) connection?.close();
        held?.[Symbol.dispose]();
      });
    },
  };
  return database;
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
