import {
  accessSync,
  chownSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { AppError } from '../../errors.ts';
import { giveName, makeUnfinished } from '../../new-file.ts';
import { reporting } from './failures.ts';

export function isThere(path: string): boolean {
  return reporting(() => statSync(path, { throwIfNoEntry: false })) !== undefined;
}

export function noDatabase(path: string): string {
  return `There is no database at ${resolve(path)}`;
}

/** Files that SQLite keeps beside the file, and would apply to any file of this name. */
export function filesBeside(path: string): string[] {
  return ['-wal', '-shm', '-journal'].map((suffix) => `${path}${suffix}`).filter(existsSync);
}

/** Completes "is damaged" where a file beside it may be the cause. */
export function orStrayLog(path: string): string {
  const log = `${resolve(path)}-wal`;
  const { size = 0 } = statSync(log, { throwIfNoEntry: false }) ?? {};
  if (size === 0) return '';
  return existsSync(`${resolve(path)}-shm`)
    ? `, or ${log} and its -shm belong to another file`
    : `, or ${log} belongs to another file`;
}

/** Links the file into place once it has a page: an empty file is then a lost database. */
export function makeFile(path: string): void {
  if (isThere(path)) return;
  makeFolder(dirname(path));
  requireNothingLeft(path);
  const unfinished = makeUnfinished(path);
  try {
    const db = new DatabaseSync(unfinished);
    try {
      db.exec('pragma journal_mode = wal');
    } finally {
      db.close();
    }
    giveName(unfinished, path);
  } catch (error) {
    if (!isThere(path)) throw error;
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/** A new database would mix with the log that is left of a lost one. */
export function requireNothingLeft(path: string): void {
  const [left] = filesBeside(path);
  if (left === undefined || isThere(path)) return;
  throw refused(
    `there is ${resolve(left)} without its database; put the database back ("roster restore FILE" restores a backup), or move that file away`,
  );
}

// One level at a time: `recursive` never returns where a file system rejects new folders.
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/** The smallest page. SQLite takes a file of one byte for a new database. */
const fileBytesMin = 512;

export function requireFile(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) throw refused('the path of the database is a folder; set DATABASE_URL to a file');
  if (found?.isFile() === true && found.size < fileBytesMin) {
    if (!isBeginning(reporting(() => readFileSync(path))))
      throw refused('the file is not a SQLite database; set DATABASE_URL to another file');
    throw refused(
      `the database file is ${found.size === 0 ? 'empty' : 'cut off'}; restore the last backup ("roster restore FILE"), or remove the file to start with an empty database`,
    );
  }
}

function isBeginning(bytes: Buffer): boolean {
  const beginning = Buffer.from('SQLite format 3\0');
  return beginning.subarray(0, bytes.length).equals(bytes.subarray(0, beginning.length));
}

/** Leaves the right owner as it is: only root may set one, and only root needs to. */
export function giveOwner(path: string, { uid, gid }: Stats): void {
  const own = statSync(path);
  if (own.uid !== uid || own.gid !== gid) chownSync(path, uid, gid);
}

/** SQLite would only fail at the first write. */
export function requireWritable(path: string): void {
  accessSync(dirname(path), constants.W_OK | constants.X_OK);
  if (statSync(path, { throwIfNoEntry: false })) accessSync(path, constants.R_OK | constants.W_OK);
}

function refused(reason: string): AppError {
  return new AppError('unavailable', `The store cannot be used: ${reason}.`);
}
