import { accessSync, constants, existsSync, linkSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { AppError } from '../../errors.ts';

/**
 * Makes folder and file where they are missing. The file gets its name when it has a page: so an empty one is what
 * is left of a database, whoever was stopped in the middle of making another.
 */
export function makeFile(path: string): void {
  if (existsSync(path)) return;
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

/** Throws where the file may not be written, or is empty. */
export function requireWritable(path: string): void {
  // The folder too, with the files beside it. SQLite would open the file to read, and fail at the first write.
  accessSync(dirname(path), constants.W_OK | constants.X_OK);
  if (!existsSync(path)) return;
  accessSync(path, constants.R_OK | constants.W_OK);
  if (statSync(path).size > 0) return;
  // SQLite would make a new database of it, as if there had never been anybody.
  throw new AppError(
    'unavailable',
    'The store cannot be used: the database file is empty; restore the last backup ("roster backup verify FILE" checks one), or remove the file to begin with nobody.',
  );
}
