import { DatabaseSync } from 'node:sqlite';

import type { ImportMemory } from '../imports.ts';

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
  const writeLine = db.prepare(
    'insert into lines values (?, ?) on conflict do update set line = excluded.line',
  );
  const readPlanned = db.prepare('select person from planned where key = ?');
  const writePlanned = db.prepare('insert or replace into planned values (?, ?)');
  const batch = new Map<string, Person>();
  return {
    lineOf: (key) => readLine.get(key)?.['line'] as number | undefined,
    remember: (key, line) => void writeLine.run(key, line),
    planned: {
      get: (key) => {
        if (!keepPlanned) return batch.get(key);
        const text = readPlanned.get(key)?.['person'] as string | undefined;
        return text === undefined ? undefined : (JSON.parse(text) as Person);
      },
      set: (key, person) => {
        if (keepPlanned) writePlanned.run(key, JSON.stringify(person));
        else batch.set(key, person);
      },
    },
    endBatch: () => batch.clear(),
    [Symbol.dispose]: () => db.close(),
  };
}
