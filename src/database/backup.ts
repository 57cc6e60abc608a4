import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';

import { AppError } from '../errors.ts';
import type { Database } from './database.ts';
import { migrationStatus } from './migrate.ts';
import { sql } from './sql.ts';
import { openSqlite } from './sqlite.ts';

export interface BackupReport {
  file: string;
  /** In bytes. */
  size: number;
  rows: Record<string, number>;
  integrity: 'ok';
  /** Migrations that the program would apply on restoring. */
  pending: string[];
}

const tables = ['projects', 'chatbots', 'members', 'contacts', 'api_keys'] as const;

/** Writes a consistent copy of an SQLite database to a new file while others read and write, and verifies it. */
export async function backUp(database: Database, file: string): Promise<BackupReport> {
  if (existsSync(file)) {
    throw new AppError('input_output', 'The backup file exists already; name another, or remove it first.');
  }
  // A folder that is missing is said so here, by its name.
  accessSync(dirname(file), constants.W_OK);
  const unfinished = `${file}.${process.pid}.unfinished`;
  try {
    await database.run(sql`vacuum into ${unfinished}`);
    sync(unfinished);
    const report = await verifyBackup(unfinished);
    renameSync(unfinished, file);
    sync(dirname(file));
    return { ...report, file };
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

/** Reads the whole backup: its pages, keys between tables, migrations and rows. Throws `invalid` where it cannot be restored. */
export async function verifyBackup(file: string): Promise<BackupReport> {
  const { size } = statSync(file);
  if (!statSync(file).isFile())
    throw new AppError('input_output', 'A backup is a file, and this is none; name another.');
  try {
    await using database = openSqlite(file, { readOnly: true });
    await requireIntegrity(database);
    const { pending } = await migrationStatus(database);
    const rows: Record<string, number> = {};
    for (const table of tables) rows[table] = await countRows(database, table);
    return { file, size, rows, integrity: 'ok', pending };
  } catch (error) {
    if (!(error instanceof AppError) && !(error instanceof Error && 'errcode' in error)) throw error;
    throw new AppError('invalid', `The backup cannot be restored: ${reason(error)}`, { cause: error });
  }
}

/** Throws `unavailable` with the first thing that is wrong in the file, if anything is. */
export async function requireIntegrity(database: Database): Promise<void> {
  const [first] = await database.all<{ integrity_check: string }>(sql`pragma integrity_check(1)`);
  const orphans = await database.all(sql`pragma foreign_key_check`);
  if (first?.integrity_check === 'ok' && orphans.length === 0) return;
  throw new AppError(
    'unavailable',
    'its pages or the keys between its tables are damaged; take an older backup.',
  );
}

/** Rows of one of the program's own tables, over all projects: for the operator. */
async function countRows(database: Database, table: (typeof tables)[number]): Promise<number> {
  const name = { pieces: [table], values: [] };
  const row = await database.first<{ total: number }>(sql`select count(*) as total from ${name}`);
  return row?.total ?? 0;
}

function reason(error: Error): string {
  return error instanceof AppError
    ? error.message.replace(/^The store cannot be used: /, '')
    : 'it holds no database of Roster; take another file.';
}

// A copy that is only in memory is none.
function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
