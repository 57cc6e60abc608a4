import { linkSync, rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

import { AppError } from '../../errors.ts';
import { busy, codeOf, damages } from '../sqlite/failures.ts';

/** Throws `unavailable` if a connection is open, even idle. Closing the file otherwise in this process unlocks it. */
export function lockWhole(path: string): Disposable {
  // By another name SQLite does not find the log, which may belong to another file.
  const link = `${path}.${process.pid}.locked`;
  using undo = new DisposableStack();
  undo.defer(() => {
    for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(`${link}${suffix}`, { force: true });
  });
  linkSync(path, link);
  // For what seems a journal SQLite locks before it reads, so that a damaged file is locked as well.
  writeFileSync(`${link}-journal`, 'x');
  const db = undo.use(new DatabaseSync(link, { timeout: 0 }));
  try {
    db.exec('pragma locking_mode = exclusive; begin exclusive; commit');
  } catch (error) {
    const code = (codeOf(error) ?? 0) & 0xff;
    if (code === busy) throw inUse(path);
    if (!damages.has(code)) throw error;
  }
  return undo.move();
}

export function inUse(path: string): AppError {
  return new AppError(
    'unavailable',
    `The database is open in another process, such as "roster serve", so nothing was changed; stop it ("fuser ${path}" tells which it is) and try again.`,
  );
}
