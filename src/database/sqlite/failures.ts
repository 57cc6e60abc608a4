import { AppError } from '../../errors.ts';

const advice: Record<number, string> = {
  5: 'another process keeps the database locked; try again when it is done',
  8: 'the database or its folder cannot be written; check owner and permissions',
  10: 'the disk reports an input/output error; check the disk, then "roster doctor"',
  11: 'the database file is damaged; restore the last backup ("roster backup verify FILE" checks one)',
  13: 'the disk is full; make room and try again',
  14: 'the database file cannot be opened; check its path, owner and permissions',
  26: 'the file is not a SQLite database; name another',
};

/** Runs `work` and turns what the engine or the file system cannot do into `unavailable`, with what mends it. */
export function reporting<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error) || error instanceof AppError) throw error;
    const primaryCode =
      'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
    const isFileError = 'syscall' in error;
    const known = primaryCode === undefined ? undefined : advice[primaryCode];
    if (known === undefined && !isFileError) throw error;
    throw new AppError('unavailable', `The store cannot be used: ${known ?? advice[14]}.`, { cause: error });
  }
}
