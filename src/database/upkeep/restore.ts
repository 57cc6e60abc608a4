import * as fs from 'node:fs';
import { dirname, resolve } from 'node:path';

import { AppError } from '../../errors.ts';
import { giveName, unusedName } from '../../new-file.ts';
import { reporting } from '../sqlite/failures.ts';
import { filesBeside, giveOwner, isThere, makeFolder, requireWritable } from '../sqlite/file.ts';
import { type BackupReport, digestFile, sync, verifyBackup } from './backup.ts';
import { type Findings, prepareRows, type RestoreOptions } from './restore-rows.ts';
import { lockWhole } from './sole-use.ts';

export interface RestoreReport extends BackupReport, Findings {
  database: string;
  /** The migrations that the backup lacked. */
  migrated: string[];
  /** The files of the former database, by their new names. */
  moved_aside: string[];
}

/** Puts a verified copy in the place of the database, which nobody may have open; `stamp` names the old files. */
export async function restore(
  file: string,
  path: string,
  stamp: string,
  options: RestoreOptions = {},
): Promise<RestoreReport> {
  requireBackup(file, path);
  const database = isThere(path) ? fs.realpathSync(path) : resolve(path);
  makeFolder(dirname(database));
  reporting(() => requireWritable(database));
  const old = fs.statSync(database, { throwIfNoEntry: false });
  if (old?.isFile() === false) {
    throw new AppError('unavailable', `The path of the database is no file: ${database}; set DATABASE_URL to a file.`);
  }
  using _old = old && lockWhole(database);
  const aside = unusedName(`${database}.before-restore-${stamp}`);
  // A crash can leave it in use under this name.
  const restored = unusedName(`${database}.restored-${stamp}`);
  const copy = `${restored}.compared`;
  using unfinished = new DisposableStack();
  unfinished.defer(() => fs.rmSync(restored, { force: true }));
  const { pending: migrated, ...report } = await copied(file, restored);
  const told = await prepareRows(restored, { present: old && database, copy }, options);
  fs.chmodSync(restored, (old?.mode ?? 0o600) & 0o777);
  if (old) giveOwner(restored, old);
  sync(restored);
  using _restored = lockWhole(restored);
  if (old) fs.linkSync(database, aside);
  unfinished.move();
  const moved_aside = old ? replace(database, restored, aside) : place(database, restored, aside);
  return { ...report, pending: [], migrated, ...told, file, database, moved_aside };
}

function requireBackup(file: string, path: string): void {
  const [from, to] = [fs.statSync(file), fs.statSync(path, { throwIfNoEntry: false })];
  if (from.ino === to?.ino && from.dev === to.dev) {
    throw new AppError('input_output', 'The backup is the database itself; name another file.');
  }
  const log = fs.statSync(`${file}-wal`, { throwIfNoEntry: false });
  if ((log?.size ?? 0) === 0) return;
  throw new AppError(
    'invalid',
    `The file is no finished backup: a part of it is in ${file}-wal; make one of it with "DATABASE_URL=sqlite:${file} roster backup create FILE" and restore that.`,
  );
}

/** Verifies the copy, so that what was verified is what is put in place. */
async function copied(file: string, restored: string): Promise<BackupReport> {
  if (fs.statSync(file).isFile()) fs.copyFileSync(file, restored, fs.constants.COPYFILE_EXCL);
  try {
    return await verifyBackup(fs.existsSync(restored) ? restored : file, digestFile(file));
  } finally {
    for (const suffix of ['-wal', '-shm']) fs.rmSync(`${restored}${suffix}`, { force: true });
  }
}

/** After each step the path leads to the old database with its log, or to the new one without it. */
function replace(database: string, restored: string, aside: string): string[] {
  const folder = dirname(database);
  const moved: string[] = [];
  if (filesBeside(database).length > 0) {
    // Through a link SQLite takes the log beside the file that the link names, so the old log is out of use at once.
    const link = `${database}.${process.pid}.link`;
    fs.symlinkSync(restored, link);
    fs.renameSync(link, database);
    sync(folder);
    moved.push(...moveAside(database, aside));
    sync(folder);
  }
  fs.renameSync(restored, database);
  sync(folder);
  return [aside, ...moved];
}

function place(database: string, restored: string, aside: string): string[] {
  const moved = moveAside(database, aside);
  sync(dirname(database));
  try {
    giveName(restored, database);
  } finally {
    fs.rmSync(restored, { force: true });
  }
  sync(dirname(database));
  return moved;
}

function moveAside(database: string, aside: string): string[] {
  return filesBeside(database).map((file) => {
    const moved = `${aside}${file.slice(database.length)}`;
    fs.renameSync(file, moved);
    return moved;
  });
}
