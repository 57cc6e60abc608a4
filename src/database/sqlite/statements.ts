import type { DatabaseSync, SQLInputValue } from 'node:sqlite';

import type { Sql } from '../sql.ts';

const statementCacheMax = 200;

type Prepared = ReturnType<typeof prepared>;
type Row = Record<string, unknown>;

export function statementsOf(db: DatabaseSync): (query: Pick<Sql, 'pieces'>) => Prepared {
  const statements = new Map<string, Prepared>();
  return ({ pieces }) => {
    const text = pieces.join('?');
    let statement = statements.get(text);
    if (!statement) {
      if (statements.size >= statementCacheMax) statements.clear();
      statement = prepared(db, text);
      statements.set(text, statement);
    }
    return statement;
  };
}

/** Makes the rows itself: V8 reads and serializes those of node:sqlite slowly, which took a sixth of a query. */
function prepared(db: DatabaseSync, text: string) {
  const statement = db.prepare(text);
  statement.setReturnArrays(true);
  const names = statement.columns().map(({ name }) => name);
  const empty: Row = Object.fromEntries(names.map((name) => [name, null]));
  const toRow = (cells: unknown): Row => {
    const row = { ...empty };
    names.forEach((name, index) => (row[name] = (cells as unknown[])[index]));
    return row;
  };
  return {
    all: (...values: SQLInputValue[]): Row[] => statement.all(...values).map(toRow),
    get: (...values: SQLInputValue[]): Row | undefined => {
      const cells: unknown = statement.get(...values);
      return cells === undefined ? undefined : toRow(cells);
    },
    // Bound: a wrapper would copy the 26 values of each row of an import.
    run: statement.run.bind(statement) as (...values: SQLInputValue[]) => ReturnType<typeof statement.run>,
  };
}
