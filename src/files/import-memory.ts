import { DatabaseSync } from 'node:sqlite';

import { AppError } from '../errors.ts';
import type { ImportMemory } from '../imports.ts';

/** Lines go into the file so many at a time, in the order of their keys, and several by a statement: half the work. */
const linesAtOnce = 16_384;
const linesByStatement = 16;

/**
 * Remembers in a temporary file of SQLite's own, which is deleted when it is closed: an import of ten
 * million rows needs no more memory than one of ten. `keepPlanned` is for a dry run, whose later rows
 * must find what its earlier rows would have stored.
 */
export function openImportMemory<Person>(
  keepPlanned: boolean,
): ImportMemory<Person> & Disposable & { endBatch(): void } {
  const db = new DatabaseSync('');
  db.exec(`
    pragma synchronous = off; pragma journal_mode = off; pragma cache_size = -8192;
    create table lines (key text primary key, line integer not null) strict, without rowid;
    create table planned (key text primary key, person text not null) strict, without rowid;
    begin`);
  const readLine = db.prepare('select line from lines where key = ?');
  const writeLines = db.prepare(
    `insert or replace into lines values ${Array(linesByStatement).fill('(?, ?)').join(', ')}`,
  );
  const readPlanned = db.prepare('select person from planned where key = ?');
  const writePlanned = db.prepare('insert or replace into planned values (?, ?)');
  const batch = new Map<string, Person>();
  const lines = new Map<string, number>();
  return {
    lineOf: (key) => lines.get(key) ?? (inFile(() => readLine.get(key))?.['line'] as number | undefined),
    remember: (key, line) => {
      lines.set(key, line);
      if (lines.size < linesAtOnce) return;
      const keys = [...lines.keys()].toSorted();
      for (let at = 0; at < linesAtOnce; at += linesByStatement) {
        const values: (string | number)[] = [];
        for (const one of keys.slice(at, at + linesByStatement)) values.push(one, lines.get(one) ?? 0);
        inFile(() => writeLines.run(...values));
      }
      lines.clear();
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
