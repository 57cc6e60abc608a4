import type { StoredContact } from '../contacts/contact.ts';
import type { ContactSearch } from '../contacts/store.ts';
import { AppError } from '../errors.ts';
import type { OnAsked, StoreState } from '../store.ts';
import type { rememberKeys } from './remembered-keys.ts';
import type { FoundRow } from './search/terms.ts';
import type { Insertion, Sql, Value } from './sql.ts';

export interface OpenOptions {
  /** Nothing may block the event loop or wait long for a server; with the durability of `synchronous=FULL`. */
  serving?: boolean;
  readOnly?: boolean;
  create?: boolean;
  /** SQLite. `shared`: nobody migrates it; `alone`: no other Roster opens it; `whole`: nor an old one without locks. */
  hold?: 'shared' | 'alone' | 'whole';
  /** For SQLite: takes up to 16 MiB of memory; the log grows to 64 MiB. */
  writesMany?: boolean;
  onAsked?: OnAsked | undefined;
  /** How long deleted contacts are kept; 0 is not at all. */
  binDays?: number;
}

export interface Connection {
  all<Row>(query: Sql): Promise<Row[]>;
  first<Row>(query: Sql): Promise<Row | undefined>;
  /** Returns how many rows it changed. */
  run(statement: Sql): Promise<number>;
  /** No two rows may conflict with each other. */
  insertAll(insertion: Insertion, rows: readonly (readonly Value[])[]): Promise<void>;
  /** With `isWhole`, rows hold all that is kept. Throws `unavailable` while some contacts are not indexed. */
  search(projectId: string, search: ContactSearch, isWhole: boolean): Promise<FoundRow[]>;
  /** Follows a table's name to force this index; empty where the planner finds it. */
  usingIndex(name: string): Sql;
}

/** Later statements can be undone alone; one is open at a time. */
export interface Savepoint {
  release(): void;
  /** Throws TransactionLost where the whole transaction has ended. */
  undo(reason: unknown): Promise<void>;
}

export interface Transaction extends Connection {
  script(text: string): Promise<void>;
  savepoint(): Savepoint;
  /** Whether the index is outside the table of contacts, so that removing terms needs the former ones. */
  readonly indexesBeside: boolean;
  /** Takes contacts, as they are stored, out of an index beside their table before they are deleted. */
  unindex(projectId: string, chatbotId: string, contacts: readonly StoredContact[]): Promise<void>;
  /** Makes deletions of this transaction leave no trace in the engine. */
  leaveNoTrace(): Promise<void>;
  /** Lets a statement run beside what follows; the transaction commits only where it succeeds. */
  beforeCommit(statement: Promise<unknown>): void;
  /** Keeps other migrations, and writes of every process, out until the transaction ends. */
  lockSchema(): Promise<void>;
  /** Throws `unavailable` if a migration after this one has been applied. May fail the transaction alone. */
  requireProgram(lastKnown: string): Promise<void>;
  /** Ends a subquery: locks its rows, and skips those that another transaction has locked. */
  skipLocked: Sql;
  /** Suffix of a query: locks its rows until the transaction ends, also against new rows that refer to them. */
  forUpdate: Sql;
  /** Like `forUpdate`, but others may store rows that refer to these. */
  forChange: Sql;
}

export interface Access extends Connection {
  /** Resolves once everything that was read until now is durable; throws `unavailable` where it may never be. */
  durable(): Promise<void>;
}

export interface Queued {
  queue: string | undefined;
  /** Called once the commit is on its way, where the engine can take the next transaction. */
  onCommitting: () => void;
}

export type Engine = 'sqlite' | 'postgres';

export interface Database extends Access, AsyncDisposable {
  readonly engine: Engine;
  /** Commits durably or throws: `unavailable` if nothing was stored, `outcome_unknown`, or what the work throws. */
  transaction<T>(work: (connection: Transaction) => Promise<T>, queued?: Queued): Promise<T>;
  /** Writes of one queue run one after the other, and may share a transaction; undefined: it runs alone. */
  queueOf(subject: { projectId: string; chatbotId?: string | undefined }): string | undefined;
  /** Missing where keys are not remembered: a look-up is worth saving where it is a round trip. */
  readonly rememberKeys?: typeof rememberKeys;
  /** How many connections to a server were opened so far. */
  connections(): number;
  /** Equal for two URLs of one database. */
  identity(): Promise<string>;
  state(): StoreState;
  script(text: string): Promise<void>;
  hasTable(name: string): Promise<boolean>;
  /** Throws `unavailable` if the server takes no writes, such as a standby. */
  requireWritable(): Promise<void>;
  snapshot<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  /** Merges index segments in steps. This also removes the words of purged contacts. */
  mergeIndex(): AsyncIterable<void>;
}

/** The transaction has ended before its commit; the cause says why. */
export class TransactionLost extends Error {}

export function damagedRow(): AppError {
  return new AppError(
    'unavailable',
    'The store cannot be used: a row differs from what was stored; run "roster doctor", and restore the last backup ("roster restore FILE").',
  );
}
