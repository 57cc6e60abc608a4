import { AppError, outcomeUnknown } from '../../errors.ts';
import { shellWord } from '../../values/shell-word.ts';

export const restoreCommand = 'roster restore FILE';
export const reindexCommand = 'roster migrate --reindex';

interface Advice {
  sentence: string;
  command: string;
}

const restore = { command: restoreCommand };
const otherFile = { command: 'set DATABASE_URL to another file' };
const damaged = {
  ...restore,
  sentence: 'the database file is damaged; restore the last backup ("roster restore FILE")',
};
const full = {
  sentence: 'the disk is full; make room ("df -h" shows where) and try again',
  command: 'df -h DATABASE',
};
const readOnly = {
  sentence:
    'the database file or its folder cannot be written; give both to the user who runs this ("ls -ld" shows whose they are)',
  command: 'ls -ld DATABASE',
};
const brokenDisk = {
  sentence: 'the disk reports an input/output error; check the disk ("dmesg" tells more), then run "roster doctor"',
  command: 'dmesg',
};
const lostSync = {
  sentence:
    'the disk did not keep what was written (fsync failed), so this process writes no more; check the disk, run "roster doctor", then start it again',
  command: 'dmesg',
};
const unopened = {
  command: readOnly.command,
  sentence: 'the database file cannot be opened; check its path, owner and permissions ("ls -ld" shows them)',
};

export const busy = 5;
/** Primary codes. */
export const damages: ReadonlySet<number> = new Set([11, 26]);
/** EIO is 8458; other errors of the system are 266. */
const readFailures = new Set([busy, 266, 8458]);

/** By SQLite's extended result code, then by the primary one in its lowest eight bits. */
const adviceOnCode: Readonly<Record<number, Advice>> = {
  [busy]: {
    sentence: 'another process keeps the database locked; try again when it is done ("fuser FILE" tells which it is)',
    command: 'fuser DATABASE',
  },
  7: {
    sentence: 'there is no memory left; free some ("free -h") and try again',
    command: 'free -h',
  },
  8: readOnly,
  10: brokenDisk,
  11: damaged,
  13: full,
  14: unopened,
  15: {
    sentence: 'the files beside the database (-wal, -shm) cannot be locked; put it on a local disk',
    command: 'put the database on a local disk',
  },
  26: {
    ...otherFile,
    sentence:
      'the file is not a SQLite database, or its beginning is lost; set DATABASE_URL to another, or restore the last backup ("roster restore FILE")',
  },
  // SQLITE_CORRUPT_VTAB: the index of search is the only virtual table.
  267: {
    sentence: `the index of search is damaged; make it anew ("${reindexCommand}"), then run "roster doctor"`,
    command: reindexCommand,
  },
  // A read past the end of the file.
  522: damaged,
  // fsync of a file, and of a folder.
  1034: lostSync,
  1290: lostSync,
  1032: {
    sentence: 'the database file was moved or removed while it was in use; put it back and start again',
    command: 'put the file back',
  },
  4874: full,
};

const adviceOnSystem: Readonly<Record<string, Advice>> = {
  EACCES: readOnly,
  EPERM: readOnly,
  EROFS: readOnly,
  ENOSPC: full,
  EDQUOT: full,
  EIO: brokenDisk,
};

export function codeOf(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : undefined;
}

/** FTS5 gives the code of any mistake where the settings of its index are lost; they cannot be made anew. */
const settingsLost = /^invalid fts5 file format/;

function adviceOn(error: Error): Advice | undefined {
  const code = codeOf(error);
  if (code === 1 && settingsLost.test(error.message)) return damaged;
  if (code !== undefined) return adviceOnCode[code] ?? adviceOnCode[code & 0xff];
  if (!('syscall' in error)) return undefined;
  return adviceOnSystem['code' in error ? String(error.code) : ''] ?? unopened;
}

/** Turns errors of the engine and the file system into `unavailable`. */
export function reporting<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toFailure(error);
  }
}

export function toFailure(error: unknown): unknown {
  const advice = error instanceof Error && !(error instanceof AppError) ? adviceOn(error) : undefined;
  if (advice === undefined) return error;
  return new AppError('unavailable', `The store cannot be used: ${advice.sentence}.`, { cause: error });
}

/** A command about the database at `path`, or a few words; undefined for an error that was not turned. */
export function fixOf({ cause }: AppError, path: string): string | undefined {
  const advice = cause instanceof Error ? adviceOn(cause) : undefined;
  return advice?.command.replace(/\bDATABASE\b/, () => shellWord(path));
}

export function isDamaged({ cause }: AppError): boolean {
  if (!(cause instanceof Error)) return false;
  return adviceOn(cause) === damaged || damages.has((codeOf(cause) ?? 0) & 0xff);
}

export function isUnreadable(error: AppError): boolean {
  return isDamaged(error) || readFailures.has(codeOf(error.cause) ?? 0);
}

export function isLocked(error: unknown): boolean {
  return error instanceof AppError && ((codeOf(error.cause) ?? 0) & 0xff) === busy;
}

export type WriteGuard = ReturnType<typeof guardWrites>;

/** After a failed sync, which is `outcome_unknown`, everything on the writing connection is rejected. */
export function guardWrites() {
  // The system reports a lost write once; the next sync would seem to succeed.
  let loss: AppError | undefined;
  const lose = (cause: unknown): AppError => {
    loss ??= new AppError('unavailable', `The store cannot be used: ${lostSync.sentence}.`, { cause });
    return outcomeUnknown(`${lostSync.sentence}, and look for the change`, cause);
  };
  const guarded = <T>(work: () => T, isCommit: boolean): T => {
    if (loss) throw loss;
    try {
      return reporting(work);
    } catch (error) {
      if (!(error instanceof AppError) || adviceOnCode[codeOf(error.cause) ?? 0] !== lostSync) throw error;
      const unknown = lose(error.cause);
      throw isCommit ? unknown : error;
    }
  };
  return {
    report: <T>(work: () => T): T => guarded(work, false),
    commit: <T>(work: () => T): T => guarded(work, true),
    lose,
    isLost: () => loss !== undefined,
  };
}
