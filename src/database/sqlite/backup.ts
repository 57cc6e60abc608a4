import { createHash } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  createReadStream,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { AppError } from '../../errors.ts';
import type { Database } from '../database.ts';
import { migrationStatus } from '../migrate.ts';
import { raw, sql } from '../sql.ts';
import { isDamaged, isUnreadable } from './failures.ts';
import { openSqlite } from './sqlite.ts';

export interface BackupReport {
  file: string;
  /** In bytes. */
  size: number;
  /** The digest of the file, as in FILE.sha256 beside it; null where there is no such file to hold it against. */
  sha256: string | null;
  rows: Record<string, number>;
  integrity: 'ok';
  /** Migrations that the program would apply on restoring. */
  pending: string[];
}

const tables = ['projects', 'chatbots', 'members', 'contacts', 'api_keys'] as const;

/**
 * Writes a consistent copy of an SQLite database to a new file while others read and write, and verifies it.
 * Throws `unavailable` for one that is damaged, of which a copy could look whole and lack people.
 */
export async function backUp(database: Database, file: string): Promise<BackupReport> {
  if (existsSync(file)) {
    throw new AppError('input_output', 'The backup file exists already; name another, or remove it first.');
  }
  // A folder that is missing is said so here, by its name.
  accessSync(dirname(file), constants.W_OK);
  await migrationStatus(database);
  await requireSound(database);
  const unfinished = `${file}.${process.pid}.unfinished`;
  const made = [unfinished];
  try {
    await copyInto(database, unfinished);
    sync(unfinished);
    const report = await readBack(unfinished);
    const sha256 = await digestOf(unfinished);
    made.push(digestFile(file));
    // In the form of sha256sum, which can check it as well.
    writeFileSync(digestFile(file), `${sha256}  ${basename(file)}\n`, { mode: 0o600, flush: true });
    renameSync(unfinished, file);
    made.push(file);
    sync(dirname(file));
    return { ...report, file, sha256 };
  } catch (error) {
    for (const one of made) rmSync(one, { force: true });
    throw error;
  }
}

async function requireSound(database: Database): Promise<void> {
  if (await isSound(database)) return;
  throw new AppError(
    'unavailable',
    'The database is damaged, so nothing was backed up; restore the last backup ("roster backup verify FILE" checks one).',
  );
}

/** What fails here is the copy, unless it is the database that cannot be read. */
async function copyInto(database: Database, file: string): Promise<void> {
  try {
    await database.run(sql`vacuum into ${file}`);
  } catch (error) {
    if (!(error instanceof AppError) || isUnreadable(error)) throw error;
    throw new AppError('input_output', error.message.replace(/^[^:]+: /, 'The backup cannot be written: '), {
      cause: error.cause,
    });
  }
}

async function readBack(file: string): Promise<BackupReport> {
  try {
    return await verifyBackup(file);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError(
      'input_output',
      'The backup could not be read back as it was written, so it was removed; check its disk, and try again.',
      { cause: error },
    );
  }
}

/** Reads the whole backup: its pages, keys between tables, migrations and rows. Throws `invalid` where it cannot be restored. */
export async function verifyBackup(file: string): Promise<BackupReport> {
  const { size } = statSync(file);
  if (size === 0)
    throw new AppError('invalid', 'The backup cannot be restored: it is empty; take an older one.');
  if (!statSync(file).isFile())
    throw new AppError('input_output', 'A backup is a file, and this is none; name another.');
  // Of one that may not be read nothing is known.
  accessSync(file, constants.R_OK);
  try {
    await using database = openSqlite(file, { readOnly: true });
    await requireIntegrity(database);
    const sha256 = await requireDigest(file);
    const { pending } = await migrationStatus(database);
    const rows: Record<string, number> = {};
    for (const table of tables) rows[table] = await countRows(database, table);
    return { file, size, sha256, rows, integrity: 'ok', pending };
  } catch (error) {
    if (!(error instanceof AppError) && !(error instanceof Error && 'errcode' in error)) throw error;
    throw new AppError('invalid', `The backup cannot be restored: ${reason(error)}`, { cause: error });
  }
}

/** SQLite would not notice a changed letter in a name; the digest does. */
async function requireDigest(file: string): Promise<string | null> {
  if (!existsSync(digestFile(file))) return null;
  const sha256 = await digestOf(file);
  if (readFileSync(digestFile(file), 'utf8').startsWith(sha256)) return sha256;
  throw new AppError(
    'invalid',
    'it has changed since it was made (its SHA-256 is another); take another backup.',
  );
}

async function digestOf(file: string): Promise<string> {
  const digest = createHash('sha256');
  await pipeline(createReadStream(file), digest);
  return digest.digest('hex');
}

function digestFile(file: string): string {
  return `${file}.sha256`;
}

/** Throws `unavailable` where the file is damaged. */
export async function requireIntegrity(database: Database): Promise<void> {
  if (await isSound(database)) return;
  throw new AppError(
    'unavailable',
    'its pages or the keys between its tables are damaged; take an older backup.',
  );
}

/** Whether all pages, indexes and keys between tables are as they should be; reads the whole file. */
async function isSound(database: Database): Promise<boolean> {
  const [first] = await database.all<{ integrity_check: string }>(sql`pragma integrity_check(1)`);
  const orphans = await database.all(sql`pragma foreign_key_check`);
  return first?.integrity_check === 'ok' && orphans.length === 0;
}

/** Rows of one of the program's own tables, over all projects: for the operator. */
async function countRows(database: Database, table: (typeof tables)[number]): Promise<number> {
  const row = await database.first<{ total: number }>(sql`select count(*) as total from ${raw(table)}`);
  return row?.total ?? 0;
}

const storePrefix = /^The store cannot be used: /;
const otherDatabase = 'set DATABASE_URL to another';

function reason(error: Error): string {
  if (!(error instanceof AppError)) return 'it holds no database of Roster; take another file.';
  if (error.cause === undefined)
    return error.message.replace(storePrefix, '').replace(otherDatabase, 'take another file');
  return isDamaged(error)
    ? 'it is damaged, or was never one; take an older backup.'
    : error.message.replace(storePrefix, '');
}

// A copy that is only in memory is none.
function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
