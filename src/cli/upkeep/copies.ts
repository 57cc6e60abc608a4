import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

import { sqlitePath } from '../../database/open-store.ts';
import { isThere } from '../../database/sqlite/file.ts';
import { shellWord } from '../../values/shell-word.ts';
import { age, counted, note } from '../output.ts';

const mebibyte = 1_048_576;

/** Finds the copies that restores and migrations left beside an SQLite database, and the command that removes them. */
export function copiesBeside(path: string): { finding: string; command: string } | undefined {
  const database = isThere(path) ? realpathSync(path) : resolve(path);
  const files = readdirSync(dirname(database))
    .filter((name) => name.startsWith(`${basename(database)}.before-`))
    .map((name) => join(dirname(database), name))
    .filter(existsSync)
    .toSorted();
  const copies = files.filter((file) => !/(-wal|-shm|-lock|\.sha256)$/.test(file));
  if (copies.length === 0) return undefined;
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  const newest = new Date(Math.max(...copies.map((file) => statSync(file).mtimeMs))).toISOString();
  const size = bytes < mebibyte ? `${Math.ceil(bytes / 1_024)} KiB` : `${Math.ceil(bytes / mebibyte)} MiB`;
  const lie = counted(copies.length, 'older copy of the database lies', 'older copies of the database lie');
  return {
    finding: `${lie} beside it, and may hold people who are deleted here (${size}, the newest of ${age(newest)})`,
    command: `rm ${files.map(shellWord).join(' ')}`,
  };
}

export function noteCopies({ databaseUrl }: { databaseUrl: string }): void {
  const path = sqlitePath(databaseUrl);
  const found = path === undefined ? undefined : copiesBeside(path);
  if (found) note(`${found.finding}; remove them with: ${found.command}`);
}
