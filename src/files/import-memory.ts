import { DatabaseSync } from 'node:sqlite';

import { AppError } from '../errors.ts';
import type { ImportMemory } from '../imports.ts';

/** Number of entries written at a time, sorted by key, which halves the work. */
const entriesAtOnce = 16_384;
const entriesByStatement = 16;
/** Length of a digest with its version: 132 bits tell any two rows apart. */
const digestLength = 24;

/** `line`: the last accepted row about a person, 0 for none; `digest`: that of the first row. */
interface Entry {
  line: number;
  digest: string;
}

/**
 * Remembers in a temporary database, which is deleted when it is closed, so that memory does not grow with the file.
 * `keepPlanned` is for a dry run, whose later rows must find what its earlier rows would have stored.
 */
export function openImportMemory<Person>(
  keepPlanned: boolean,
): ImportMemory<Person> & Disposable & { endBatch(): void } {
  const db = new DatabaseSync('');
  db.exec(`
    pragma synchronous = off; pragma journal_mode = off; pragma cache_size = -8192;
    create table entries (key text primary key, line integer not null, digest text not null) strict, without rowid;
    create table digests (digest text primary key) strict, without rowid;
    create table planned (key text primary key, person text not null) strict, without rowid;
    begin`);
  const entries = entryTable(db);
  const writeDigest = db.prepare('insert or ignore into digests values (?)');
  const readPlanned = db.prepare('select person from planned where key = ?');
  const writePlanned = db.prepare('insert or replace into planned values (?, ?)');
  const batch = new Map<string, Person>();
  return {
    lineOf: (key) => entries.get(key)?.line || undefined,
    remember: (key, line) => entries.set(key, { line, digest: entries.get(key)?.digest ?? '' }),
    seen: (key, whole, isNew) => {
      const digest = whole.slice(0, digestLength);
      const entry = isNew ? undefined : entries.get(key);
      if (!entry) entries.set(key, { line: 0, digest });
      if (!entry || entry.digest === digest) return entry !== undefined;
      // Several rows about one person are the exception, so only they need a table of their own.
      return inFile(() => writeDigest.run(digest)).changes === 0;
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

function entryTable(db: DatabaseSync) {
  const read = db.prepare('select line, digest from entries where key = ?');
  const write = db.prepare(
    `insert or replace into entries values ${Array(entriesByStatement).fill('(?, ?, ?)').join(', ')}`,
  );
  const recent = new Map<string, Entry>();
  const flush = () => {
    const sorted = [...recent.keys()].toSorted();
    for (let at = 0; at < sorted.length; at += entriesByStatement) {
      const values: (string | number)[] = [];
      for (const key of sorted.slice(at, at + entriesByStatement)) {
        const { line = 0, digest = '' } = recent.get(key) ?? {};
        values.push(key, line, digest);
      }
      inFile(() => write.run(...values));
    }
    recent.clear();
  };
  return {
    get: (key: string): Entry | undefined => recent.get(key) ?? (inFile(() => read.get(key)) as Entry | undefined),
    set: (key: string, entry: Entry) => {
      // Only a full list, as a statement takes a fixed number of entries.
      if (recent.size === entriesAtOnce) flush();
      recent.set(key, entry);
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
