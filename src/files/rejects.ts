import * as fs from 'node:fs';
import { dirname } from 'node:path';
import { isatty } from 'node:tty';

import { AppError, withPath } from '../errors.ts';
import { printable } from '../values/printable.ts';
import type { Format } from './formats.ts';
import type { SourceRow } from './source-row.ts';
import { endOf, rejectText } from './writing.ts';

/** `roster_line` stands within these bytes in every format, after a byte-order mark too. */
const beginningBytes = 64;

/** Removes older rejects at once, in a dry run with the first row. Throws `input_output` for any other file. */
export function openRejects(path: string, format: Format, isDryRun: boolean) {
  fs.accessSync(dirname(path), fs.constants.W_OK);
  // A pipe or a device stays.
  const older = fs.statSync(path, { throwIfNoEntry: false });
  if (older?.isDirectory() === true) throw new AppError('input_output', `This is a folder; name a file: ${path}.`);
  const hasOlder = older?.isFile() === true;
  const beginning = hasOlder ? beginningOf(path) : '';
  if (beginning !== '' && !beginning.includes('roster_line'))
    throw new AppError('input_output', `${notOurs}: ${path}.`);
  if (hasOlder && !isDryRun) removeOlder(path);
  let file: number | undefined;
  let count = 0;
  return {
    write: (row: SourceRow, reason: string): void => {
      const isFirst = count++ === 0;
      if (isFirst && hasOlder && isDryRun) removeOlder(path);
      file ??= fs.openSync(path, 'a', 0o600);
      const text = rejectText(row, reason, format, isFirst);
      append(file, isatty(file) ? printable(text) : text, path);
    },
    get path(): string | null {
      return count > 0 ? path : null;
    },
    [Symbol.dispose]: () => {
      if (file === undefined) return;
      append(file, endOf(format, false), path);
      fs.closeSync(file);
    },
  };
}

function append(file: number, text: string, path: string): void {
  try {
    // On a nearly full disk writeSync may write a part only.
    fs.writeFileSync(file, text);
  } catch (error) {
    throw withPath(error, path);
  }
}

const notOurs = 'The file for rejected rows already holds something else; name another';

function removeOlder(path: string): void {
  // A link stays, as it may be /dev/stdout.
  if (fs.lstatSync(path).isSymbolicLink()) fs.truncateSync(path);
  else fs.rmSync(path);
}

function beginningOf(path: string): string {
  const file = fs.openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(beginningBytes);
    return bytes.toString('utf8', 0, fs.readSync(file, bytes, 0, beginningBytes, 0));
  } finally {
    fs.closeSync(file);
  }
}
