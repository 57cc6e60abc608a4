import { AppError } from '../../errors.ts';

interface Advice {
  /** What is wrong, and what to do about it, as one sentence without its end. */
  sentence: string;
  /** What mends it, for the list of `doctor`. */
  command: string;
}

const restore = { command: 'restore the last backup' };
const otherFile = { command: 'set DATABASE_URL' };
const damaged = {
  ...restore,
  sentence: 'the database file is damaged; restore the last backup ("roster backup verify FILE" checks one)',
};
const full = {
  sentence: 'the disk is full; make room ("df -h" shows where) and try again',
  command: 'make room on the disk',
};
const readOnly = {
  sentence:
    'the database file or its folder cannot be written; give both to the user who runs this ("ls -ld" shows whose they are)',
  command: 'chown or chmod the file and its folder',
};
const brokenDisk = {
  sentence:
    'the disk reports an input/output error; check the disk ("dmesg" tells more), then run "roster doctor"',
  command: 'check the disk',
};
const lostSync = {
  sentence:
    'the disk could not be made to keep what was written (fsync failed), so this process writes no more; check the disk, then run "roster doctor" and start it again',
  command: 'check the disk',
};
const unopened = {
  command: readOnly.command,
  sentence: 'the database file cannot be opened; check its path, owner and permissions ("ls -ld" shows them)',
};

/** A read that met the end of the file. */
const shortRead = 522;
/** Busy, and reads that failed: what the system calls EIO is 8458, whatever else 266. */
const readFailures = new Set([5, 266, 8458]);

/** By SQLite's result codes: an extended one where it tells more than its lowest eight bits, which are the primary one. */
const adviceOnCode: Readonly<Record<number, Advice>> = {
  5: {
    sentence:
      'another process keeps the database locked; try again when it is done ("fuser FILE" tells which it is)',
    command: 'fuser FILE',
  },
  7: {
    sentence: 'there is no memory left; free some ("free -h") and try again',
    command: 'free some memory',
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
      'the file is not a SQLite database, or its beginning is lost; set DATABASE_URL to another, or restore the last backup ("roster backup verify FILE" checks one)',
  },
  [shortRead]: damaged,
  // fsync of a file, and of its folder.
  1034: lostSync,
  1290: lostSync,
  1032: {
    sentence: 'the database file was moved or removed while it was in use; put it back and start again',
    command: 'put the file back',
  },
  // The file that processes share cannot grow, which is what a full disk does to it.
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

/** SQLite's own code of a failure, extended; undefined for any other error. */
export function codeOf(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode
    : undefined;
}

function adviceOn(error: Error): Advice | undefined {
  const code = codeOf(error);
  if (code !== undefined) return adviceOnCode[code] ?? adviceOnCode[code & 0xff];
  if (!('syscall' in error)) return undefined;
  return adviceOnSystem['code' in error ? String(error.code) : ''] ?? unopened;
}

/** Runs `work` and turns what the engine or the file system cannot do into `unavailable`, with what mends it. */
export function reporting<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error) || error instanceof AppError) throw error;
    const advice = adviceOn(error);
    if (advice === undefined) throw error;
    throw new AppError('unavailable', `The store cannot be used: ${advice.sentence}.`, { cause: error });
  }
}

/** What mends a failure that `reporting` has turned; undefined for another. */
export function mendOf({ cause }: AppError): string | undefined {
  return cause instanceof Error ? adviceOn(cause)?.command : undefined;
}

/** Whether it is the file that is no longer as it was written, or no database. */
export function isDamaged({ cause }: AppError): boolean {
  const code = codeOf(cause) ?? 0;
  return code === shortRead || [11, 26].includes(code & 0xff);
}

/** Whether what was to be read could not be, or is damaged. */
export function isUnreadable(error: AppError): boolean {
  return isDamaged(error) || readFailures.has(codeOf(error.cause) ?? 0);
}

/**
 * Like `reporting`, for the connection that writes: after a sync that failed it refuses everything. The system tells
 * of what it could not keep only once, and takes the next sync for a success.
 */
export function reportingUntilLost(): typeof reporting {
  let loss: AppError | undefined;
  return (work) => {
    if (loss) throw loss;
    try {
      return reporting(work);
    } catch (error) {
      if (error instanceof AppError && adviceOnCode[codeOf(error.cause) ?? 0] === lostSync) loss = error;
      throw error;
    }
  };
}
