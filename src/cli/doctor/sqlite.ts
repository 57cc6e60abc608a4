import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

import type { Config } from '../../config/settings.ts';
import type { Database } from '../../database/database.ts';
import { openDatabase, sqlitePath } from '../../database/open-store.ts';
import { fixOf, reindexCommand, restoreCommand } from '../../database/sqlite/failures.ts';
import { isThere, noDatabase, orStrayLog } from '../../database/sqlite/file.ts';
import { damageOf } from '../../database/upkeep/backup.ts';
import { AppError } from '../../errors.ts';
import { shellWord } from '../../values/shell-word.ts';
import { copiesBeside } from '../upkeep/copies.ts';
import { type Examination, failed, type Finding, ok, warning } from './checks.ts';

const mebibyte = 1_048_576;
const freeEnough = 256 * mebibyte;
/** With less, the next write fails. */
const freeAtLeast = 16 * mebibyte;

export async function examineSqlite(
  { note, read, examine }: Examination,
  { databaseUrl }: Pick<Config, 'databaseUrl'>,
): Promise<Database | undefined> {
  const path = sqlitePath(databaseUrl) ?? '';
  const hasContent = () => isThere(path) && statSync(path).size > 0;
  const hasFile = await read('file', lookAt(path), hasContent, () => fileFinding(path));
  await examine('disk', `df -h ${shellWord(nearestFolder(path))}`, () => diskFinding(path));
  if (hasFile !== true) return undefined;
  await read('copies', lookAt(path), () => copiesBeside(path), copiesFinding);
  await using unlessWhole = new AsyncDisposableStack();
  try {
    const database = unlessWhole.use(await openDatabase(databaseUrl, { readOnly: true }));
    note('database', ok('opens and is one of Roster'));
    const damage = await read(
      'integrity',
      restoreCommand,
      () => damageOf(database),
      (found) => integrityFinding(found, path),
    );
    if (damage !== 'none') return undefined;
    unlessWhole.move();
    return database;
  } catch (error) {
    note('database', unopened(error as Error, path));
    return undefined;
  }
}

function copiesFinding(found: ReturnType<typeof copiesBeside>): Finding {
  return found ? warning(found.finding, found.command) : ok('none lies beside the database');
}

function integrityFinding(damage: Awaited<ReturnType<typeof damageOf>>, path: string): Finding {
  if (damage === 'none') return ok('pages and keys are whole');
  if (damage === 'index') return failed(`the index of search is damaged${orStrayLog(path)}`, reindexCommand);
  return failed(`pages or the keys between tables are damaged${orStrayLog(path)}`, restoreCommand);
}

function unopened(error: Error, path: string): Finding {
  const command = error instanceof AppError ? fixOf(error, path) : undefined;
  if (command === undefined) return failed(error.message, 'set DATABASE_URL to another file');
  return failed(error.message.replace('is damaged', `is damaged${orStrayLog(path)}`), command);
}

/** On an unmounted disk Roster would serve a new, empty database. */
const mountOrMake = 'mount the disk, or correct DATABASE_URL; only for a new, empty database: roster migrate';

function fileFinding(path: string): Finding {
  if (!isThere(path)) {
    const folder = nearestFolder(path);
    return isWritable(folder)
      ? failed(`${noDatabase(path)}: is its disk mounted, and is DATABASE_URL right?`, mountOrMake)
      : failed(`${noDatabase(path)}, and its folder cannot be written`, `ls -ld ${shellWord(folder)}`);
  }
  const { size, mode } = statSync(path);
  const name = resolve(path);
  if (size === 0) return failed(`${name} is empty`, restoreCommand);
  if (!isWritable(path) || !isWritable(dirname(path))) {
    return failed(`${name} or its folder cannot be written`, lookAt(path));
  }
  const finding = `${name}, ${Math.ceil(size / 1_024)} KiB`;
  if ((mode & 0o077) === 0) return ok(finding);
  return warning(`${finding}, readable by other users of this machine`, `chmod 600 ${shellWord(path)}`);
}

async function diskFinding(path: string): Promise<Finding> {
  const folder = nearestFolder(path);
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const finding = `${Math.floor(free / mebibyte)} MiB free`;
  if (free >= freeEnough) return ok(finding);
  const command = `df -h ${shellWord(folder)}`;
  return (free < freeAtLeast ? failed : warning)(`only ${finding}`, command);
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
