import { createHash } from 'node:crypto';

import type { Table } from './copy-tables.ts';
import type { Connection } from './database.ts';
import { raw, type Sql, sql, type Value } from './sql.ts';

const pageSize = 5_000;

/** One side of a copy: rows by table, and a digest of all of them in the order of their keys. */
export interface Side {
  rows: Record<string, number>;
  sha256: string;
}

/** The rows after the key, by key, in pages. */
export async function* pages(
  connection: Connection,
  { name, columns, key, lowest }: Table,
  after: readonly Value[] = lowest,
): AsyncGenerator<Value[][]> {
  const order = raw(key.join(', '));
  for (let last = after; ;) {
    const rows = await connection.all<Record<string, Value>>(sql`select ${raw(columns.join(', '))}
      from ${raw(name)} where (${order}) > (${list(last)}) order by ${order} limit ${pageSize}`);
    if (rows.length > 0) yield rows.map((row) => columns.map((column) => row[column] ?? null));
    const end = rows.at(-1);
    if (!end || rows.length < pageSize) return;
    last = key.map((column) => end[column] ?? null);
  }
}

/** Counts and digests the tables, page after page; `onPage` hears how many rows each had, and may throw to stop. */
export async function readSide(
  connection: Connection,
  some: readonly Table[],
  onPage: (rows: number) => void,
): Promise<Side> {
  const digest = createHash('sha256');
  const rows: Record<string, number> = {};
  for (const table of some) {
    rows[table.name] = 0;
    for await (const page of pages(connection, table)) {
      digest.update(`${table.name}${JSON.stringify(page)}`);
      rows[table.name] = (rows[table.name] ?? 0) + page.length;
      onPage(page.length);
    }
  }
  return { rows, sha256: digest.digest('hex') };
}

/** Two parts of one side. */
export function joined(people: Side, keys: Side): Side {
  const digest = createHash('sha256').update(people.sha256).update(keys.sha256);
  return { rows: { ...people.rows, ...keys.rows }, sha256: digest.digest('hex') };
}

/** Values separated by commas. */
export function list(values: readonly Value[]): Sql {
  return { pieces: ['', ...values.slice(1).map(() => ', '), ''], values };
}
