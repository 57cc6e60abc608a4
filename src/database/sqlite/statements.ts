import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { Sql } from '../sql.ts';

const statementCacheMax = 200;

export function statementsOf(db: DatabaseSync): (query: Sql) => StatementSync {
  const statements = new Map<string, StatementSync>();
  return ({ pieces }) => {
    const text = textOf(pieces);
    let statement = statements.get(text);
    if (!statement) {
      if (statements.size >= statementCacheMax) statements.clear();
      statement = db.prepare(text);
      statements.set(text, statement);
    }
    return statement;
  };
}

// A template without parts is always the same array.
const texts = new WeakMap<readonly string[], string>();

function textOf(pieces: readonly string[]): string {
  let text = texts.get(pieces);
  if (text === undefined) {
    text = pieces.join('?');
    texts.set(pieces, text);
  }
  return text;
}
