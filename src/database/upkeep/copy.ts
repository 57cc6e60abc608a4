import { createHash, hash } from 'node:crypto';

import { AppError } from '../../errors.ts';
import type { Connection, Database } from '../database.ts';
import { raw, type Sql, sql, type Value } from '../sql.ts';
import { keyTable, type Table, tables } from './copy-tables.ts';

interface Side {
  rows: Record<string, number>;
  sha256: string;
}

export interface CopyReport {
  /** Rows that this run added. */
  copied: number;
  from: Side;
  to: Side;
}

/** Called for each page: every row is handled twice, when it is copied and when the target is read. */
type OnCopied = (handled: number, total: number) => void;

/** Copies one state of everything and compares both sides. Throws `conflict` where the target holds anything else. */
export function copyDatabase(from: Database, to: Database, onCopied?: OnCopied, pageSize = 5_000): Promise<CopyReport> {
  return from.snapshot(async (source) => {
    await requireSameProjects(source, to);
    const [total, before] = [await countAll(source), await countAll(to)];
    let handled = 0;
    const onPage: OnPage = (rows) => onCopied?.((handled += rows.length), total * 2);
    const read = { from: [] as ReadTable[], to: [] as ReadTable[] };
    for (const table of tables) {
      if (table === keyTable) {
        await to.run(countedContacts);
        const state = await source.first<{ first_place: number }>(sql`select first_place from search_state`);
        await to.run(sql`update search_state set first_place = ${state?.first_place ?? 0}`);
        await to.script(laterPlaces[to.engine]);
      }
      const here = await copyTable(source, to, { ...table, pageSize }, onPage);
      const there = await to.snapshot((target) => readTable(target, { ...table, pageSize }, onPage));
      if (here.sha256 !== there.sha256) throw different(here, there);
      read.from.push(here);
      read.to.push(there);
    }
    return { copied: total - before, from: sideOf(read.from), to: sideOf(read.to) };
  });
}

type OnPage = (rows: Value[][]) => void | Promise<void>;

/** Contacts are counted by the writes that add them, which a copy does not use. */
const countedContacts = sql`update chatbots set contacts_removed = 0, contacts_added = (
  select count(*) from contacts where contacts.project_id = chatbots.project_id and contacts.chatbot_id = chatbots.id
)`;

const laterPlaces = {
  sqlite: 'update search_state set last_place = (select max(coalesce(max(place), 0), 0) from contacts)',
  postgres: `select setval('contact_places', greatest(max(place), 0) + 1, false) from contacts`,
};

async function copyTable(source: Connection, to: Database, table: Paged, onPage: OnPage): Promise<ReadTable> {
  const { name: into, columns, key: foundBy } = table;
  const insertion = { into, columns, foundBy, ending: sql`on conflict do nothing` };
  let writing: Promise<void> = Promise.resolve();
  try {
    return await readTable(source, table, async (rows) => {
      await onPage(rows);
      await writing;
      writing = to.insertAll(insertion, rows);
      writing.catch(() => undefined);
    });
  } finally {
    await writing;
  }
}

type Paged = Table & { pageSize: number };

async function* pages(connection: Connection, { name, columns, key, pageSize }: Paged): AsyncGenerator<Value[][]> {
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

interface ReadTable {
  name: string;
  rows: number;
  sha256: string;
}

async function readTable(connection: Connection, table: Paged, onPage: OnPage): Promise<ReadTable> {
  const digest = createHash('sha256');
  let rows = 0;
  for await (const page of pages(connection, table)) {
    digest.update(JSON.stringify(page));
    rows += page.length;
    await onPage(page);
  }
  return { name: table.name, rows, sha256: digest.digest('hex') };
}

function sideOf(read: readonly ReadTable[]): Side {
  return {
    rows: Object.fromEntries(read.map(({ name, rows }) => [name, rows])),
    sha256: hash('sha256', read.map(({ name, sha256 }) => `${name}${sha256}`).join('')),
  };
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
const projectTable: Paged = { name: 'projects', columns: ['id', 'created_at'], key: ['id'], pageSize: 5_000 };

async function requireSameProjects(source: Connection, to: Database): Promise<void> {
  const known = new Set<string>();
  for await (const rows of pages(source, projectTable)) for (const row of rows) known.add(row.join(' '));
  for await (const rows of pages(to, projectTable)) {
    if (rows.every((row) => known.has(row.join(' ')))) continue;
    throw new AppError('conflict', 'The target holds people of another database; copy into an empty one.');
  }
}

function different(here: ReadTable, there: ReadTable): AppError {
  const reason =
    here.rows === there.rows
      ? `The two sides have equally many ${here.name} but not the same ones`
      : `The two sides differ: ${here.rows} ${here.name} here, ${there.rows} there`;
  return new AppError('conflict', `${reason}; copy into an empty database.`);
}
