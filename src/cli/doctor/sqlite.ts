import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

import type { Database } from '../../database/database.ts';
import { openDatabase } from '../../database/open-store.ts';
import { fixOf, restoreCommand } from '../../database/sqlite/failures.ts';
import { isThere, noDatabase, orStrayLog } from '../../database/sqlite/file.ts';
import { isSound } from '../../database/upkeep/backup.ts';
import { AppError } from '../../errors.ts';
import { shellWord } from '../../values/shell-word.ts';
import { copiesBeside } from '../upkeep/copies.ts';
import type { Examination, Finding } from './checks.ts';

const mebibyte = 1_048_576;
const freeEnough = 256 * mebibyte;
/** With less, the next write fails. */
const freeAtLeast = 16 * mebibyte;

export async function examineSqlite({ examine }: Examination, path: string): Promise<Database | undefined> {
  const hasFile = await examine('file', lookAt(path), async () => [
    isThere(path) && statSync(path).size > 0,
    fileFinding(path),
  ]);
  await examine('disk', `df -h ${shellWord(nearestFolder(path))}`, () => diskFinding(path));
  if (hasFile !== true) return undefined;
  await examine('copies', lookAt(path), async () => {
    const found = copiesBeside(path);
    return found ? { warning: found.finding, command: found.command } : 'none lies beside the database';
  });
  const database = await examine('database', 'set DATABASE_URL to another file', () => opened(path));
  if (!database) return undefined;
  const isWhole = await examine('integrity', restoreCommand, async () => {
    if (await isSound(database)) return [true, 'pages and keys are whole'];
    const failed = `pages or the keys between tables are damaged${orStrayLog(path)}`;
    return [false, { failed, command: restoreCommand }];
  });
  if (isWhole === true) return database;
  await database[Symbol.asyncDispose]();
  return undefined;
}

async function opened(path: string): Promise<[Database | undefined, Finding]> {
  try {
    return [await openDatabase(`sqlite:${path}`, { readOnly: true }), 'opens and is one of Roster'];
  } catch (error) {
    const command = error instanceof AppError ? fixOf(error, path) : undefined;
    if (command === undefined) throw error;
    const failed = (error as Error).message.replace('is damaged', `is damaged${orStrayLog(path)}`);
    return [undefined, { failed, command }];
  }
}

/** On an unmounted disk Roster would serve a new, empty database. */
const mountOrMake = 'mount the disk, or correct DATABASE_URL; only for a new, empty database: roster migrate';

function fileFinding(path: string): Finding {
  if (!isThere(path)) {
    const folder = nearestFolder(path);
    return isWritable(folder)
      ? { failed: `${noDatabase(path)}: is its disk mounted, and is DATABASE_URL right?`, command: mountOrMake }
      : { failed: `${noDatabase(path)}, and its folder cannot be written`, command: `ls -ld ${shellWord(folder)}` };
  }
  const { size, mode } = statSync(path);
  const name = resolve(path);
  if (size === 0) return { failed: `${name} is empty`, command: restoreCommand };
  if (!isWritable(path) || !isWritable(dirname(path))) {
    return { failed: `${name} or its folder cannot be written`, command: lookAt(path) };
  }
  const finding = `${name}, ${Math.ceil(size / 1_024)} KiB`;
  if ((mode & 0o077) === 0) return finding;
  return { warning: `${finding}, readable by other users of this machine`, command: `chmod 600 ${shellWord(path)}` };
}

async function diskFinding(path: string): Promise<Finding> {
  const folder = nearestFolder(path);
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const finding = `${Math.floor(free / mebibyte)} MiB free`;
  if (free >= freeEnough) return finding;
  const command = `df -h ${shellWord(folder)}`;
  return free < freeAtLeast ? { failed: `only ${finding}`, command } : { warning: `only ${finding}`, command };
}

function lookAt(path: string): string {
  return `ls -ld ${shellWord(dirname(path))} ${shellWord(path)}`;
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
