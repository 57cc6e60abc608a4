import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

import type { Database } from '../../database/database.ts';
import { openDatabase } from '../../database/open-store.ts';
import { requireIntegrity } from '../../database/sqlite/backup.ts';
import { fixOf } from '../../database/sqlite/failures.ts';
import { isThere, noDatabase } from '../../database/sqlite/file.ts';
import { AppError } from '../../errors.ts';
import type { Examination, Finding } from './checks.ts';

const restore = 'restore the last backup';
const freeBytesMin = 256 * 1024 * 1024;

export async function examineSqlite({ examine }: Examination, path: string): Promise<Database | undefined> {
  const hasFile = await examine('file', `ls -ld ${dirname(path)} ${path}`, async () => [
    isThere(path) && statSync(path).size > 0,
    fileFinding(path),
  ]);
  await examine('disk', 'make room on the disk', () => diskFinding(path));
  if (hasFile !== true) return undefined;
  const database = await examine('database', 'set DATABASE_URL', () => opened(path));
  if (!database) return undefined;
  const isWhole = await examine('integrity', restore, async () => {
    await requireIntegrity(database);
    return [true, 'pages and keys are whole'];
  });
  if (isWhole === true) return database;
  await database[Symbol.asyncDispose]();
  return undefined;
}

async function opened(path: string): Promise<[Database | undefined, Finding]> {
  try {
    return [await openDatabase(`sqlite:${path}`, { readOnly: true }), 'opens and is one of Roster'];
  } catch (error) {
    const command = error instanceof AppError ? fixOf(error) : undefined;
    if (command === undefined) throw error;
    return [undefined, { failed: (error as Error).message, command }];
  }
}

function fileFinding(path: string): Finding {
  if (!isThere(path)) {
    const folder = nearestFolder(path);
    return isWritable(folder)
      ? { failed: noDatabase(path), command: 'roster migrate' }
      : { failed: `${noDatabase(path)}, and its folder cannot be written`, command: `ls -ld ${folder}` };
  }
  const { size, mode } = statSync(path);
  if (size === 0) return { failed: 'the database file is empty', command: restore };
  if (!isWritable(path) || !isWritable(dirname(path))) {
    return { failed: 'the file or its folder cannot be written', command: `ls -ld ${dirname(path)} ${path}` };
  }
  const finding = `${Math.ceil(size / 1_024)} KiB`;
  if ((mode & 0o077) === 0) return finding;
  return { warning: `${finding}, readable by other users of this machine`, command: `chmod 600 ${path}` };
}

async function diskFinding(path: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(nearestFolder(path));
  const free = `${Math.floor((bavail * bsize) / 1_048_576)} MiB free`;
  return bavail * bsize >= freeBytesMin ? free : { warning: `only ${free}`, command: 'make room on the disk' };
}

function nearestFolder(path: string): string {
  let folder = dirname(resolve(path));
  while (!existsSync(folder)) folder = dirname(folder);
  return folder;
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
