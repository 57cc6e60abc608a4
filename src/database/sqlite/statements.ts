import type { DatabaseSync, SQLInputValue } from 'node:sqlite';

import type { Sql } from '../sql.ts';

const statementCacheMax = 200;

type Prepared = ReturnType<typeof prepared>;
type Row = Record<string, unknown>;

export function statementsOf(db: DatabaseSync): (query: Pick<Sql, 'pieces'>) => Prepared {
  const byText = new Map<string, Prepared>();
  let byPieces = new WeakMap<readonly string[], Prepared>();
  return ({ pieces }) => {
    const known = byPieces.get(pieces);
    if (known) return known;
    const text = pieces.join('?');
    if (byText.size >= statementCacheMax && !byText.has(text)) {
      byText.clear();
      byPieces = new WeakMap();
    }
    const statement = byText.get(text) ?? prepared(db, text);
    byText.set(text, statement);
    byPieces.set(pieces, statement);
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
