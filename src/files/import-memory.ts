import { DatabaseSync } from 'node:sqlite';

import { AppError } from '../errors.ts';
import type { ImportMemory } from '../imports.ts';

/** 132 bits and the version of the digest tell any two rows apart. */
const digestLength = 24;

/** Remembers in a temporary database, which is deleted when it is closed: files may exceed memory. */
export function openImportMemory<Person>(): ImportMemory<Person> {
  const db = new DatabaseSync('');
  db.exec(`
    pragma synchronous = off; pragma journal_mode = off; pragma cache_size = -16384;
    create table entries (id text primary key, line integer not null, digest text not null) strict, without rowid;
    create table digests (digest text primary key) strict, without rowid;
    create table keys (key text, id text, primary key (key, id)) strict, without rowid;
    create table planned (id text primary key, person text not null) strict, without rowid;
    begin`);
  const readEntry = db.prepare('select line, digest from entries where id = ?');
  const writeEntry = db.prepare(
    'insert into entries values (?, ?, ?) on conflict (id) do update set line = excluded.line',
  );
  const readDigest = db.prepare('select 1 from digests where digest = ?');
  const writeDigest = db.prepare('insert or ignore into digests values (?)');
  const writeKey = db.prepare('insert or ignore into keys values (?, ?)');
  const writePlanned = db.prepare('insert or replace into planned values (?, ?)');
  const readPlanned = db.prepare('select planned.id, person from keys join planned using (id) where key = ?');
  return {
    get: (id) => {
      const entry = inFile(() => readEntry.get(id));
      if (!entry) return undefined;
      const has = (whole: string) => {
        const digest = whole.slice(0, digestLength);
        return digest === entry['digest'] || inFile(() => readDigest.get(digest)) !== undefined;
      };
      return { line: Number(entry['line']), digests: { has } };
    },
    learn: ({ met, planned }) =>
      inFile(() => {
        for (const { id, isNew, line, digests } of met) {
          const short = digests.map((digest) => digest.slice(0, digestLength));
          // Several rows about one person are the exception, so only they need a table of their own.
          const first = isNew ? short.shift() : undefined;
          writeEntry.run(id, line, first ?? '');
          for (const digest of short) writeDigest.run(digest);
        }
        for (const { id, keys, person } of planned) {
          writePlanned.run(id, JSON.stringify(person));
          for (const key of keys) writeKey.run(key, id);
        }
      }),
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
