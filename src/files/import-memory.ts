import { DatabaseSync } from 'node:sqlite';

import { AppError } from '../errors.ts';
import type { ImportMemory } from '../imports.ts';

/** So many lines are written at a time, sorted by key, which halves the work. */
const linesAtOnce = 16_384;
const rowsByStatement = 16;
/** Of a digest and its version; 132 bits tell any two rows apart, and twice as many take a fifth longer. */
const digestLength = 24;

interface OpenImportMemory<Person> extends ImportMemory<Person>, Disposable {
  /** The lines whose digest an earlier line has, here or in an earlier call. */
  repeated(rows: readonly { line: number; digest: string }[]): Set<number>;
  endBatch(): void;
}

/**
 * Remembers in a temporary database, which is deleted when it is closed, so that memory does not grow with the file.
 * `keepPlanned` is for a dry run, whose later rows must find what its earlier rows would have stored.
 */
export function openImportMemory<Person>(keepPlanned: boolean): OpenImportMemory<Person> {
  const db = new DatabaseSync('');
  db.exec(`
    pragma synchronous = off; pragma journal_mode = off; pragma cache_size = -8192;
    create table lines (key text primary key, line integer not null) strict, without rowid;
    create table digests (key text primary key, line integer not null) strict, without rowid;
    create table planned (key text primary key, person text not null) strict, without rowid;
    begin`);
  const lines = lineTable(db, 'lines', 'replace');
  const digests = lineTable(db, 'digests', 'ignore');
  const readPlanned = db.prepare('select person from planned where key = ?');
  const writePlanned = db.prepare('insert or replace into planned values (?, ?)');
  const batch = new Map<string, Person>();
  const recent = new Map<string, number>();
  return {
    lineOf: (key) => recent.get(key) ?? lines.lineOf(key),
    remember: (key, line) => {
      recent.set(key, line);
      if (recent.size < linesAtOnce) return;
      lines.put(recent);
      recent.clear();
    },
    repeated: (rows) => {
      const first = new Map<string, number>();
      const keyed = rows.map(({ line, digest }) => ({ line, key: digest.slice(0, digestLength) }));
      for (const { line, key } of keyed) if (!first.has(key)) first.set(key, line);
      const known = digests.put(first) === first.size ? first : undefined;
      const firstLineOf = (key: string) => known?.get(key) ?? digests.lineOf(key);
      return new Set(keyed.filter(({ line, key }) => firstLineOf(key) !== line).map(({ line }) => line));
    },
    planned: {
      get: (key) => {
        if (!keepPlanned) return batch.get(key);
        const text = inFile(() => readPlanned.get(key))?.['person'] as string | undefined;
        return text === undefined ? undefined : (JSON.parse(text) as Person);
      },
      set: (key, person) => {
        if (keepPlanned) inFile(() => writePlanned.run(key, JSON.stringify(person)));
        else batch.set(key, person);
      },
    },
    endBatch: () => batch.clear(),
    [Symbol.dispose]: () => db.close(),
  };
}

/** One of the tables of keys with a line each. */
function lineTable(db: DatabaseSync, table: 'lines' | 'digests', onConflict: 'replace' | 'ignore') {
  const insertion = (rows: number) =>
    db.prepare(`insert or ${onConflict} into ${table} values ${Array(rows).fill('(?, ?)').join(', ')}`);
  const [several, single] = [insertion(rowsByStatement), insertion(1)];
  const read = db.prepare(`select line from ${table} where key = ?`);
  return {
    lineOf: (key: string) => inFile(() => read.get(key))?.['line'] as number | undefined,
    /** Returns how many rows were inserted. */
    put: (entries: ReadonlyMap<string, number>): number => {
      const keys = [...entries.keys()].toSorted();
      let inserted = 0;
      for (let at = 0; at < keys.length;) {
        const isFull = at + rowsByStatement <= keys.length;
        const some = keys.slice(at, (at += isFull ? rowsByStatement : 1));
        const values = some.flatMap((key) => [key, entries.get(key) ?? 0]);
        inserted += inFile(() => Number((isFull ? several : single).run(...values).changes));
      }
      return inserted;
    },
  };
}

function inFile<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new AppError(
      'input_output',
      'The temporary folder cannot hold what the import has to remember; make room there ("df -h" shows how much), or set TMPDIR to another.',
      { cause: error },
    );
  }
}
