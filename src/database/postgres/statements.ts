import { hash } from 'node:crypto';

import type { QueryConfig } from 'pg';

import type { Insertion } from '../database.ts';
import type { Sql, Value } from '../sql.ts';

/** One statement for any number of rows: each column is one array parameter. */
export function insertionOf({ into, columns, ending }: Insertion, rows: readonly (readonly Value[])[]): QueryConfig {
  const filled = filledColumns(columns, rows);
  const values = filled.map((index) => rows.map((row) => row[index] ?? null));
  const names = filled.map((index) => columns[index] ?? '');
  const sources = values.map((column, index) => `$${index + 1}::${arrayType(names[index] ?? '', column)}`).join(', ');
  const text = `insert into ${into} (${names.join(', ')}) select * from unnest(${sources}) ${ending.pieces.join('')}`;
  return { name: nameOf(text), text, values };
}

const manyRows = 100;

/**
 * The places of the columns to name. With many rows, columns with nothing in them are left out: most contacts fill ten of
 * 26. With few rows all are named, so that there are few different statements.
 */
function filledColumns(columns: readonly string[], rows: readonly (readonly Value[])[]): number[] {
  const all = [...columns.keys()];
  return rows.length < manyRows ? all : all.filter((index) => rows.some((row) => row[index] != null));
}

function arrayType(column: string, values: readonly Value[]): string {
  if (column === 'search_key') return 'tsvector[]';
  return values.some((value) => typeof value === 'number') ? 'bigint[]' : 'text[]';
}

interface Named {
  name?: string | undefined;
  text: string;
}

// A template without parts is always the same array.
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

/** Names are digests: behind a pooler that mixes connections, a name never means another text. */
function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= namesMax) return known;
  const name = `roster_${hash('sha256', text, 'hex').slice(0, 32)}`;
  names.set(text, name);
  return name;
}
