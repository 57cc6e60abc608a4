import { DatabaseSync } from 'node:sqlite';

import { AppError } from '../errors.ts';
import type { ImportMemory } from '../imports.ts';

/** Number of entries written at a time, sorted by id, which halves the work. */
const entriesAtOnceDefault = 16_384;
const entriesByStatement = 16;
/** Length of a digest with its version: 132 bits tell any two rows apart. */
const digestLength = 24;

/** `line`: the last accepted row about a person, 0 for none; `digest`: that of the first row. */
interface Entry {
  line: number;
  digest: string;
}

/** Remembers in a temporary database, which is deleted when it is closed: files may exceed memory. */
export function openImportMemory<Person>(entriesAtOnce = entriesAtOnceDefault): ImportMemory<Person> {
  const db = new DatabaseSync('');
  db.exec(`
    pragma synchronous = off; pragma journal_mode = off; pragma cache_size = -8192;
    create table entries (id text primary key, line integer not null, digest text not null) strict, without rowid;
    create table digests (digest text primary key) strict, without rowid;
    create table keys (key text, id text, primary key (key, id)) strict, without rowid;
    create table planned (id text primary key, person text not null) strict, without rowid;
    begin`);
  const entries = entryTable(db, entriesAtOnce);
  const writeDigest = db.prepare('insert or ignore into digests values (?)');
  const readDigest = db.prepare('select 1 from digests where digest = ?');
  const writeKey = db.prepare('insert or ignore into keys values (?, ?)');
  const writePlanned = db.prepare('insert or replace into planned values (?, ?)');
  const readPlanned = db.prepare('select planned.id, person from keys join planned using (id) where key = ?');
  return {
    get: (id) => {
      const entry = entries.get(id);
      if (!entry) return undefined;
      const has = (whole: string) => {
        const digest = whole.slice(0, digestLength);
        return digest === entry.digest || inFile(() => readDigest.get(digest)) !== undefined;
      };
      return { line: entry.line, digests: { has } };
    },
    learn: ({ met, planned }) => {
      for (const { id, isNew, line, digests } of met) {
        const short = digests.map((digest) => digest.slice(0, digestLength));
        // Several rows about one person are the exception, so only they need a table of their own.
        const digest = (isNew ? short.shift() : entries.get(id)?.digest) ?? '';
        entries.set(id, { line, digest });
        for (const one of short) inFile(() => writeDigest.run(one));
      }
      for (const { id, keys, person } of planned) {
        inFile(() => writePlanned.run(id, JSON.stringify(person)));
        for (const key of keys) inFile(() => writeKey.run(key, id));
      }
    },
    plannedAt: (keys) => {
      const found = new Map<unknown, string>();
      for (const key of new Set(keys)) {
        for (const { id, person } of inFile(() => readPlanned.all(key))) found.set(id, String(person));
      }
      return [...found.values()].map((text) => JSON.parse(text) as Person);
    },
    [Symbol.dispose]: () => db.close(),
  };
}

function entryTable(db: DatabaseSync, entriesAtOnce: number) {
  const read = db.prepare('select line, digest from entries where id = ?');
  const write = db.prepare(
    `insert or replace into entries values ${Array(entriesByStatement).fill('(?, ?, ?)').join(', ')}`,
  );
  const recent = new Map<string, Entry>();
  const flush = () => {
    const sorted = [...recent.keys()].toSorted();
    for (let at = 0; at < sorted.length; at += entriesByStatement) {
      const values: (string | number)[] = [];
      for (const id of sorted.slice(at, at + entriesByStatement)) {
        const { line = 0, digest = '' } = recent.get(id) ?? {};
        values.push(id, line, digest);
      }
      inFile(() => write.run(...values));
    }
    recent.clear();
  };
  return {
    get: (id: string): Entry | undefined => recent.get(id) ?? (inFile(() => read.get(id)) as Entry | undefined),
    set: (id: string, entry: Entry) => {
      // Only a full list, as a statement takes a fixed number of entries.
      if (recent.size === entriesAtOnce) flush();
      recent.set(id, entry);
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
