import type { Sql } from './sql.ts';

/** Asking and telling, in or out of a transaction. Rows have the columns that the statement names. */
export interface Connection {
  all<Row>(query: Sql): Promise<Row[]>;
  first<Row>(query: Sql): Promise<Row | undefined>;
  /** The number of rows that the statement changed. */
  run(statement: Sql): Promise<number>;
  /**
   * What to write after a table's name so that the engine reads it by this index; nothing where the
   * planner can be trusted with it.
   */
  usingIndex(name: string): Sql;
  /** Several statements in one text, without values. */
  script(text: string): Promise<void>;
}

/** What an engine does for the stores. Failures of the engine itself are thrown as `unavailable`. */
export interface Database extends Connection, AsyncDisposable {
  readonly engine: 'sqlite' | 'postgres';
  hasTable(name: string): Promise<boolean>;
  /** Commits what `work` did, or nothing of it when it throws. Nobody else's statement comes in between. */
  transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
}
