import { hash } from 'node:crypto';

import type { QueryConfig } from 'pg';

import type { Insertion, Sql, Value } from '../sql.ts';

/** Each column is one array parameter; an empty one fills it with nulls, as most contacts fill ten of 26 columns. */
export function insertionOf(
  { into, columns: all, terms, ending, countedFrom: counted }: Insertion,
  rows: readonly (readonly Value[])[],
): QueryConfig {
  const columns = all.filter((name) => name !== terms?.before);
  const values = columns.map((name) => {
    const place = all.indexOf(name);
    return rows.some((row) => row[place] != null) ? rows.map((row) => row[place] ?? null) : [];
  });
  const sources = values.map((column, place) => `$${place + 1}::${arrayType(columns[place] ?? '', column)}`).join(', ');
  const list = columns.join(', ');
  const base = counted?.query.pieces.reduce((all, piece, index) => `${all}$${values.length + index}${piece}`);
  const taken = columns.map((name) => (name === counted?.column ? `${name} + (${base})` : name)).join(', ');
  const text = `insert into ${into} (${list}) select ${taken} from unnest(${sources}) as given (${list}) ${ending.pieces.join('')}`;
  const name = rows.length < many ? nameOf(text) : undefined;
  return { name, text, values: [...values, ...(counted?.query.values ?? [])] };
}

/** Types of columns whose values may all be null. */
const arrayTypes: Readonly<Record<string, string>> = {
  search_key: 'tsvector[]',
  count: 'bigint[]',
  http_status: 'bigint[]',
};

function arrayType(column: string, values: readonly Value[]): string {
  const known = arrayTypes[column];
  if (known !== undefined) return known;
  return values.some((value) => typeof value === 'number') ? 'bigint[]' : 'text[]';
}

/** The number of rows or values decides the plan: with so many a statement has no name, and is planned each time. */
const many = 100;

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
  const name = values.length < many ? statement.name : undefined;
  return { name, text: statement.text, values: values as Value[] };
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
