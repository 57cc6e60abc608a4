import { createHash } from 'node:crypto';

import { AppError } from '../../errors.ts';
import type { Connection, Database } from '../database.ts';
import { raw, type Sql, sql, type Value } from '../sql.ts';
import { keyTable, peopleTables, type Table, tables } from './copy-tables.ts';

interface Side {
  rows: Record<string, number>;
  sha256: string;
}

/** Also holds the digest of each table, to name one that differs. */
interface ReadSide extends Side {
  digests: Record<string, string>;
}

export interface CopyReport {
  /** Rows that this run added. */
  copied: number;
  from: Side;
  to: Side;
}

type OnPage = (phase: 'copy' | 'check', rows: number) => void;

/** Copies one state of everything and compares both sides. Throws `conflict` where the target holds anything else. */
export function copyDatabase(
  from: Database,
  to: Database,
  onProgress?: (phase: 'copy' | 'check', rows: number, total: number) => void,
): Promise<CopyReport> {
  return from.snapshot(async (source) => {
    await requireSameProjects(source, to);
    const [total, before] = [await countAll(source), await countAll(to)];
    const done = { copy: 0, check: 0 };
    const onPage: OnPage = (phase, rows) => {
      onProgress?.(phase, (done[phase] += rows), phase === 'copy' ? total : total * 2);
    };
    const people = await copyAndCompare(source, to, peopleTables, onPage);
    await to.run(countedContacts);
    // Keys come last: nobody can use a copy that is incomplete or differs.
    const keys = await copyAndCompare(source, to, [keyTable], onPage);
    return {
      copied: total - before,
      from: joined(people.from, keys.from),
      to: joined(people.to, keys.to),
    };
  });
}

/** Writes that add contacts count them. */
const countedContacts = sql`update chatbots set contacts_removed = 0, contacts_added = (
  select count(*) from contacts where contacts.project_id = chatbots.project_id and contacts.chatbot_id = chatbots.id
)`;

async function copyAndCompare(
  source: Connection,
  to: Database,
  some: readonly Table[],
  onPage: OnPage,
): Promise<{ from: Side; to: Side }> {
  for (const table of some) await copyTable(source, to, table, onPage);
  const sides = {
    from: await readSide(source, some, onPage),
    to: await to.snapshot((target) => readSide(target, some, onPage)),
  };
  if (sides.from.sha256 === sides.to.sha256) return sides;
  throw new AppError('conflict', `${difference(sides.from, sides.to)}; copy into an empty database.`);
}

async function copyTable(source: Connection, to: Database, table: Table, onPage: OnPage): Promise<void> {
  const insertion = {
    into: table.name,
    columns: table.columns,
    foundBy: table.key,
    ending: sql`on conflict do nothing`,
  };
  let writing: Promise<void> = Promise.resolve();
  try {
    for await (const rows of pages(source, table)) {
      onPage('copy', rows.length);
      await writing;
      writing = to.insertAll(insertion, rows);
      writing.catch(() => undefined);
    }
  } finally {
    await writing;
  }
}

const pageSize = 5_000;

async function* pages(connection: Connection, { name, columns, key }: Table): AsyncGenerator<Value[][]> {
  const order = raw(key.join(', '));
  const all = sql`select ${raw(columns.join(', '))} from ${raw(name)}`;
  for (let after = sql``; ;) {
    const rows = await connection.all<Record<string, Value>>(sql`${all} ${after} order by ${order} limit ${pageSize}`);
    if (rows.length > 0) yield rows.map((row) => columns.map((column) => row[column] ?? null));
    const last = rows.at(-1);
    if (!last || rows.length < pageSize) return;
    after = sql`where (${order}) > (${list(key.map((column) => last[column] ?? null))})`;
  }
}

function list(values: readonly Value[]): Sql {
  return { pieces: ['', ...values.slice(1).map(() => ', '), ''], values };
}

async function readSide(connection: Connection, some: readonly Table[], onPage: OnPage): Promise<ReadSide> {
  const digest = createHash('sha256');
  const digests: Record<string, string> = {};
  const rows: Record<string, number> = {};
  for (const table of some) {
    let count = 0;
    const own = createHash('sha256');
    for await (const page of pages(connection, table)) {
      own.update(JSON.stringify(page));
      count += page.length;
      onPage('check', page.length);
    }
    rows[table.name] = count;
    digests[table.name] = own.digest('hex');
    digest.update(`${table.name}${digests[table.name]}`);
  }
  return { rows, sha256: digest.digest('hex'), digests };
}

function joined(people: Side, keys: Side): Side {
  const digest = createHash('sha256').update(people.sha256).update(keys.sha256);
  return { rows: { ...people.rows, ...keys.rows }, sha256: digest.digest('hex') };
}

async function countAll(connection: Connection): Promise<number> {
  let total = 0;
  for (const { name } of tables) {
    const row = await connection.first<{ total: number }>(
      sql`select cast(count(*) as integer) as total from ${raw(name)}`,
    );
    total += row?.total ?? 0;
  }
  return total;
}

// No later write changes these columns, so an interrupted copy is recognised.
const projectTable: Table = { name: 'projects', columns: ['id', 'created_at'], key: ['id'] };

async function requireSameProjects(source: Connection, to: Database): Promise<void> {
  const known = new Set<string>();
  for await (const rows of pages(source, projectTable)) for (const row of rows) known.add(row.join(' '));
  for await (const rows of pages(to, projectTable)) {
    if (rows.every((row) => known.has(row.join(' ')))) continue;
    throw new AppError('conflict', 'The target holds people of another database; copy into an empty one.');
  }
}

function difference(from: ReadSide, to: ReadSide): string {
  const table = Object.keys(from.digests).find((name) => from.digests[name] !== to.digests[name]) ?? '';
  return from.rows[table] === to.rows[table]
    ? `The two sides have equally many ${table} but not the same ones`
    : `The two sides differ: ${from.rows[table]} ${table} here, ${to.rows[table]} there`;
}
