import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { AppError } from '../../errors.ts';
import { giveName, makeUnfinished } from '../../new-file.ts';
import type { Database } from '../database.ts';
import { raw, sql } from '../sql.ts';
import { isDamaged, isUnreadable, reindexCommand } from '../sqlite/failures.ts';
import { orStrayLog } from '../sqlite/file.ts';
import { openSqlite } from '../sqlite/sqlite.ts';
import { migrationStatus } from './migrate.ts';

export interface BackupReport {
  file: string;
  size: number;
  sha256: string;
  rows: Record<string, number>;
  integrity: 'ok';
  checked: 'digest and structure' | 'structure only: no digest beside it';
  pending: string[];
}

const tables = ['projects', 'chatbots', 'members', 'contacts', 'deleted_contacts', 'api_keys', 'events'] as const;

/** Others may read and write meanwhile. Throws `unavailable` for a damaged database, which is at `path`. */
export async function backUp(database: Database, path: string, file: string): Promise<BackupReport> {
  for (const one of [file, digestFile(file)]) {
    if (fs.lstatSync(one, { throwIfNoEntry: false }))
      throw unwritten(`The backup file exists already: ${resolve(one)}; name another, or remove it first.`);
  }
  fs.accessSync(dirname(file), fs.constants.W_OK);
  await migrationStatus(database);
  await requireSound(database, {
    file: `The database ${resolve(path)} is damaged${orStrayLog(path)}, so nothing was backed up; restore the last backup ("roster restore FILE").`,
    index: `In the database ${resolve(path)} the index of search is damaged${orStrayLog(path)}, so nothing was backed up; make it anew ("${reindexCommand}"), and try again.`,
  });
  const unfinished = makeUnfinished(file);
  const made = [unfinished];
  try {
    await copyInto(database, unfinished);
    sync(unfinished);
    const report = await readBack(unfinished);
    // Comes first, so that no backup is ever without it. `sha256sum -c` reads it too.
    const digest = fs.openSync(digestFile(file), 'wx', 0o600);
    made.push(digestFile(file));
    fs.writeFileSync(digest, `${report.sha256}  ${basename(file)}\n`);
    fs.fsyncSync(digest);
    fs.closeSync(digest);
    giveName(unfinished, file);
    made.push(file);
    fs.rmSync(unfinished, { force: true });
    sync(dirname(file));
    return { ...report, file, checked: 'digest and structure' };
  } catch (error) {
    for (const one of made) fs.rmSync(one, { force: true });
    throw error;
  }
}

async function copyInto(database: Database, file: string): Promise<void> {
  try {
    await database.run(sql`vacuum into ${file}`);
  } catch (error) {
    if (!(error instanceof AppError) || isUnreadable(error)) throw error;
    throw unwritten(error.message.replace(/^[^:]+: /, 'The backup cannot be written: '), error.cause);
  }
}

async function readBack(file: string): Promise<BackupReport> {
  try {
    return await verifyBackup(file);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const sentence =
      'The backup could not be read back as it was written, so it was removed; check its disk, and try again.';
    throw unwritten(sentence, error);
  }
}

function unwritten(sentence: string, cause?: unknown): AppError {
  return new AppError('input_output', sentence, { cause });
}

/** Throws `invalid` for a backup that cannot be restored. */
export async function verifyBackup(file: string, digest = digestFile(file)): Promise<BackupReport> {
  const { size } = fs.statSync(file);
  if (size === 0) throw new AppError('invalid', 'The backup cannot be restored: it is empty; take an older one.');
  if (!fs.statSync(file).isFile()) throw unwritten('The backup is not a file; name another.');
  fs.accessSync(file, fs.constants.R_OK);
  try {
    await using database = openSqlite(file, { readOnly: true });
    const otherwise = 'its pages or the keys between its tables are damaged; take an older backup.';
    await requireSound(database, { file: otherwise, index: otherwise });
    if (!(await database.hasTable('projects'))) throw new AppError('invalid', 'nothing is in it; take another file.');
    const sha256 = await digestOf(file);
    const checked = hasDigest(digest, sha256) ? 'digest and structure' : 'structure only: no digest beside it';
    const { pending } = await migrationStatus(database);
    const rows = await countTables(database);
    return { file, size, sha256, rows, integrity: 'ok', checked, pending };
  } catch (error) {
    if (!(error instanceof AppError) && !(error instanceof Error && 'errcode' in error)) throw error;
    throw new AppError('invalid', `The backup cannot be restored: ${reason(error)}`, { cause: error });
  }
}

/** Only the digest notices a changed letter in a name. */
function hasDigest(digest: string, sha256: string): boolean {
  if (!fs.existsSync(digest) || !fs.statSync(digest).isFile()) return false;
  if (fs.readFileSync(digest, 'utf8').startsWith(sha256)) return true;
  throw new AppError('invalid', 'it has changed since it was made (its SHA-256 differs); take another backup.');
}

async function digestOf(file: string): Promise<string> {
  const digest = createHash('sha256');
  await pipeline(fs.createReadStream(file), digest);
  return digest.digest('hex');
}

export function digestFile(file: string): string {
  return `${file}.sha256`;
}

async function requireSound(database: Database, otherwise: Record<'file' | 'index', string>): Promise<void> {
  const damage = await damageOf(database);
  if (damage !== 'none') throw new AppError('unavailable', otherwise[damage]);
}

/** `index` where all but the index of search is whole. */
export async function damageOf(database: Database): Promise<'none' | 'file' | 'index'> {
  const [first] = await database.all<{ integrity_check: string }>(sql`pragma integrity_check(1)`);
  const orphans = await database.all(sql`pragma foreign_key_check`);
  if (orphans.length > 0) return 'file';
  if (first?.integrity_check === 'ok') return 'none';
  // SQLite looks at the index after everything else.
  return /\bfts5\b/i.test(first?.integrity_check ?? '') ? 'index' : 'file';
}

export async function countTables(database: Database, schema = ''): Promise<Record<string, number>> {
  const rows: Record<string, number> = {};
  for (const table of tables) {
    // An older schema has fewer tables.
    if (!(await database.hasTable(table))) continue;
    const row = await database.first<{ total: number }>(sql`select count(*) as total from ${raw(`${schema}${table}`)}`);
    rows[table] = row?.total ?? 0;
  }
  return rows;
}

const storePrefix = /^The store cannot be used: /;
/** Advice that fits a database only. */
const otherDatabase = /set DATABASE_URL to another( file)?|restore the last backup.*(?=\.$)/;

function reason(error: Error): string {
  if (!(error instanceof AppError)) return 'it is not a Roster database; take another file.';
  if (error.cause === undefined)
    return error.message
      .replace(storePrefix, '')
      .replace('the database file', 'it')
      .replace(otherDatabase, 'take another file');
  return isDamaged(error)
    ? 'it is damaged, or was never one; take an older backup.'
    : error.message.replace(storePrefix, '');
}

export function sync(path: string): void {
  const descriptor = fs.openSync(path, 'r');
  fs.fsyncSync(descriptor);
  fs.closeSync(descriptor);
}
