import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

import { AppError } from '../../errors.ts';
import type { Database, Transaction } from '../database.ts';
import { type Sql, sql } from '../sql.ts';
import { reporting, reportingUntilLost } from './failures.ts';
import { isThere, makeFile, requireFile, requireWritable } from './file.ts';
import { statementsOf } from './statements.ts';
import { versionOf } from './version.ts';

/** Marks a file as ours: `Rstr` in ASCII. */
const applicationId = 0x52737472;

export interface SqliteOptions {
  /** How long a statement waits for another process's lock. */
  busyTimeoutMs?: number;
  readOnly?: boolean;
  /** Whether a missing file is made; else it is `unavailable`. */
  create?: boolean;
  /** Whether what is asked outside transactions goes over a connection of its own, past those that write. */
  serving?: boolean;
  /** Whether many rows will be written: takes up to 16 MiB of memory, and lets the log grow to 64 MiB. */
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
      // A page that cannot be is told when it is read, not when somebody's answer has come of it.
      db.exec('pragma cell_size_check = on');
      requireOurs(db);
      if (!readOnly) db.exec('pragma journal_mode = wal');
      // FULL is what an acknowledged write needs to survive a power cut; NORMAL can lose the last ones.
      db.exec('pragma synchronous = full; pragma foreign_keys = on; pragma trusted_schema = off;');
      if (writesMany) db.exec(manyWritten);
      if (!serving || path === ':memory:') return sqliteDatabase(path, db);
      const reader = new DatabaseSync(path, { readOnly: true, timeout: busyTimeoutMs });
      reader.exec('pragma trusted_schema = off; pragma cell_size_check = on');
      return sqliteDatabase(path, db, reader);
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

/**
 * An index whose keys come in no order has as many pages changed in a batch as there are rows. Each is written to
 * the log by every batch, but so only once in some twenty of them to the file.
 */
const manyWritten = 'pragma cache_size = -16384; pragma wal_autocheckpoint = 16384';

function requireOurs(db: DatabaseSync): void {
  const read = (text: string) => Object.values(db.prepare(text).get() ?? {})[0];
  const isMarked = () => read('pragma application_id') === applicationId;
  if (isMarked() || read('select count(*) from sqlite_schema') === 0) return;
  // Another process may have made its tables, and with them the mark, between the two looks.
  if (isMarked()) return;
  throw new AppError(
    'unavailable',
    'The store cannot be used: the file is a SQLite database, but not one of Roster; set DATABASE_URL to another.',
  );
}

function sqliteDatabase(path: string, db: DatabaseSync, reader?: DatabaseSync): Database {
  // One connection writes for everybody, so everything on it waits for what was asked before: no statement of
  // one caller falls into the transaction of another.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };

  const writing = reportingUntilLost();
  const inside = connectionOn(db, writing);
  const reading = reader && connectionOn(reader, reporting);

  const transact = async <T>(
    begin: 'begin' | 'begin immediate',
    work: (connection: Transaction) => Promise<T>,
  ): Promise<T> => {
    writing(() => db.exec(begin));
    try {
      const result = await work(inside);
      writing(() => db.exec('commit'));
      return result;
    } catch (error) {
      rollBack(db);
      throw error;
    }
  };

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
    usingIndex: (name) => inside.usingIndex(name),
    insertAll: (insertion, rows) =>
      inTurn(() => transact('begin immediate', (connection) => connection.insertAll(insertion, rows))),
    all: (query) => (reading ? reading.all(query) : inTurn(() => inside.all(query))),
    first: (query) => (reading ? reading.first(query) : inTurn(() => inside.first(query))),
    run: (statement) => inTurn(() => inside.run(statement)),
    script: (text) => inTurn(() => inside.script(text)),
    hasTable: async (name) => {
      const query = sql`select 1 from sqlite_schema where type = 'table' and name = ${name}`;
      return (await inTurn(() => inside.first(query))) !== undefined;
    },
    transaction: (work) => inTurn(() => transact('begin immediate', work)),
    snapshot: (work) => inTurn(() => transact('begin', work)),
    [Symbol.asyncDispose]: () =>
      inTurn(async () => {
        reader?.close();
        db.close();
      }),
  };
  return database;
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

// What failed before it is what there is to say; a file that cannot be read fails here once more.
function rollBack(db: DatabaseSync): void {
  try {
    if (db.isTransaction) db.exec('rollback');
  } catch {}
}

function connectionOn(db: DatabaseSync, report: typeof reporting): Transaction {
  const prepare = statementsOf(db);
  return {
    // Rows come as the statement names them; its author and the store's tests answer for the type.
    all: async <Row>(query: Sql) => report(() => prepare(query).all(...query.values) as Row[]),
    first: async <Row>(query: Sql) => report(() => prepare(query).get(...query.values) as Row | undefined),
    run: async (statement) => report(() => Number(prepare(statement).run(...statement.values).changes)),
    insertAll: async ({ into, columns, ending }, rows) => {
      const places = columns.map(() => '?').join(', ');
      const text = `insert into ${into} (${columns.join(', ')}) values (${places}) ${ending.pieces.join('')}`;
      report(() => {
        const statement = prepare({ pieces: [text], values: [] });
        for (const row of rows) statement.run(...row);
      });
    },
    // Without statistics (see docs/decisions) SQLite takes the first columns of a primary key for all of it.
    usingIndex: (name) => ({ pieces: [`indexed by ${name}`], values: [] }),
    script: async (text) => report(() => db.exec(text)),
    // There is one writer at a time, over all processes.
    alone: async () => undefined,
  };
}
