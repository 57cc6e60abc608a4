import { hash } from 'node:crypto';

import type { QueryConfig } from 'pg';

import type { Insertion } from '../database.ts';
import type { Sql, Value } from '../sql.ts';

/** One statement for any number of rows: a column of values each is one parameter. */
export function insertionOf(
  { into, columns, ending }: Insertion,
  rows: readonly (readonly Value[])[],
): QueryConfig {
  const values = columns.map((_, index) => rows.map((row) => row[index] ?? null));
  const sources = values.map((column, index) => `$${index + 1}::${arrayType(column)}`).join(', ');
  const names = columns.join(', ');
  const text = `insert into ${into} (${names}) select * from unnest(${sources}) ${ending.pieces.join('')}`;
  return { name: nameOf(text), text, values };
}

function arrayType(values: readonly Value[]): string {
  return values.some((value) => typeof value === 'number') ? 'integer[]' : 'text[]';
}

interface Named {
  name?: string | undefined;
  text: string;
}

// A template without parts is the same array each time, so its text is assembled and named once.
const statements = new WeakMap<readonly string[], Named>();

export function statementOf({ pieces, values }: Sql): QueryConfig {
  let statement = statements.get(pieces);
  if (!statement) {
    const text = pieces.reduce((all, piece, index) => `${all}$${index}${piece}`);
    statement = { name: nameOf(text), text };
    statements.set(pieces, statement);
  }
  return { ...statement, values: values as Value[] };
}

const namesMax = 500;
const names = new Map<string, string>();

/**
 * The name under which a connection prepares the statement once; the few hundred texts of the program fit. It is a
 * digest of the text: behind a pooler that mixes up connections, a name never means another text.
 */
function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= namesMax) return known;
  const name = `roster_${hash('sha256', text, 'hex').slice(0, 32)}`;
  names.set(text, name);
  return name;
}
