import type { DatabaseSync } from 'node:sqlite';

import { AppError } from '../../errors.ts';
import { type Transaction, TransactionLost } from '../database.ts';
import { newerProgram } from '../newest-only.ts';
import { type Insertion, raw, type Sql, sql, type Value } from '../sql.ts';
import { contactIndexOn, wholeMergeDue } from './contact-index.ts';
import { searchContacts } from './contact-search.ts';
import type { reporting } from './failures.ts';
import { inSteps } from './in-order.ts';
import { statementsOf } from './statements.ts';

interface ConnectionOptions {
  prepare?: ReturnType<typeof statementsOf>;
  onScript?: () => void;
}

export function connectionOn(
  db: DatabaseSync,
  report: typeof reporting,
  { prepare = statementsOf(db), onScript }: ConnectionOptions = {},
): Omit<Transaction, 'beforeCommit'> {
  const index = contactIndexOn(prepare);
  const all = async <Row>(query: Sql) => report(() => prepare(query).all(...query.values) as Row[]);
  const first = async <Row>(query: Sql) => report(() => prepare(query).get(...query.values) as Row | undefined);
  return {
    all,
    first,
    search: (...given) => searchContacts({ all, usingIndex }, ...given),
    run: async (statement) => report(() => Number(prepare(statement).run(...statement.values).changes)),
    insertAll: (insertion, rows) => inSteps(report, insertionSteps(prepare, index, insertion, rows)),
    usingIndex,
    script: async (text) => {
      onScript?.();
      report(() => db.exec(text));
    },
    savepoint: () => {
      report(() => prepare(savepoint).run());
      return {
        release: () => void report(() => prepare(release).run()),
        undo: async (reason) => {
          // A full disk, and other errors of the system, end the whole transaction.
          if (!db.isTransaction) throw new TransactionLost('', { cause: reason });
          report(() => {
            prepare(undo).run();
            prepare(release).run();
          });
        },
      };
    },
    lockSchema: async () => undefined,
    requireProgram: async (lastKnown) => {
      const row = await first<{ last: string }>(sql`select max(name) as last from schema_migrations`);
      if (row && row.last > lastKnown) throw new AppError('unavailable', `The store cannot be used: ${newerProgram}.`);
    },
    leaveNoTrace: async () => void report(() => prepare({ pieces: [wholeMergeDue] }).run()),
    indexesBeside: true,
    unindex: (...given) => inSteps(report, index.remove(...given)),
    skipLocked: { pieces: [''], values: [] },
    forUpdate: { pieces: [''], values: [] },
    forChange: { pieces: [''], values: [] },
  };
}

function* insertionSteps(
  prepare: ReturnType<typeof statementsOf>,
  index: ReturnType<typeof contactIndexOn>,
  insertion: Insertion,
  rows: readonly (readonly Value[])[],
): Generator<void, void> {
  const { into, ending, countedFrom: counted } = insertion;
  const told = insertion.terms ? yield* index.exchange(insertion, rows) : { ...insertion, rows };
  const countedPlace = counted ? told.columns.indexOf(counted.column) : -1;
  const base = counted ? ` + (${counted.query.pieces.join('?')})` : '';
  const places = told.columns.map((_, place) => (place === countedPlace ? `?${base}` : '?')).join(', ');
  const text = `insert into ${into} (${told.columns.join(', ')}) values (${places}) ${ending.pieces.join('')}`;
  const statement = prepare({ pieces: [text] });
  for (const row of told.rows) {
    statement.run(...(counted ? row.toSpliced(countedPlace + 1, 0, ...counted.query.values) : row));
    yield;
  }
}

const savepoint = { pieces: ['savepoint work'] };
const release = { pieces: ['release work'] };
const undo = { pieces: ['rollback to work'] };

/** Without statistics SQLite takes a prefix of a primary key for all of it. */
export function usingIndex(name: string): Sql {
  return raw(`indexed by ${name}`);
}
