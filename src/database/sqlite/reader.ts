import { realpathSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

import { AppError } from '../../errors.ts';

export const inMemory = ':memory:';

/** A connection that has read keeps the log file alive. */
export const keptLog = 'select count(*) from sqlite_schema';

/** Readers wait only for recovery after a crash. */
const readerTimeoutMs = 100;

export function openReader(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { readOnly: true, timeout: readerTimeoutMs });
  db.exec(`pragma trusted_schema = off; pragma cell_size_check = on; ${keptLog}`);
  return db;
}

export type FileIdentity = readonly [file: string, inode: number];

export function identityOf(path: string): FileIdentity {
  return path === inMemory ? [path, 0] : [realpathSync(path), statSync(path).ino];
}

/** An old file with its successor's log would be corrupt. */
export function requireSame(path: string, [file, inode]: FileIdentity): void {
  const [nowFile, nowInode] = identityOf(path);
  if (nowFile === file && nowInode === inode) return;
  throw new AppError('unavailable', 'The store cannot be used: its file was replaced at this moment; try again.');
}
