import { accessSync, constants, existsSync, linkSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { AppError } from '../../errors.ts';
import { reporting } from './failures.ts';

/** Whether there is anything at the path; throws `unavailable` where its folder may not be looked into. */
export function isThere(path: string): boolean {
  return reporting(() => statSync(path, { throwIfNoEntry: false })) !== undefined;
}

/**
 * Makes folder and file where they are missing. The file gets its name when it has a page: so an empty one is what
 * is left of a database, whoever was stopped in the middle of making another.
 */
export function makeFile(path: string): void {
  if (isThere(path)) return;
  makeFolder(dirname(path));
  const unfinished = `${path}.${process.pid}.unfinished`;
  try {
    const db = new DatabaseSync(unfinished);
    try {
      db.exec('pragma journal_mode = wal');
    } finally {
      db.close();
    }
    linkSync(unfinished, path);
  } catch (error) {
    // Made by another process, or for a file system without links by whoever opens it.
    if (!isOneOf(error, ['EEXIST', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])) throw error;
  } finally {
    rmSync(unfinished, { force: true });
  }
}

// Level by level: told to make all at once, Node never returns where a file system refuses new folders.
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

function isOneOf(error: unknown, codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

/** Throws `unavailable` for what is there and can be no database: SQLite would say less of it, or make one of it. */
export function requireFile(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() === true)
    throw refused('what should be the database is a folder; set DATABASE_URL to a file');
  if (found?.isFile() === true && found.size === 0)
    throw refused(
      'the database file is empty; restore the last backup ("roster backup verify FILE" checks one), or remove the file to begin with nobody',
    );
}

/** Throws where the file or its folder, with the files beside it, may not be written: it would fail at the first write. */
export function requireWritable(path: string): void {
  accessSync(dirname(path), constants.W_OK | constants.X_OK);
  if (statSync(path, { throwIfNoEntry: false })) accessSync(path, constants.R_OK | constants.W_OK);
}

function refused(reason: string): AppError {
  return new AppError('unavailable', `The store cannot be used: ${reason}.`);
}
