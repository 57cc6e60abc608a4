import { AppError } from '../errors.ts';
import { joined, list, pages, readSide, type Side } from './copy-pages.ts';
import { keyTable, peopleTables, type Table, tables } from './copy-tables.ts';
import type { Connection, Database } from './database.ts';
import { raw, sql, type Value } from './sql.ts';

export interface CopyReport {
  /** Rows that this run copied; what an interrupted one had copied is not among them. */
  copied: number;
  from: Side;
  to: Side;
}

export interface CopyOptions {
  /** Called after every page: what is being done, and how many of how many rows are through. */
  onProgress?: (phase: 'copy' | 'check', rows: number, total: number) => void;
  /** Throws to stop between two pages; what is copied stays, and the copy can be run again. */
  throwIfStopped?: () => void;
}

/**
 * Copies everything, API keys included, as it stands at one moment, and then reads both sides whole. Where an
 * interrupted copy left off, it goes on. Throws `conflict` where the target holds anything else, before or after.
 */
export function copyDatabase(from: Database, to: Database, options: CopyOptions = {}): Promise<CopyReport> {
  return from.snapshot(async (source) => {
    await requireOwnProjects(source, to);
    const total = await countAll(source);
    const people = await copyAndCompare(source, to, peopleTables, total, options);
    // Only now, when everybody is there: nobody is served from a copy that is half made, or not equal.
    const keys = await copyAndCompare(source, to, [keyTable], total, options);
    return {
      copied: people.copied + keys.copied,
      from: joined(people.from, keys.from),
      to: joined(people.to, keys.to),
    };
  });
}

async function copyAndCompare(
  source: Connection,
  to: Database,
  some: readonly Table[],
  total: number,
  options: CopyOptions,
): Promise<CopyReport> {
  const copied = await copyTables(source, to, some, total, options);
  let checked = 0;
  const onPage = (rows: number) => {
    options.throwIfStopped?.();
    options.onProgress?.('check', (checked += rows), total * 2);
  };
  const report = {
    copied,
    from: await readSide(source, some, onPage),
    to: await to.snapshot((target) => readSide(target, some, onPage)),
  };
  if (report.from.sha256 === report.to.sha256) return report;
  throw new AppError('conflict', `${difference(report)}; copy into an empty database.`);
}

async function copyTables(
  source: Connection,
  to: Database,
  some: readonly Table[],
  total: number,
  { onProgress, throwIfStopped }: CopyOptions,
): Promise<number> {
  let copied = 0;
  let through = 0;
  for (const table of some) {
    const after = await lastKey(to, table);
    through += await countUpTo(source, table, after);
    let writing: Promise<void> = Promise.resolve();
    try {
      // The next page is read while one is written.
      for await (const rows of pages(source, table, after)) {
        throwIfStopped?.();
        await writing;
        writing = to.insertAll(
          { into: table.name, columns: table.columns, foundBy: table.key, ending: sql`` },
          rows,
        );
        writing.catch(() => undefined);
        copied += rows.length;
        onProgress?.('copy', (through += rows.length), total);
      }
    } finally {
      // Also where it is stopped: whoever goes on asks what is there, and must not be overtaken by this.
      await writing;
    }
  }
  return copied;
}

/** The key with which an earlier copy ended, as copies go by key; undefined where there is nothing yet. */
async function lastKey(to: Database, { name, key }: Table): Promise<Value[] | undefined> {
  const row = await to.first<Record<string, Value>>(
    sql`select ${raw(key.join(', '))} from ${raw(name)}
      order by ${raw(key.map((column) => `${column} desc`).join(', '))} limit 1`,
  );
  return row && key.map((column) => row[column] ?? null);
}

async function countUpTo(
  connection: Connection,
  { name, key }: Table,
  last?: readonly Value[],
): Promise<number> {
  if (!last) return 0;
  const row = await connection.first<{ total: number }>(
    sql`select cast(count(*) as integer) as total from ${raw(name)} where (${raw(key.join(', '))}) <= (${list(last)})`,
  );
  return row?.total ?? 0;
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

/** Throws `conflict`, before anything is written, where the target has a project that the source has not. */
async function requireOwnProjects(source: Connection, to: Database): Promise<void> {
  const [projects] = peopleTables;
  if (!projects) return;
  const theirs = pages(source, projects);
  let known = new Set<string>();
  for await (const rows of pages(to, projects)) {
    for (const row of rows.map((one) => JSON.stringify(one))) {
      while (!known.has(row)) {
        const next = await theirs.next();
        if (next.done === true) {
          throw new AppError(
            'conflict',
            'The target holds people of another database; copy into an empty one.',
          );
        }
        known = new Set(next.value.map((one) => JSON.stringify(one)));
      }
    }
  }
}

function difference({ from, to }: CopyReport): string {
  const table = Object.keys(from.rows).find((name) => from.rows[name] !== to.rows[name]);
  return table !== undefined
    ? `The two sides differ: ${from.rows[table]} ${table} here, ${to.rows[table]} there`
    : 'The two sides have as many rows but not the same ones';
}
