import { chmodSync, existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { AppError } from '../../errors.ts';
import { inUse, lockWhole } from '../upkeep/sole-use.ts';
import { busy, codeOf } from './failures.ts';
import { giveOwner } from './file.ts';

type Hold = 'shared' | 'alone' | 'whole';

const sharedWaitMs = 30_000;
/** Others hold the lock for a moment to check for pending migrations. */
const aloneWaitMs = 3_000;

/** Locks an empty file beside the database until disposal: others, such as Litestream, may open the database itself. */
export function holdFile(path: string, hold: Hold): Disposable {
  using undo = new DisposableStack();
  const db = undo.use(openLock(path, hold === 'shared' ? sharedWaitMs : aloneWaitMs));
  try {
    db.exec(hold === 'shared' ? 'begin; select count(*) from sqlite_schema' : 'begin exclusive');
  } catch (error) {
    if (((codeOf(error) ?? 0) & 0xff) !== busy) throw error;
    throw hold === 'shared' ? beingMigrated() : inUse(path);
  }
  if (hold === 'whole') requireNoEarlierProgram(path);
  return undo.move();
}

/** Keeps other processes from making due backups until disposal. Undefined if one already does. */
export function holdBackups(path: string): Disposable | undefined {
  const file = realpathSync(path);
  using undo = new DisposableStack();
  const db = undo.use(openLock(file, 0, `${file}-backup-lock`));
  try {
    // A killed process would leave a journal file.
    db.exec('pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    if (((codeOf(error) ?? 0) & 0xff) === busy) return undefined;
    throw error;
  }
  return undo.move();
}

function openLock(path: string, timeout: number, lock = `${path}-lock`): DatabaseSync {
  const isNew = !existsSync(lock);
  const db = new DatabaseSync(lock, { timeout });
  if (isNew) {
    const like = statSync(path);
    chmodSync(lock, like.mode & 0o777);
    giveOwner(lock, like);
  }
  return db;
}

function beingMigrated(): AppError {
  return new AppError('unavailable', 'Another process migrates the database; try again when it is done.');
}

function requireNoEarlierProgram(path: string): void {
  try {
    lockWhole(path)[Symbol.dispose]();
  } catch (error) {
    if (!(error instanceof AppError) || !isOpenInOthersAlone(path)) throw error;
  }
}

/** Whether Linux shows which processes have the file open, and none of them is Roster. */
function isOpenInOthersAlone(path: string): boolean {
  try {
    const inode = `:${statSync(path).ino}`;
    const locks = readFileSync('/proc/locks', 'utf8').split('\n');
    const holders = locks.map((line) => line.trim().split(/\s+/)).filter(([, , , , , file]) => file?.endsWith(inode));
    return holders.length > 0 && holders.every(([, , , , process = '']) => !isRoster(process));
  } catch {
    return false;
  }
}

function isRoster(process: string): boolean {
  const [program = '', ...words] = readFileSync(`/proc/${process}/cmdline`, 'utf8').split('\0');
  return basename(program).startsWith('node') && words.some((word) => /^(main\.[jt]s|roster)$/.test(basename(word)));
}
