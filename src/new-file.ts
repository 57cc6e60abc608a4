import { closeSync, existsSync, linkSync, lstatSync, openSync, renameSync } from 'node:fs';

import { AppError } from './errors.ts';

const noLinks: ReadonlySet<unknown> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

export function unusedName(stem: string, ending = ''): string {
  for (let number = 1; ; number++) {
    const path = `${stem}${number === 1 ? '' : `-${number}`}${ending}`;
    // A backup that was cut off may have left its digest alone.
    if (![path, `${path}.sha256`].some((one) => lstatSync(one, { throwIfNoEntry: false }))) return path;
  }
}

/** Makes an empty file beside `file`, for its owner alone; never takes over what somebody else has put there. */
export function makeUnfinished(file: string): string {
  // In a container a killed process has left one with the same id.
  const unfinished = unusedName(`${file}.${process.pid}`, '.unfinished');
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
