import { AppError } from '../errors.ts';
import type { StoreState } from '../store.ts';
import type { Sql, Value } from './sql.ts';

/** Where rows go, and the values of each in order. */
export interface Insertion {
  into: string;
  columns: readonly string[];
  /** The columns by which they are looked for. */
  foundBy: readonly string[];
  /** An `on conflict …`, or nothing. */
  ending: Sql;
}

/** Asking and telling, in or out of a transaction. Rows have the columns that the statement names. */
export interface Connection {
  all<Row>(query: Sql): Promise<Row[]>;
  first<Row>(query: Sql): Promise<Row | undefined>;
  /** The number of rows that the statement changed. */
  run(statement: Sql): Promise<number>;
  /** Inserts all rows in the way that is quickest here. No two of them may conflict with each other. */
  insertAll(insertion: Insertion, rows: readonly (readonly Value[])[]): Promise<void>;
  /**
   * What to write after a table's name so that the engine reads it by this index; nothing where the
   * planner can be trusted with it.
   */
  usingIndex(name: string): Sql;
}

export interface Transaction extends Connection {
  /** Several statements in one text, without values. */
  script(text: string): Promise<void>;
  /** Waits until no other transaction that asked for the same name runs, and keeps others waiting to its end. */
  alone(name: string): Promise<void>;
}

/** Asking and telling with transactions: about everything, or about one project. */
export interface Scope extends Connection {
  /** Commits what `work` did, or nothing of it when it throws. Nobody else's statement comes in between. */
  transaction<T>(work: (connection: Transaction) => Promise<T>): Promise<T>;
}

/** What an engine does for the stores. Failures of the engine itself are thrown as `unavailable`. */
export interface Database extends Scope, AsyncDisposable {
  readonly engine: 'sqlite' | 'postgres';
  /**
   * A number that is another one as soon as anybody, in whatever process, has committed a change: what was read
   * after it was asked for is still true while it is the same. Undefined where the engine cannot tell.
   */
  version(): number | undefined;
  /** What tells it from any other database, however its URL is spelled. */
  identity(): Promise<string>;
  /** What the engine tells of itself now. */
  state(): StoreState;
  /** The scope of one project: whatever is asked in it, an engine with row security shows that project alone. */
  of(projectId: string): Scope;
  /** Several statements in one text, without values. */
  script(text: string): Promise<void>;
  hasTable(name: string): Promise<boolean>;
  /** Reads one state of the database throughout, whatever others write meanwhile; `work` only reads. */
  snapshot<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
}

/** For a row that cannot be what was stored. */
export function damagedRow(): AppError {
  return new AppError(
    'unavailable',
    'The store cannot be used: a row is not as it was stored; run "roster doctor", and restore the last backup.',
  );
}
