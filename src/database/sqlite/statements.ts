import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { Sql } from '../sql.ts';

const statementCacheMax = 200;

export function statementsOf(db: DatabaseSync): (query: Sql) => StatementSync {
  const statements = new Map<string, StatementSync>();
  return ({ pieces }) => {
    const text = pieces.join('?');
    let statement = statements.get(text);
    if (!statement) {
      if (statements.size >= statementCacheMax) statements.clear();
      statement = db.prepare(text);
      statements.set(text, statement);
    }
    return statement;
  };
}
