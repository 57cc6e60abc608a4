import { closeSync, existsSync, linkSync, openSync, renameSync } from 'node:fs';

import { AppError } from './errors.ts';

const noLinks: ReadonlySet<unknown> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** Makes an empty file beside `file`, for its owner alone; never takes over what somebody else has put there. */
export function makeUnfinished(file: string): string {
  const unfinished = `${file}.${process.pid}.unfinished`;
  closeSync(openSync(unfinished, 'wx', 0o600));
  return unfinished;
}

/** Gives a finished file its name; its old one may stay. Throws `input_output` where the name was taken meanwhile. */
export function giveName(unfinished: string, file: string): void {
  try {
    linkSync(unfinished, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || existsSync(file)) {
      throw new AppError('input_output', `The file exists already; name another: ${file}.`);
    }
    if (!noLinks.has(code)) throw error;
    renameSync(unfinished, file);
  }
}
