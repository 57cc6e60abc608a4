import { AppError } from '../errors.ts';
import type { StoreState } from '../store.ts';
import type { Sql, Value } from './sql.ts';

/** The table that rows go to, and the order of their values. */
export interface Insertion {
  into: string;
  columns: readonly string[];
  /** The columns of its look-ups. */
  foundBy: readonly string[];
  /** An `on conflict …`, or nothing. */
  ending: Sql;
}

/** Runs statements, inside or outside a transaction. Rows have the columns that the statement names. */
export interface Connection {
  all<Row>(query: Sql): Promise<Row[]>;
  first<Row>(query: Sql): Promise<Row | undefined>;
  /** The number of rows that the statement changed. */
  run(statement: Sql): Promise<number>;
  /** Inserts all rows in the engine's quickest way. No two of them may conflict with each other. */
  insertAll(insertion: Insertion, rows: readonly (readonly Value[])[]): Promise<void>;
  /** Follows a table's name to make the engine use this index; nothing where the planner finds it by itself. */
  usingIndex(name: string): Sql;
}

export interface Transaction extends Connection {
  /** Several statements in one text, without values. */
  script(text: string): Promise<void>;
  /** Waits until no other transaction holds the same name, and holds it to the end of this one. */
  alone(name: string): Promise<void>;
}

export interface TransactionOptions {
  /**
   * Aborted before COMMIT is sent, it ends the transaction at once: nothing is stored, and its reason is thrown.
   * After that it is ignored.
   */
  signal?: AbortSignal | undefined;
}

/** Statements and transactions on the whole database, or on one project. */
export interface Scope extends Connection {
  /**
   * Commits all that `work` did, durably, or nothing when it throws. No other statement comes in between. Throws
   * `unavailable` when nothing was stored, and `outcome_unknown` when COMMIT was sent and its answer was lost.
   */
  transaction<T>(work: (connection: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
}

/** An engine, as the stores use it. Errors of the engine itself are thrown as `unavailable`. */
export interface Database extends Scope, AsyncDisposable {
  readonly engine: 'sqlite' | 'postgres';
  /**
   * Data version: changes with every commit by any process. Rows read after it are current while it is the same.
   * Undefined where the engine cannot tell.
   */
  version(): number | undefined;
  /** Differs from that of any other database, however its URL is spelled. */
  identity(): Promise<string>;
  /** Sizes and connections, for metrics. */
  state(): StoreState;
  /** The scope of one project: an engine with row security shows the rows of that project alone. */
  of(projectId: string): Scope;
  /** Several statements in one text, without values. */
  script(text: string): Promise<void>;
  hasTable(name: string): Promise<boolean>;
  /** Reads one consistent state of the database; `work` must not write. */
  snapshot<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
}

/** For a row that differs from the one that was stored. */
export function damagedRow(): AppError {
  return new AppError(
    'unavailable',
    'The store cannot be used: a row is not as it was stored; run "roster doctor", and restore the last backup.',
  );
}
