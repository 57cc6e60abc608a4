import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { fileStamp } from '../../values/timestamp.ts';
import type { Database } from '../database.ts';
import { type BackupReport, backUp, digestFile } from './backup.ts';

const dated = /^roster-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.db$/;

/** Makes a backup named by its time. Once it is verified, all but the newest `keep` backups with such names are removed. */
export async function backUpInto(
  database: Database,
  path: string,
  folder: string,
  keep: number | undefined,
  now = new Date(),
): Promise<BackupReport & { removed?: string[] }> {
  const name = `roster-${fileStamp(now)}.db`;
  const report = await backUp(database, path, join(folder, name));
  return keep === undefined ? report : { ...report, removed: removeAllBut(folder, name, keep) };
}

/** Keeps `made` even if the clock was set back. */
function removeAllBut(folder: string, made: string, keep: number): string[] {
  const others = readdirSync(folder, { withFileTypes: true })
    .filter((one) => one.isFile() && one.name !== made && dated.test(one.name))
    .map(({ name }) => join(folder, name))
    .toSorted();
  const surplus = others.slice(0, Math.max(0, others.length - keep + 1));
  for (const file of surplus) {
    rmSync(file);
    rmSync(digestFile(file), { force: true });
  }
  return surplus;
}
