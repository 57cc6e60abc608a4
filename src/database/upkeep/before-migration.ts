import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

import { AppError } from '../../errors.ts';
import { unusedName } from '../../new-file.ts';
import type { Database } from '../database.ts';
import { projectReads } from '../projects.ts';
import { toFailure } from '../sqlite/failures.ts';
import { backUp } from './backup.ts';

/** Backs up a database with projects beside itself and returns the name. Throws `unavailable` where it cannot. */
export async function backUpBefore(
  database: Database,
  path: string,
  [next = '']: readonly string[],
): Promise<string | undefined> {
  if ((await projectReads(database).list()).length === 0) return undefined;
  const file = unusedName(resolve(`${path}.before-${next}`), '.db');
  try {
    await backUp(database, path, file);
    return file;
  } catch (error) {
    // Another process that migrates has just made it.
    if (existsSync(file)) return file;
    const failure = toFailure(error);
    if (!(failure instanceof AppError)) throw error;
    const sentence = `Nothing was migrated, as no backup could be made at ${file}: ${failure.message}`;
    throw new AppError('unavailable', sentence, { cause: failure.cause });
  }
}
